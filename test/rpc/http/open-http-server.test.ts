// Which HTTP server is used, and the error if none can be.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { SlicedWork } from '../../../src/async/sliced-work.js';
import type { NativeChoice } from '../../../src/config/native-mode.js';
import { bufferingIn } from '../../../src/rpc/http/body-buffer.js';
import type { HttpServer, HttpServerOptions } from '../../../src/rpc/http/http-server.js';
import { HttpServerError } from '../../../src/rpc/http/http-server-error.js';
import { loadUws } from '../../../src/rpc/http/native/load-uws.js';
import { openHttpServer } from '../../../src/rpc/http/open-http-server.js';
import { ByteBudget } from '../../../src/rpc/limits/byte-budget.js';

const uws = loadUws();

describe('opening the HTTP server', () => {
  const servers: HttpServer[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(0);
  });

  async function open(
    native: 'auto' | 'require' | 'off',
    place: Partial<Pick<HttpServerOptions, 'host' | 'port'>> = {},
  ): Promise<{ server: HttpServer; choices: NativeChoice[] }> {
    const choices: NativeChoice[] = [];
    const server = await openHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        keepHeaders: () => [],
        maxBodyBytes: 1_000,
        maxDrainBytes: 1_000,
        maxBacklogBytes: 1_000,
        requestTimeoutMs: 1_000,
        handler: () => ({ status: 200, headers: [], body: 'hello' }),
        bodyTooLong: () => ({ status: 413, headers: [], body: '' }),
        refused: (status) => ({ status, headers: [], body: '' }),
        overloaded: () => ({ status: 503, headers: [], body: '' }),
        maxHeaders: 50,
        work: new SlicedWork(),
        ...bufferingIn(new ByteBudget(1_000_000, () => assert.fail('an error')), 1_000),
        failure: () => ({ status: 500, headers: [], body: '' }),
        onError: (error) => assert.fail(String(error)),
        ...place,
      },
      native,
      (choice) => choices.push(choice),
    );
    servers.push(server);
    return { server, choices };
  }

  test('takes node:http if native is off, and logs it', async () => {
    const { server, choices } = await open('off');
    assert.equal(server.implementation, 'node:http');
    assert.deepEqual(choices, [
      { part: 'http', implementation: 'node:http', native: false, reason: 'native parts are off' },
    ]);
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'hello');
  });

  test('takes uWebSockets.js by default if it loads, else node:http with the reason', async () => {
    const { server, choices } = await open('auto');
    assert.equal(server.implementation, 'reason' in uws ? 'node:http' : 'uWebSockets.js');
    assert.equal(choices[0]?.reason, 'reason' in uws ? uws.reason : undefined);
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'hello');
  });

  test('takes uWebSockets.js or fails if it is required', async () => {
    if ('reason' in uws) {
      await assert.rejects(open('require'), { name: 'HttpServerError', code: 'unavailable' });
    } else {
      assert.equal((await open('require')).server.implementation, 'uWebSockets.js');
    }
  });

  for (const native of ['auto', 'off'] as const) {
    describe(`with --native ${native}`, () => {
      const refused = async (
        place: { host: string; port: number },
        code: string,
        message: RegExp,
      ): Promise<void> => {
        await assert.rejects(open(native, place), (error) => {
          assert.ok(error instanceof HttpServerError, String(error));
          assert.equal(error.code, code);
          assert.match(error.message, message);
          return true;
        });
      };

      test('a port in use is reported with its host', async () => {
        for (const holder of ['auto', 'off'] as const) {
          const { port } = (await open(holder)).server;
          await refused(
            { host: '127.0.0.1', port },
            'port_in_use',
            new RegExp(`127\\.0\\.0\\.1:${port}.*--port`),
          );
        }
      });

      test('a host that is not this machine is reported', async () => {
        await refused({ host: '192.0.2.77', port: 0 }, 'host_not_available', /192\.0\.2\.77/);
      });

      test('a host name that does not exist is reported', async () => {
        await refused(
          { host: 'no-such-host.invalid', port: 0 },
          'host_not_available',
          /no-such-host\.invalid/,
        );
      });
    });
  }
});

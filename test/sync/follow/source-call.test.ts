import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callSource } from '../../../src/sync/follow/source-call.js';
import { SourceError, type SourceErrorCode } from '../../../src/sync/follow/source-error.js';

const MIB = 1_048_576;
const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/rpc`;
}

interface CallLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function call(
  endpoint: string,
  { timeoutMs = 60_000, signal = new AbortController().signal }: CallLimits = {},
): Promise<unknown> {
  return callSource({ endpoint, method: 'status', params: '{}', maxBytes: MIB, timeoutMs, signal });
}

async function failure(listener: RequestListener, limits?: CallLimits): Promise<SourceError> {
  try {
    await call(await serve(listener), limits);
  } catch (error) {
    assert.ok(error instanceof SourceError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'it was taken for an answer' });
}

async function fails(
  listener: RequestListener,
  code: SourceErrorCode,
  message: RegExp,
  limits?: CallLimits,
): Promise<SourceError> {
  const error = await failure(listener, limits);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return error;
}

describe('a call of a source', () => {
  test('returns the result', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{"height":7}}';
    const endpoint = await serve((_, response) => response.end(body));
    assert.deepEqual(await call(endpoint), { height: 7 });
  });

  test('stops reading after the longest valid answer, however much follows and however well it is compressed', async () => {
    await fails(
      (_, response) => {
        response.write('{"jsonrpc":"2.0","id":1,"result":"');
        const more = () => {
          while (response.write('x'.repeat(65_536)) && !response.destroyed);
        };
        response.on('drain', more);
        more();
      },
      'bad_answer',
      /longer than 1048576 bytes/,
    );
    const bomb = gzipSync(Buffer.alloc(64 * MIB, 0x20));
    await fails(
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      'bad_answer',
      /longer than 1048576 bytes/,
    );
  });

  test('ends at its timeout, even if bytes trickle in', async () => {
    const begun = performance.now();
    await fails(
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(timer));
      },
      'timeout',
      /no complete answer within 1000 ms/,
      { timeoutMs: 1_000 },
    );
    assert.ok(performance.now() - begun < 10_000);
    await fails(() => undefined, 'timeout', /within 1000 ms/, { timeoutMs: 1_000 });
  });

  test('blames the source for an answer that is not JSON-RPC, and otherwise reports that no node answered', async () => {
    for (const body of ['', '{"jsonrpc":"2.0","id":1,"res', '[]', '"result"', '{"error":{}}', '<html>']) {
      await fails((_, response) => response.end(body), 'bad_answer', /expected a JSON-RPC answer/);
    }
    for (const status of [502, 503, 504]) {
      await fails(
        (_, response) => response.writeHead(status).end('<html>'),
        'unreachable',
        /no node behind it/,
      );
    }
    await fails((request) => request.socket.destroy(), 'unreachable', /status: /);
    const elsewhere = await serve((_, response) => response.end('{"result":1}'));
    await fails(
      (_, response) => response.writeHead(307, { location: elsewhere }).end(),
      'unreachable',
      /redirect/,
    );
  });

  test('passes on the kind and data of a refusal', async () => {
    const error = {
      code: -32012,
      message: 'too old',
      data: { kind: 'state_unavailable', retryable: false, oldest: 5 },
    };
    const refused = await fails(
      (_, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error })),
      'refused',
      /^too old$/,
    );
    assert.equal(refused.kind, 'state_unavailable');
    assert.equal(refused.data['oldest'], 5);
    assert.equal(refused.isLie, false);
  });

  test('ends with the signal’s reason', async () => {
    const controller = new AbortController();
    const endpoint = await serve(() => controller.abort(new Error('stopping')));
    await assert.rejects(call(endpoint, { signal: controller.signal }), /^Error: stopping$/);
  });
});

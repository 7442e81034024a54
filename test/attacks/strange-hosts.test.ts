// DNS rebinding with configured hosts: a page whose domain resolves to this node is refused unless its host is listed.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { statusOf } from '../support/http/host-status.js';
import { HTTP_IMPLEMENTATIONS } from '../support/http/http-implementations.js';
import { SocketServer } from '../support/http/socket-server.js';

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`strange hosts on ${implementation.name}`, { skip: implementation.skip }, () => {
    /** Starts a server that allows these hosts. @returns its URL */
    async function allowing(t: TestContext, hosts: string): Promise<string> {
      const server = await SocketServer.open(implementation, { allowedHosts: hosts.split(',') });
      t.after(() => server.dispose());
      return `http://127.0.0.1:${server.server.port}`;
    }

    test('are those that --allowed-hosts does not list', async (t) => {
      const hosts = 'Node.Example,*.under.example,other.example:8080,10.0.0.1,[2001:db8::1]';
      const url = await allowing(t, hosts);
      const allowed = [
        'node.example',
        'NODE.EXAMPLE:1234',
        'a.under.example',
        'a.b.under.example:1',
        'other.example:8080',
        '10.0.0.1:9545',
        '[2001:DB8:0::1]:9545',
        'localhost',
      ];
      for (const host of allowed) assert.equal(await statusOf(url, host), 200, host);
      const refused = [
        'under.example',
        'xunder.example',
        'x.node.example',
        'other.example',
        '10.0.0.2',
        '[2001:db8::2]',
      ];
      for (const host of refused) assert.equal(await statusOf(url, host), 403, host);
    });

    test('do not exist when * is allowed', async (t) => {
      assert.equal(await statusOf(await allowing(t, '*'), 'evil.example'), 200);
    });
  });
}

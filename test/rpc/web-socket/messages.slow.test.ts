// A client that leaves the server's close frame unanswered: the server waits some seconds for the answer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { SocketServer } from '../../support/http/socket-server.js';
import { frame, OPCODES } from '../../support/http/socket-wire.js';

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`an unanswered close on ${implementation.name}`, { skip: implementation.skip }, () => {
    test('ends that connection only', async (t) => {
      const server = await SocketServer.open(implementation, { limits: { maxMessagesInFlight: 3 } });
      t.after(() => server.dispose());
      const [witness, binary, flood] = [
        await server.connect(),
        await server.connect(),
        await server.connect(),
      ];
      binary.write(frame(OPCODES.binary, '{}'));
      for (let id = 1; id <= 10; id++) flood.send({ jsonrpc: '2.0', id, method: 'held' });
      await Promise.all([binary.end(), flood.end()]);
      assert.deepEqual([binary.closeCode, flood.closeCode], [1003, 1008]);
      assert.equal((await witness.call('echo', { value: 1 })).result, 1);
      await eventually('both forgotten', async () => server.server.connections === 1);
      witness.close();
      server.rpc.release();
    });

    test('does not keep a server from stopping', async () => {
      const server = await SocketServer.open(implementation);
      const wire = await server.connect();
      const stopped = server.server.stop(2_000);
      await wire.end();
      assert.equal(wire.closeCode, 1001);
      await stopped;
      await server.dispose();
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, devAccount, type IncludedTransaction, toJson } from '../../src/client/client.js';
import type { Receipt } from '../../src/generated/node-rpc-v1.js';
import { RpcClient } from '../outside/rpc.js';
import { hex } from '../support/hex.js';
import { NodeProcess } from '../support/nodes/node-process.js';

test('toJson gives the value that the node sends', async () => {
  const node = await NodeProcess.start({ flags: ['--seal', 'instant'] });
  const client = connect(node.url);
  const rpc = new RpcClient(node.url);
  try {
    const alice = client.sender(devAccount(0));
    const sent: IncludedTransaction = await alice.transfer({
      to: devAccount(1).address,
      amount: 2n ** 70n,
      wait: 'included',
    });
    const { receipt } = await client.tx_receipt({ tx_hash: sent.hash });
    assert.ok(receipt !== undefined);
    const answered = await rpc.call('tx_receipt', { tx_hash: sent.hashHex });
    assert.deepEqual(toJson('Receipt', receipt), (answered as { receipt: unknown }).receipt);
    const account = await client.account({ address: devAccount(1).address });
    const address = `0x${hex(devAccount(1).address)}`;
    assert.deepEqual(toJson('Account', account), await rpc.call('account', { address }));
    assert.deepEqual(JSON.parse(JSON.stringify(toJson('Account', account))), toJson('Account', account));
  } finally {
    rpc.close();
    await client.close();
    await node.dispose();
  }
});

test('toJson refuses unknown types and values of other types', () => {
  assert.throws(() => toJson('Recept' as 'Receipt', {} as Receipt), {
    name: 'ClientError',
    code: 'bad_argument',
    message: /no type "Recept"/,
  });
  assert.throws(() => toJson('toString' as 'Receipt', {} as Receipt), { code: 'bad_argument' });
  assert.throws(() => toJson('Receipt', { tx_hash: new Uint8Array(3) } as Receipt), {
    code: 'bad_argument',
    message: /Receipt/,
  });
  assert.throws(() => toJson('Receipt', null as unknown as Receipt), { code: 'bad_argument' });
});

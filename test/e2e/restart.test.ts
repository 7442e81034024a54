import assert from 'node:assert/strict';
import test from 'node:test';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import { devWallets, nodeStatus, submitEvery } from '../outside/traffic.js';
import { signTransaction, transfer } from '../outside/wallet.js';
import { StoppedNode } from '../support/nodes/stopped-node.js';

test('SIGTERM under load loses nothing, not even a transaction that waits behind a nonce gap', async (t) => {
  const stopped = await StoppedNode.start([]);
  t.after(() => stopped.dispose());
  const { chain_id: chainId } = await nodeStatus(stopped.rpc);
  const [, , , , , wallet = assert.fail()] = devWallets();
  const [first, second] = [0n, 1n].map((nonce) =>
    signTransaction(wallet, { chainId, nonce, lane: 7, action: transfer(wallet.address, 1n) }),
  );
  assert.ok(first !== undefined && second !== undefined);
  await submitEvery(stopped.rpc, [second]);
  await stopped.endUnderLoad('SIGTERM');

  await stopped.startAgain();
  const state = async (hash: string): Promise<unknown> => {
    const answer = await stopped.rpc.call('tx_by_hash', { tx_hash: hash });
    return TxByHashResult.fromJson(answer, 'tx_by_hash').status.type;
  };
  assert.equal(await state(second.hash), 'pending');
  await submitEvery(stopped.rpc, [first]);
  await stopped.expectAllIncluded();
  assert.equal(await state(first.hash), 'included');
  assert.equal(await state(second.hash), 'included');
});

// Repeated SIGKILLs while calls run: no honest call is blamed for ending the node.
// HEDDLE_CRASH_ROUNDS sets the number of kills.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, devAccount } from '../../src/client/client.js';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import { nodeStatus, Random, submitAll } from '../outside/traffic.js';
import { devWallet, type SentTransaction, signTransaction } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { contractAbi, contractCode } from '../support/worlds/contract-world.js';

const KILLS = Number(process.env['HEDDLE_CRASH_ROUNDS'] ?? 4);
const CALLS = 24;
/** About five milliseconds, so that most kills hit a running call. */
const ITERATIONS = 2_500_000;

describe('kills under load', () => {
  const sent: SentTransaction[] = [];
  let attacked: AttackedNode;
  let chainId: bigint;
  let compute: Uint8Array;

  before(async () => {
    attacked = await AttackedNode.start(['--block-time', '60', '--idle-block-time', '0']);
    ({ chain_id: chainId } = await nodeStatus(attacked.rpc));
    const client = connect(attacked.node.url);
    const { contract } = await client.sender(devAccount(0)).deploy({ code: contractCode('compute') });
    compute = contract.address;
  });
  after(() => attacked.dispose());

  function calls(round: number): SentTransaction[] {
    const input = contractAbi('compute').function('count').encodeCall({ iterations: ITERATIONS });
    return Array.from({ length: CALLS }, (_, place) =>
      signTransaction(devWallet(1 + (place % 8)), {
        chainId,
        lane: Math.floor(place / 8),
        nonce: BigInt(round),
        gasLimit: 60_000_000n,
        action: { type: 'call', value: { contract: compute, input, value: 0n } },
      }),
    );
  }

  async function typesOf(transactions: readonly SentTransaction[]): Promise<string[]> {
    const queries = transactions.map(({ hash }) => ({ method: 'tx_by_hash', params: { tx_hash: hash } }));
    const answers = await attacked.rpc.batchResults(queries);
    return answers.map((answer) => TxByHashResult.fromJson(answer, 'tx_by_hash').status.type);
  }

  test(`${KILLS} of them evict no call, and every call is included`, async () => {
    const random = new Random(7);
    let interrupted = 0;
    for (let round = 0; round < KILLS; round++) {
      const { accepted } = await submitAll(attacked.rpc, calls(round));
      assert.equal(accepted.length, CALLS);
      sent.push(...accepted);
      await sleep(random.below(250));
      await attacked.restart('kill');
      if (attacked.node.log.includes('the node ended while executing candidates')) interrupted++;
      assert.doesNotMatch(attacked.node.log, /is excluded for a day/);
    }
    assert.ok(interrupted > 0, 'no kill came in the middle of a block');
    const deadline = Date.now() + 60_000;
    for (let types: string[] = []; !types.every((type) => type === 'included') || types.length === 0; ) {
      assert.ok(Date.now() < deadline, `not all are included: ${types.join(' ')}`);
      await sleep(100);
      types = await typesOf(sent);
      assert.ok(!types.includes('rejected') && !types.includes('not_found'), types.join(' '));
    }
    const record = join(attacked.dataDir, 'execution.faults');
    if (existsSync(record)) assert.deepEqual(JSON.parse(readFileSync(record, 'utf8')).out, {});
    await attacked.assertSound();
  });
});

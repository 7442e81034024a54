// Candidates without a determinable outcome, as after an engine fault, are left out of the block.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import { nodeStatus, submitAll } from '../outside/traffic.js';
import { devWallet, type SentTransaction, signTransaction, transfer } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import type { FaultKind } from '../support/nodes/faulty-host.js';
import { perTier } from '../support/sweep.js';

const FAULTY = pathToFileURL(fileURLToPath(new URL('../support/nodes/faulty-host.js', import.meta.url))).href;
const FAULTS = perTier(12, 96);
/** Runs a call for long, until it is terminated, and restarts the node. */
const IS_LONG = perTier(false, true);
// With one block worker, a stuck call blocks all other transactions.
const FLAGS = ['--block-time', '100', '--block-workers', '1'];

describe('a node in which some calls cannot be executed', () => {
  let attacked: AttackedNode;
  let chainId: bigint;
  const nonces = new Map<string, bigint>();

  before(async () => {
    attacked = await AttackedNode.start(FLAGS, { NODE_OPTIONS: `--import=${FAULTY}` });
    ({ chain_id: chainId } = await nodeStatus(attacked.rpc));
  });
  after(() => attacked.dispose());

  function signed(
    from: number,
    lane: number,
    input: Uint8Array | undefined,
    gasLimit = 60_000n,
  ): SentTransaction {
    const name = `${from}/${lane}`;
    const nonce = nonces.get(name) ?? 0n;
    nonces.set(name, nonce + 1n);
    const contract = new Uint8Array(20).fill(0x77);
    return signTransaction(devWallet(from), {
      chainId,
      lane,
      nonce,
      gasLimit,
      priorityFee: input === undefined ? 1n : 1_000n,
      action:
        input === undefined
          ? transfer(contract, 1n)
          : { type: 'call', value: { contract, input, value: 0n } },
    });
  }

  /** A call that triggers the fault. */
  function bad(kind: FaultKind, from: number, lane: number): SentTransaction {
    return signed(from, lane, Buffer.from(`fault:${kind}:${lane}`));
  }

  async function statusOf({ hash }: SentTransaction) {
    return TxByHashResult.fromJson(await attacked.rpc.call('tx_by_hash', { tx_hash: hash }), 'tx_by_hash')
      .status;
  }

  async function settled(
    sent: SentTransaction,
    withinMs: number,
  ): Promise<Awaited<ReturnType<typeof statusOf>>> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const status = await statusOf(sent);
      if (status.type !== 'pending') return status;
      assert.ok(Date.now() < deadline, `${sent.hash} is still pending after ${withinMs} ms`);
      await sleep(50);
    }
  }

  async function assertOut(sent: SentTransaction): Promise<void> {
    const status = await settled(sent, 60_000);
    assert.equal(status.type, 'rejected');
    assert.match(String(status.value), /^execution_fault: /);
    await assert.rejects(attacked.rpc.call('tx_submit', { encoded: sent.encoded }), /already_known|-32010/);
  }

  async function assertIncluded(all: readonly SentTransaction[]): Promise<void> {
    for (const sent of all) assert.equal((await settled(sent, 60_000)).type, 'included');
  }

  for (const kind of ['throw', 'exit'] as const) {
    test(`evicts calls that end in "${kind}" and includes the transactions sent with them`, async () => {
      const faults = [1, 2, 3, 4].map((from) => bad(kind, from, kind === 'throw' ? 1 : 2));
      const others = [1, 2, 3, 4].flatMap((from) => [
        signed(from, 3, Buffer.from('harmless')),
        signed(from, 3, undefined),
        signed(from, 3, Buffer.from('harmless')),
      ]);
      await submitAll(attacked.rpc, [...faults.slice(0, 2), ...others, ...faults.slice(2)]);
      await assertIncluded(others);
      for (const fault of faults) await assertOut(fault);
      await attacked.assertSound();
    });
  }

  if (IS_LONG) {
    test('terminates and evicts a call that never ends', async () => {
      const spinning = bad('spin', 5, 1);
      const others = [signed(6, 1, undefined), signed(6, 1, Buffer.from('harmless'))];
      await submitAll(attacked.rpc, [spinning, ...others]);
      await assertIncluded(others);
      await assertOut(spinning);
    });
  }

  test('evicts a bundle as a whole; its members may be sent alone', async () => {
    const member = signed(7, 1, undefined);
    const members = [member, signed(7, 2, undefined), bad('throw', 8, 1)];
    await attacked.rpc.call('tx_submit_bundle', { transactions: members.map(({ encoded }) => encoded) });
    for (const sent of members) {
      const status = await settled(sent, 60_000);
      assert.equal(status.type, 'rejected');
      assert.match(String(status.value), /^execution_fault: /);
    }
    await submitAll(attacked.rpc, [member]);
    await assertIncluded([member]);
  });

  test('many faulty calls at once do not keep others out of blocks', async () => {
    const faults = Array.from({ length: FAULTS }, (_, place) =>
      bad('throw', place % 8, 10 + Math.floor(place / 8)),
    );
    const { accepted } = await submitAll(attacked.rpc, faults);
    assert.equal(accepted.length, faults.length);
    const others = [signed(8, 9, undefined), signed(8, 9, Buffer.from('harmless'))];
    await submitAll(attacked.rpc, others);
    await assertIncluded(others);
    for (const fault of faults) await assertOut(fault);
    await attacked.assertSound();
    if (IS_LONG) await attacked.restart();
    await assertOut(faults[0] ?? others[0] ?? assert.fail());
    await attacked.assertSound();
  });
});

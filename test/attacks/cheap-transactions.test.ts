// Transactions that do nothing still use gas, so the block's gas limit bounds their number.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { Action } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { GAS, intrinsicGas } from '../../src/ledger/gas.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import type { OpenTransaction, VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { listRoot } from '../../src/proofs/list-root.js';
import { contextOf, encoded, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const NOBODY = new Uint8Array(20).fill(0x0d);
const NOTHING = new Uint8Array(0);
const CALL = { contract: NOBODY, input: NOTHING, value: 0n };

/** Cheap transactions by outcome. */
const CHEAP: readonly (readonly [name: string, action: Action, outcome: string])[] = [
  ['a transfer of nothing', { type: 'transfer', value: { to: NOBODY, amount: 0n } }, 'success'],
  ['a call of no contract', { type: 'call', value: CALL }, 'invalid'],
  ['an empty batch', { type: 'batch', value: [] }, 'success'],
  ['a batch of calls of no contract', { type: 'batch', value: [CALL, CALL, CALL] }, 'invalid'],
  [
    'an upgrade of no contract',
    { type: 'upgrade', value: { contract: NOBODY, code: NOTHING, abi_version: 1, input: NOTHING } },
    'invalid',
  ],
  [
    'a deployment of no code',
    {
      type: 'deploy',
      value: {
        vm: { type: 'wasm' },
        code: NOTHING,
        abi_version: 1,
        upgrade_policy: { type: 'immutable' },
        input: NOTHING,
        value: 0n,
      },
    },
    'invalid',
  ],
];

describe('transactions that do nothing', () => {
  let sealer: ChainWorld;
  let verifier: ChainWorld;
  before(async () => {
    sealer = await ChainWorld.open();
    verifier = await ChainWorld.open();
  });
  after(async () => {
    await sealer?.remove();
    await verifier?.remove();
  });

  /** A proposed block whose only transaction is replaced by another. */
  function withInstead(block: PendingBlock, { signed }: OpenTransaction) {
    const items = [ledger.BlockItem.encode({ type: 'transaction', value: signed })];
    return { items, header: { ...block.header, transactions_root: listRoot(sealer.crypto, items) } };
  }

  test('cost the base gas whatever their outcome', async () => {
    const sent: VerifiedTransaction[] = CHEAP.map(([, action], from) =>
      sealer.transaction({ from, gasLimit: 100_000n, action }),
    );
    sealer.submit(...sent);
    const block = await sealer.propose();
    await verified(verifier, block);
    await sealer.blockChain.commit(block.hash);
    await verifier.blockChain.commit(block.hash);
    const receipts = new Map(
      block.receipts.map((stored) => {
        const { receipt } = decodeStoredReceipt(stored);
        return [Buffer.from(receipt.tx_hash).toString('hex'), receipt] as const;
      }),
    );
    for (const [place, [name, action, outcome]] of CHEAP.entries()) {
      const receipt = receipts.get(sent[place]?.hashHex ?? '') ?? assert.fail(`${name} is not in the block`);
      assert.equal(receipt.outcome.type, outcome, name);
      assert.ok(receipt.gas_used >= intrinsicGas({ action }) + GAS.lane_open, `${name}: ${receipt.gas_used}`);
      assert.ok(intrinsicGas({ action }) >= GAS.tx_base + (action.type === 'transfer' ? 0n : GAS.run), name);
    }
  });

  test('are not included if their gas limit does not cover it', async () => {
    for (const [name, action] of CHEAP) {
      const from = 9;
      for (const gasLimit of [0n, intrinsicGas({ action }) - 1n]) {
        const good = sealer.transaction({ from, gasLimit: 100_000n, action });
        const block = await sealer.propose();
        const told = withInstead(block, sealer.transaction({ from, gasLimit, action }));
        const verdict = await verifier.blockChain.verify(encoded(told), contextOf(told));
        assert.ok(verdict.verdict === 'invalid', `${name}: ${verdict.verdict}`);
        assert.equal(verdict.rule, 'inclusion', name);
        assert.match(verdict.computed, /gas_limit_too_low/, name);
        const enough = await verifier.blockChain.verify(encoded(withInstead(block, good)), contextOf(told));
        assert.ok(enough.verdict === 'invalid' && enough.rule !== 'inclusion', `${name}: ${enough.verdict}`);
        sealer.pending.drop(block);
      }
    }
  });
});

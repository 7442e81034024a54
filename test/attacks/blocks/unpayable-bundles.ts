// Bundles with an unpayable member behind one that runs code: refused on submission, and harmless if an
// older node has journaled them.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { transactionFromEncoded } from '../../../src/ledger/transaction-envelope.js';
import { type BundleEnvelope, bundleOf } from '../../../src/mempool/bundles/bundle.js';
import { bundleRecord } from '../../../src/mempool/journal/journal-record.js';
import type { Transaction } from '../../outside/ledger-shapes.js';
import { RpcFailure } from '../../outside/rpc.js';
import { devAllocation, drained, nodeStatus, submitEvery } from '../../outside/traffic.js';
import {
  devWallet,
  type SentTransaction,
  signTransaction,
  type TransactionFields,
  transfer,
} from '../../outside/wallet.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';

const MOST = 2n ** 128n - 1n;
const GAS_LIMIT = 200_000n;
const PLACE = new Uint8Array(20).fill(0x66);

const BATCH: Transaction['action'] = { type: 'batch', value: [] };
const CALL: Transaction['action'] = {
  type: 'call',
  value: { contract: PLACE, input: Uint8Array.of(1, 2, 3, 4), value: 0n },
};
const DEPLOY: Transaction['action'] = {
  type: 'deploy',
  value: {
    vm: { type: 'wasm', value: null },
    code: new Uint8Array(64).fill(7),
    abi_version: 1,
    idl: undefined,
    upgrade_policy: { type: 'immutable', value: null },
    input: new Uint8Array(0),
    value: 0n,
  },
};
/** All are sent in this lane. */
const LANE = 70;
const EXCESS = { maxFee: MOST, priorityFee: MOST };

export function unpayableBundles(attacked: AttackedNode, afterRestart?: AfterRestart): void {
  let chainId: bigint;
  let supply: bigint;

  before(async () => {
    ({ chain_id: chainId } = await nodeStatus(attacked.rpc));
    supply = (await devAllocation(attacked.rpc)).reduce((sum, [, balance]) => sum + balance, 0n);
  });

  function signed(
    from: number,
    action: Transaction['action'],
    fields: Partial<TransactionFields> = {},
  ): SentTransaction {
    return signTransaction(devWallet(from), {
      chainId,
      lane: LANE,
      nonce: 0n,
      gasLimit: GAS_LIMIT,
      action,
      ...fields,
    });
  }

  /** Bundles that each contain a member costing more than the total supply. */
  function unpayable(): (readonly SentTransaction[])[] {
    const harmless = [BATCH, CALL, DEPLOY];
    const excessive = [BATCH, CALL, DEPLOY, transfer(PLACE, 1n)].map((action) => signed(1, action, EXCESS));
    return [
      ...harmless.flatMap((action) => excessive.map((member) => [signed(0, action), member])),
      [signed(0, CALL), signed(1, transfer(PLACE, MOST))],
      [signed(0, BATCH), signed(1, { ...CALL, value: { ...CALL.value, value: MOST } } as typeof CALL)],
      [signed(0, CALL), signed(1, BATCH, { maxFee: supply / GAS_LIMIT + 1n })],
      [signed(0, BATCH), signed(2, transfer(PLACE, 1n)), signed(0, BATCH, { ...EXCESS, nonce: 1n })],
      [signed(0, BATCH, EXCESS)],
    ];
  }

  function submit(members: readonly SentTransaction[]): Promise<unknown> {
    return attacked.rpc.call('tx_submit_bundle', { transactions: members.map(({ encoded }) => encoded) });
  }

  async function assertRefused(attempt: Promise<unknown>): Promise<void> {
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof RpcFailure);
      assert.match(JSON.stringify(error), /insufficient_balance/);
      return true;
    });
  }

  test('refuses them and the same transactions sent alone', async () => {
    for (const members of unpayable()) await assertRefused(submit(members));
    for (const action of [BATCH, CALL, DEPLOY, transfer(PLACE, 1n)]) {
      const { encoded } = signed(1, action, EXCESS);
      await assertRefused(attacked.rpc.call('tx_submit', { encoded }));
    }
    await attacked.assertSound();
  });

  test('stays up when a member could only be paid by all accounts together', async () => {
    const most = supply / GAS_LIMIT;
    for (let from = 2; from < 8; from++) {
      await submit([signed(from, CALL), signed(from + 1, BATCH, { maxFee: most, priorityFee: most })]);
      await submit([signed(from, BATCH), signed(from + 1, CALL, { maxFee: most, priorityFee: most })]);
    }
    await attacked.sealed(3);
    await attacked.assertSound();
  });

  test('starts from a journal that contains them, and stays up', async () => {
    const crypto = await loadCrypto('auto');
    const bundles: BundleEnvelope[] = unpayable().map((members) => {
      const transactions = members.map(({ encoded }) =>
        transactionFromEncoded(Buffer.from(encoded.slice(2), 'hex'), crypto),
      );
      return bundleOf(transactions, undefined, crypto);
    });
    const journal = join(attacked.dataDir, 'mempool.journal');
    await attacked.restart('stop', {
      between: () => {
        for (const bundle of bundles) appendFileSync(journal, bundleRecord(bundle));
      },
    });
    await attacked.assertSound();
    // The bundles leave with the nonces of their members.
    await submitEvery(
      attacked.rpc,
      Array.from({ length: 9 }, (_, from) => signed(from, transfer(PLACE, 1n))),
    );
    await drained(attacked.rpc);
  });

  afterRestart?.(() => {
    test('blocks continue', async () => {
      await attacked.sealed(3);
      await attacked.assertSound();
    });
  });
}

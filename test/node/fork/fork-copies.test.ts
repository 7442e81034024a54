import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { AccountRecord, DevChange } from '../../../src/generated/ledger.js';
import { EMPTY_ACCOUNT } from '../../../src/ledger/accounts.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { genesisHeader } from '../../../src/ledger/genesis.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { ForkCopies } from '../../../src/node/fork/fork-copies.js';
import type { StoreReader } from '../../../src/storage/store.js';

const ZERO = new Uint8Array(32);
const ROOTS = { state_root: ZERO, transactions_root: ZERO, receipts_root: ZERO, history_root: ZERO };

describe('the copies of a fork', () => {
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('off', () => undefined);
  });

  const address = (byte: number) => new Uint8Array(20).fill(byte);

  /** Copies over an empty store; names given to `missed` are reported once. */
  function copying(record: AccountRecord, code = new Uint8Array(0)) {
    const missed: Uint8Array[] = [];
    const store: StoreReader = {
      base: { value: () => ledger.AccountRecord.encode(record), blob: () => code },
      get: () => undefined,
      getMany: (_column, keys) => keys.map(() => undefined),
      scan: () => [].values(),
      close: async () => undefined,
    };
    let hidden: readonly Uint8Array[] = [];
    const thread = {
      hide: async (names: readonly Uint8Array[]) => {
        hidden = names;
      },
      missed: async () => missed.splice(0),
    };
    const copies = new ForkCopies({
      crypto,
      store,
      thread,
      signatures: { verify: async (transaction) => transaction as VerifiedTransaction },
      accounts: { account: () => EMPTY_ACCOUNT },
      funded: new Map(),
    });
    const header = genesisHeader(crypto, devGenesis(crypto), ROOTS);
    return { copies, missed, prepare: () => copies.prepare({ header, branch: [] }), hidden: () => hidden };
  }

  function changesOf({ signed }: VerifiedTransaction): readonly DevChange[] {
    const { action } = signed.transaction;
    assert.ok(action.type === 'call');
    return ledger.DevChanges.decode(action.value.input).changes;
  }

  const PLAIN: AccountRecord = { balance: 9n, lanes: [{ lane: 0, next_nonce: 3n }], deploy_index: 1n };

  test('include what was missed before the proposal, as by a prediction', async () => {
    const { missed, prepare, copies, hidden } = copying(PLAIN);
    missed.push(address(1));
    const { transactions } = await prepare();
    assert.deepEqual(
      transactions.flatMap(changesOf).map(({ type, value }) => [type, value]),
      [['forked_account', { address: address(1), account: PLAIN }]],
    );
    assert.deepEqual(hidden(), [address(1)]);
    assert.equal(await copies.hasMissed(), false);
  });

  test('are prepared again with what the proposal lacked', async () => {
    const { missed, prepare, copies } = copying(PLAIN);
    assert.deepEqual((await prepare()).transactions, []);
    missed.push(address(1), address(2));
    assert.equal(await copies.hasMissed(), true);
    assert.equal((await prepare()).transactions.flatMap(changesOf).length, 2);
    assert.equal(await copies.hasMissed(), false);
  });

  test('are divided by the size of their code, whose gas must fit a block', async () => {
    const code = new Uint8Array(100 * 1_024);
    const contract = {
      vm: { type: 'wasm' },
      code_hash: crypto.sha256(code),
      code_size: code.length,
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: address(9),
      deployed_at: 1n,
    } as const;
    const { missed, prepare } = copying({ ...PLAIN, contract }, code);
    missed.push(address(1), address(2));
    const { transactions, isPartial } = await prepare();
    assert.equal(isPartial, true);
    assert.equal(transactions.flatMap(changesOf).length, 1);
  });
});

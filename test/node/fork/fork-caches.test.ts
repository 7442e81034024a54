import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { atomicGroupsOf } from '../../../src/execution/atomic-groups.js';
import { BlockExecution, type ExecutedBlock } from '../../../src/execution/block-execution.js';
import { branchState } from '../../../src/execution/branch-state.js';
import type { ContractMachine } from '../../../src/execution/contract-machine.js';
import { PendingBlockState } from '../../../src/execution/pending-writes.js';
import { CommittedState, type StateSource } from '../../../src/execution/state-source.js';
import { ChangeTable } from '../../../src/execution/views/change-table.js';
import { StateCache } from '../../../src/execution/views/state-cache.js';
import type { AccountRecord, DevChange } from '../../../src/generated/ledger.js';
import { AccountCache } from '../../../src/ledger/account-cache.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { ContractInterfaces } from '../../../src/ledger/contract-interfaces.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { nextBaseFee } from '../../../src/ledger/fees.js';
import { slotNameBytes } from '../../../src/ledger/forked-state.js';
import { genesisHeader } from '../../../src/ledger/genesis.js';
import { type AddressHex, addressHex } from '../../../src/ledger/hex-types.js';
import { appendStateNames } from '../../../src/ledger/state-names.js';
import { decodeStoredReceipt } from '../../../src/ledger/stored-receipt.js';
import type { TransactionEnvelope } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import { controlTransaction } from '../../../src/node/dev/control-transaction.js';
import { restoringChanges } from '../../../src/node/dev/state-changes.js';
import { ForkCopies } from '../../../src/node/fork/fork-copies.js';
import type { Purpose, StateBase } from '../../../src/storage/fork-base/state-base.js';
import { latin1 } from '../../../src/storage/latin1.js';
import { appendStateChanges, valueOfRaw } from '../../../src/storage/state.js';
import type { Store, StoreReader } from '../../../src/storage/store.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { temporaryStore } from '../../storage/stores.js';
import { balanceReader, pointerChaser, relay } from '../../support/contracts/interacting-contracts.js';
import { asVerified } from '../../support/crypto/as-verified.js';
import { sweep } from '../../support/sweep.js';
import { blockMachine, hexOf, numbered } from '../../support/worlds/block-world.js';

const ZERO = new Uint8Array(32);
const ROOTS = { state_root: ZERO, transactions_root: ZERO, receipts_root: ZERO, history_root: ZERO };
/** The forked chain has the first three, and the first two are contracts there. */
const ADDRESSES = Array.from({ length: 5 }, (_, number) => numbered(number));
const FORKED = 3;
const CONTRACTS = ADDRESSES.slice(0, 2);
const SLOTS = Array.from({ length: 4 }, (_, number) => Buffer.alloc(32, number));
const CODES = [pointerChaser(), balanceReader(), relay()];
const IDLS = ['contract First { view get() -> u32; }', 'contract Second { view get() -> u32; }'];
const ROUNDS = 12;
const CHAINS = sweep(3);

/** What a reader must see at a height: the texts of accounts and slots, by name. */
type Model = ReadonlyMap<string, string>;

/** The state of the forked chain, as the thread that reads it gives it to others. */
class FakeBase implements StateBase {
  readonly values = new Map<string, Uint8Array>();
  readonly blobs = new Map<string, Uint8Array>();
  #hidden: ReadonlySet<string> = new Set();
  #missed: Uint8Array[] = [];

  value(name: Uint8Array, purpose: Purpose): Uint8Array | undefined {
    if (purpose === 'show') return this.values.get(latin1(name));
    if (this.#hidden.has(latin1(name))) return undefined;
    const value = this.values.get(latin1(name));
    if (value !== undefined) this.#missed.push(Uint8Array.from(name));
    return value;
  }

  blob(hash: Uint8Array): Uint8Array | undefined {
    return this.blobs.get(latin1(hash));
  }

  async hide(names: readonly Uint8Array[]): Promise<void> {
    this.#hidden = new Set(names.map(latin1));
  }

  async missed(): Promise<readonly Uint8Array[]> {
    return this.#missed.splice(0);
  }
}

/** A fork that executes random controls and commits them as a node does, with the caches of its threads. */
class Fork {
  readonly #crypto: Crypto;
  readonly #machine: ContractMachine;
  readonly #random: () => number;
  readonly #store: Store;
  readonly #reader: StoreReader;
  readonly #base = new FakeBase();
  readonly #copies: ForkCopies;
  readonly #header;
  readonly #changes = ChangeTable.create(0);
  readonly #accounts: AccountCache;
  readonly #caches: readonly StateCache[];
  readonly #interfaces: ContractInterfaces;
  /** By height; the last ones are those of pending blocks. */
  readonly #models: Model[];
  #tip = 0;
  #controls = 0n;

  constructor(crypto: Crypto, machine: ContractMachine, store: Store, random: () => number) {
    this.#crypto = crypto;
    this.#machine = machine;
    this.#store = store;
    this.#random = random;
    this.#reader = {
      base: this.#base,
      get: (column, key) => store.get(column, key),
      getMany: (column, keys) => store.getMany(column, keys),
      scan: (column, range) => store.scan(column, range),
      close: () => store.close(),
    };
    this.#header = genesisHeader(crypto, devGenesis(crypto), ROOTS);
    this.#models = [this.#forkedState()];
    const parts = { store: this.#reader, crypto, changes: this.#changes };
    this.#accounts = new AccountCache(this.#reader, crypto, 1_000);
    this.#caches = [new StateCache(parts), new StateCache({ ...parts, accounts: 3, slots: 3 })];
    this.#interfaces = new ContractInterfaces(this.#reader, crypto);
    this.#copies = new ForkCopies({
      ...this.#signing,
      store: this.#reader,
      thread: this.#base,
      accounts: this.#accounts,
      funded: new Map(),
    });
  }

  /** Commits one to three blocks, and lets the caches read in between. */
  async round(): Promise<void> {
    this.#read();
    const pending: { readonly block: ExecutedBlock; readonly state: PendingBlockState }[] = [];
    const count = this.#random() < 0.6 ? 1 : 1 + this.#below(3);
    for (let number = 0; number < count; number++) {
      // A revert knows committed blocks only.
      const to = number === 0 && this.#random() < 0.3 ? this.#below(this.#tip + 1) : undefined;
      const changes = to === undefined ? this.#drawn() : this.#restoring(to);
      const states = pending.map(({ state }) => state);
      const block = await this.#executed(states, changes);
      pending.push({ block, state: new PendingBlockState(BigInt(this.#tip + pending.length + 1), block) });
      const before = this.#models.at(-1) ?? assert.fail();
      this.#models.push((to === undefined ? undefined : this.#models[to]) ?? this.#after(before, changes));
    }
    for (const { block } of pending) {
      await this.#commit(block);
      this.#read();
    }
  }

  /** The changes of a control, at most one for each part of an account. */
  #drawn(): readonly DevChange[] {
    return Array.from({ length: 1 + this.#below(5) }, () => this.#change());
  }

  #change(): DevChange {
    const address = pick(ADDRESSES, this.#random);
    switch (this.#below(5)) {
      case 0:
        return {
          type: 'balance',
          value: { address, amount: this.#random() < 0.5 ? 0n : BigInt(this.#below(100)) },
        };
      case 1:
        return { type: 'deploy_index', value: { address, deploy_index: BigInt(this.#below(2)) } };
      case 2:
        return { type: 'no_contract', value: address };
      case 3: {
        const idl = pick([undefined, ...IDLS], this.#random);
        const given = {
          vm: { type: 'wasm' },
          code: pick(CODES, this.#random),
          ...(idl === undefined ? {} : { idl }),
        } as const;
        return { type: 'contract', value: { address, ...given, ...FIXED } };
      }
      default: {
        const value = this.#random() < 0.5 ? {} : { value: Uint8Array.of(this.#below(200)) };
        const slots = [{ slot: pick(SLOTS, this.#random), ...value }];
        return { type: 'slots', value: { contract: pick(CONTRACTS, this.#random), slots } };
      }
    }
  }

  #restoring(to: number): readonly DevChange[] {
    return restoringChanges(this.#reader, this.#crypto, { to: BigInt(to), from: BigInt(this.#tip) });
  }

  /** Executes a control, preceded by the copies of what it reads, until nothing is missing. */
  async #executed(
    branch: readonly PendingBlockState[],
    changes: readonly DevChange[],
  ): Promise<ExecutedBlock> {
    const writes = branch.map((state) => state.writes);
    for (;;) {
      const { transactions } = await this.#copies.prepare({ header: this.#header, branch });
      const control = await controlTransaction(this.#signing, this.#header, {
        changes,
        gasLimit: this.#header.gas_limit / 2n,
        lane: 0,
        nonce: this.#controls,
      });
      const source = branchState(new CommittedState(this.#reader, this.#crypto), this.#crypto, writes);
      const env = this.#environment(this.#tip + branch.length + 1);
      const execution = new BlockExecution(env, source, this.#machine);
      const candidates = { transactions: [...transactions, control], bundles: [] };
      for (const group of atomicGroupsOf(candidates)) execution.add(group);
      const block = execution.finish();
      if (await this.#copies.hasMissed()) continue;
      this.#controls++;
      assert.equal(block.storedReceipts.length, candidates.transactions.length);
      for (const stored of block.storedReceipts) {
        const { receipt, details } = decodeStoredReceipt(stored);
        assert.equal(receipt.outcome.type, 'success', details.message);
      }
      return block;
    }
  }

  async #commit({ writes, codes, idls }: ExecutedBlock): Promise<void> {
    const height = BigInt(this.#tip + 1);
    const batch = new WriteBatch();
    appendStateChanges(batch, height, writes);
    appendStateNames(batch, writes);
    for (const { hash, bytes } of codes) batch.put('code', hash, bytes);
    for (const { hash, bytes } of idls) batch.put('idl', hash, bytes);
    await this.#store.write(batch, { sync: false });
    // Readers may come between the write and the announcement of the block. Accounts of the main thread are then a mix.
    for (const address of ADDRESSES) this.#accounts.account(addressHex(address));
    this.#readOthers();
    this.#tip++;
    for (const { key } of writes) this.#changes.mark(key, this.#tip);
    const accounts = writes.flatMap(({ account, key, value }) =>
      account === undefined ? [] : [{ ...account, address: account.address as AddressHex, key, value }],
    );
    this.#accounts.commit(height, accounts);
  }

  /** Compares what each cache answers with the model: at the tip, and at a height below. */
  #read(): void {
    for (const address of ADDRESSES) {
      if (this.#random() < 0.4) continue;
      this.#expect(this.#accounts.account(addressHex(address)), { address, height: this.#tip });
    }
    this.#readOthers();
  }

  #readOthers(): void {
    for (const height of [this.#tip, this.#below(this.#tip + 1)]) {
      for (const cache of this.#caches) this.#compare(cache.at(BigInt(height)), height);
      for (const address of ADDRESSES) {
        if (this.#random() < 0.4) continue;
        const fresh = new ContractInterfaces(this.#reader, this.#crypto);
        const [kept, read] = [this.#interfaces, fresh].map((of) => of.at(address, BigInt(height))?.name);
        assert.equal(kept, read, `the interface of ${hexOf(address)} at ${height}`);
      }
    }
  }

  #compare(state: StateSource, height: number): void {
    const model = this.#models[height] ?? assert.fail();
    for (const address of ADDRESSES) {
      if (this.#random() < 0.4) continue;
      this.#expect(state.account(addressHex(address)).record, { address, height });
    }
    for (const contract of CONTRACTS) {
      for (const slot of SLOTS) {
        if (this.#random() < 0.4) continue;
        const { raw } = state.slot(contract, slot);
        const name = latin1(slotNameBytes(contract, slot));
        assert.equal(raw && hexOf(valueOfRaw(raw)), model.get(name), `slot ${hexOf(slot)} at ${height}`);
      }
    }
  }

  #expect(
    record: AccountRecord,
    { address, height }: { readonly address: Uint8Array; readonly height: number },
  ): void {
    const { balance, deploy_index, contract } = record;
    const expected = this.#models[height]?.get(latin1(address)) ?? EMPTY;
    const shown = text({ balance, deploy_index, code: contract && hexOf(contract.code_hash) });
    assert.equal(shown, expected, `account ${hexOf(address)} at ${height}, tip ${this.#tip}`);
  }

  /** Fills the forked chain. */
  #forkedState(): Model {
    const model = new Map<string, string>();
    for (const [number, address] of ADDRESSES.slice(0, FORKED).entries()) {
      const code = pick(CODES, this.#random);
      const hash = this.#crypto.sha256(code);
      const contract = { vm: { type: 'wasm' }, code_hash: hash, code_size: code.length, ...FIXED } as const;
      const isContract = number < CONTRACTS.length;
      const account = {
        balance: BigInt(number * 50),
        lanes: [],
        deploy_index: 0n,
        ...(isContract ? { contract } : {}),
      };
      this.#base.blobs.set(latin1(hash), code);
      this.#base.values.set(latin1(address), ledger.AccountRecord.encode(account));
      model.set(latin1(address), text({ ...account, code: isContract ? hexOf(hash) : undefined }));
    }
    for (const contract of CONTRACTS) {
      for (const slot of SLOTS.slice(1)) {
        const name = latin1(slotNameBytes(contract, slot));
        const value = Uint8Array.of(this.#below(200));
        this.#base.values.set(name, value);
        model.set(name, hexOf(value));
      }
    }
    return model;
  }

  #after(model: Model, changes: readonly DevChange[]): Model {
    const next = new Map(model);
    const change = (address: Uint8Array, parts: Partial<AccountParts>) => {
      const before = JSON.parse(next.get(latin1(address)) ?? EMPTY);
      next.set(latin1(address), text({ ...before, ...parts }));
    };
    for (const { type, value } of changes) {
      if (type === 'balance') change(value.address, { balance: value.amount });
      else if (type === 'deploy_index') change(value.address, { deploy_index: value.deploy_index });
      else if (type === 'no_contract') change(value, { code: undefined });
      else if (type === 'contract') change(value.address, { code: hexOf(this.#crypto.sha256(value.code)) });
      else if (type === 'slots') {
        for (const { slot, value: written } of value.slots) {
          const name = latin1(slotNameBytes(value.contract, slot));
          if (written === undefined) next.delete(name);
          else next.set(name, hexOf(written));
        }
      }
    }
    return next;
  }

  #environment(height: number) {
    const { chain_id: chainId, gas_limit: gasLimit, timestamp_ms: timestampMs } = this.#header;
    const fees = { baseFee: nextBaseFee(this.#header), slotPrice: 1n };
    return {
      chainId,
      height: BigInt(height),
      timestampMs,
      gasLimit,
      ...fees,
      proposer: hexOf(numbered(99)),
      isDevelopment: true,
    };
  }

  get #signing() {
    return {
      crypto: this.#crypto,
      signatures: { verify: async (one: TransactionEnvelope) => asVerified(one) },
    };
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

interface AccountParts {
  readonly balance: bigint | string;
  readonly deploy_index: bigint | string;
  /** sha256 in hex digits. */
  readonly code: string | undefined;
}

function text({ balance, deploy_index, code }: AccountParts): string {
  return JSON.stringify({ balance: `${balance}`, deploy_index: `${deploy_index}`, code });
}

const EMPTY = text({ balance: 0n, deploy_index: 0n, code: undefined });
const FIXED = {
  abi_version: 1,
  upgrade_policy: { type: 'immutable' },
  deployer: numbered(0),
  deployed_at: 1n,
} as const;

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

describe('the caches of a fork', () => {
  let crypto: Crypto;
  let machine: ContractMachine;
  before(async () => {
    crypto = await loadCrypto('auto');
    machine = await blockMachine(crypto);
  });

  test(`show the state of every height, whatever they have read before: ${CHAINS} chains`, async (t) => {
    for (let seed = 0; seed < CHAINS; seed++) {
      const fork = new Fork(crypto, machine, await temporaryStore(t, 'off'), seededRandom(seed));
      for (let round = 0; round < ROUNDS; round++) await fork.round();
    }
  });
});

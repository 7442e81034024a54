import { createHash, randomBytes } from 'node:crypto';
import type { NativeMode } from '../../src/config/native-mode.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { BlockEnvironment } from '../../src/execution/block-environment.js';
import { ContractHost } from '../../src/execution/contract-host.js';
import { ContractMachine } from '../../src/execution/contract-machine.js';
import { CommittedState, type StateSource } from '../../src/execution/state-source.js';
import { ChangeTable } from '../../src/execution/views/change-table.js';
import { StateCache } from '../../src/execution/views/state-cache.js';
import { WorldState } from '../../src/execution/world-state.js';
import { toHex } from '../../src/idl/hex.js';
import { ledger } from '../../src/ledger/codecs.js';
import { accountKey, slotKey } from '../../src/ledger/state-keys.js';
import { openReader } from '../../src/storage/open-store.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store, StoreHandle, StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { createContractEngines } from '../../src/vm/contract-engines.js';
import type { CallOutcome } from '../../src/vm/engine.js';
import { assemble } from '../../test/support/contracts/wasm-assembler.js';
import { writePrunedHistory } from '../support/pruned-history.js';
import { FIRST_ACCOUNT, FIRST_LARGE_SLOT, LARGE_SLOT_BYTES, LARGE_SLOTS } from './host-cases.js';
import { addressOf, type PriceCase } from './price-case.js';

const FUNDS = 10n ** 30n;
const SENDER = new Uint8Array(20).fill(0xaa);

const ENVIRONMENT: BlockEnvironment = {
  chainId: 1n,
  height: 1n,
  timestampMs: 1_700_000_000_000n,
  baseFee: 1n,
  slotPrice: 2_000_000n,
  gasLimit: 10n ** 12n,
  proposer: 'ee'.repeat(20),
};

/** The result of one run of a case. */
export interface Measured {
  readonly status: CallOutcome['status'];
  readonly gas: number;
  /** CPU time of all threads of the process, which excludes waiting for other processes. */
  readonly nanoseconds: number;
}

/**
 * Writes `entries` slots of the entered contract, as many accounts, and {@link LARGE_SLOTS}, and prunes the history of as
 * many other keys.
 * @returns the last height
 */
export async function fillStore(store: Store, crypto: Crypto, entries: number): Promise<bigint> {
  const record = ledger.AccountRecord.encode({ balance: 1n, lanes: [], deploy_index: 0n });
  const contract = addressOf(0);
  const slot = new Uint8Array(32);
  for (let first = 0; first < entries; first += 10_000) {
    const batch = new WriteBatch();
    const changes = [];
    for (let index = first; index < Math.min(entries, first + 10_000); index++) {
      new DataView(slot.buffer).setUint32(0, index, true);
      changes.push({
        key: slotKey(crypto, contract, slot),
        previous: undefined,
        value: createHash('sha256').update(slot).digest(),
      });
      changes.push({
        key: accountKey(crypto, addressOf(FIRST_ACCOUNT + index)),
        previous: undefined,
        value: record,
      });
    }
    appendStateChanges(batch, 0n, changes);
    await store.write(batch, { sync: false });
  }
  await writeLargeSlots(store, crypto);
  return writePrunedHistory(store, entries, 1n);
}

async function writeLargeSlots(store: Store, crypto: Crypto): Promise<void> {
  const slot = new Uint8Array(32);
  for (let first = 0; first < LARGE_SLOTS; first += 100) {
    const changes = Array.from({ length: 100 }, (_, place) => {
      new DataView(slot.buffer).setUint32(0, FIRST_LARGE_SLOT + first + place, true);
      const key = slotKey(crypto, addressOf(0), slot);
      return { key, previous: undefined, value: new Uint8Array(randomBytes(LARGE_SLOT_BYTES)) };
    });
    const batch = new WriteBatch();
    appendStateChanges(batch, 0n, changes);
    await store.write(batch, { sync: false });
  }
}

/** Runs cases on the state of a store, as a block's worker would. */
export class PriceWorld {
  readonly crypto: Crypto;
  readonly machine: ContractMachine;
  readonly #store: StoreReader;
  readonly #tip: bigint;

  private constructor(crypto: Crypto, machine: ContractMachine, store: StoreReader, tip: bigint) {
    this.crypto = crypto;
    this.machine = machine;
    this.#store = store;
    this.#tip = tip;
  }

  /** @param tip the last height of the store */
  static async open(handle: StoreHandle, native: NativeMode, tip: bigint): Promise<PriceWorld> {
    const crypto = await loadCrypto(native);
    const machine = new ContractMachine({
      engines: createContractEngines(crypto, await loadBls(native)),
      crypto,
      prepared: () => undefined,
      committedHash: () => undefined,
    });
    return new PriceWorld(crypto, machine, openReader(handle), tip);
  }

  state(view?: PriceCase['view']): WorldState {
    return new WorldState(this.#source(view));
  }

  /** A new one each time, so that nothing is cached. */
  #source(view: PriceCase['view']): StateSource {
    if (view === undefined) return new CommittedState(this.#store, this.crypto);
    const changes = ChangeTable.create(Number(this.#tip));
    const cache = new StateCache({ store: this.#store, crypto: this.crypto, changes });
    return cache.at(view === 'latest' ? this.#tip : this.#tip - 1n);
  }

  /** Prepares the contracts of a case. Each call of the returned function is one run of it, on the stored state. */
  prepare({ contracts, frame, inputOf, view }: PriceCase): (gas: bigint) => Measured {
    const codes = contracts.map((source) => {
      const bytes = source instanceof Uint8Array ? source : assemble(source);
      return { hash: this.crypto.sha256(bytes), bytes };
    });
    let runs = 0;
    return (gas) => {
      const state = this.state(view);
      for (const [index, code] of codes.entries()) {
        state.addCode(code);
        state.writeContract(toHex(addressOf(index)), {
          vm: { type: 'wasm' },
          code_hash: code.hash,
          code_size: code.bytes.length,
          abi_version: 1,
          upgrade_policy: { type: 'immutable' },
          deployer: SENDER,
          deployed_at: 0n,
        });
      }
      state.addBalance(toHex(addressOf(0)), FUNDS);
      const host = new ContractHost({ state, env: ENVIRONMENT, machine: this.machine });
      const start = process.cpuUsage();
      const outcome = host.enter({
        purpose: 'call',
        contract: addressOf(0),
        caller: SENDER,
        origin: SENDER,
        value: 0n,
        input: inputOf?.(runs++) ?? new Uint8Array(64 * 1024),
        gas,
        isView: false,
        depth: 0,
        ...frame,
      });
      const { user, system } = process.cpuUsage(start);
      const nanoseconds = 1_000 * (user + system);
      return { status: outcome.status, gas: Number(outcome.gasUsed), nanoseconds };
    };
  }
}

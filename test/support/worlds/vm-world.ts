import { createHash } from 'node:crypto';
import type {
  BlockFacts,
  CallObserver,
  CallOutcome,
  Frame,
  HostState,
  Program,
} from '../../../src/vm/engine.js';
import type { HostCrypto } from '../../../src/vm/host-crypto.js';
import { type EngineLimits, LIMITS } from '../../../src/vm/wasm/engine-limits.js';
import { WasmEngine } from '../../../src/vm/wasm/wasm-engine.js';
import { hex } from '../hex.js';

/** Limits for the main thread of a test, whose stack is smaller than a worker's: 64 calls of small frames. */
export const WORLD_LIMITS: EngineLimits = { ...LIMITS, stackBytes: 640 * 1024 };

export interface WorldLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface WorldState {
  readonly storage: Map<string, Uint8Array>;
  readonly balances: Map<string, bigint>;
  readonly logs: WorldLog[];
}

export const PLENTY = 100_000_000n;

/** An address of 20 equal bytes. */
export function address(byte: number): Uint8Array {
  return new Uint8Array(20).fill(byte);
}

/** Contracts, storage and balances in memory, and an engine that runs them. */
export class VmWorld implements HostState {
  readonly engine: WasmEngine;
  readonly block: BlockFacts = { height: 7n, timestampMs: 1_700_000_000_000n, chainId: 1337n };
  observer: CallObserver | undefined;
  readonly #programs = new Map<string, Program>();
  #state: WorldState = { storage: new Map(), balances: new Map(), logs: [] };

  constructor(crypto: HostCrypto, limits: EngineLimits = WORLD_LIMITS) {
    this.engine = new WasmEngine({ crypto, limits });
  }

  get logs(): readonly WorldLog[] {
    return this.#state.logs;
  }

  /** Puts a contract at an address. */
  deploy(at: Uint8Array, code: Uint8Array, variant: 'plain' | 'observed' = 'plain'): Program {
    const codeHash = createHash('sha256').update(code).digest();
    const program = this.engine.load(codeHash, this.engine.validate(code).prepare(variant), variant);
    this.#programs.set(hex(at), program);
    return program;
  }

  setBalance(of: Uint8Array, amount: bigint): void {
    this.#state.balances.set(hex(of), amount);
  }

  /** The value of a slot as hex, or undefined. */
  slot(contract: Uint8Array, slot: Uint8Array): string | undefined {
    const value = this.readStorage(contract, slot);
    return value === undefined ? undefined : hex(value);
  }

  /** Calls a contract as a transaction would, undoing changes unless it succeeds. */
  run(contract: Uint8Array, frame: Partial<Frame> = {}): CallOutcome {
    const outcome = this.call({
      purpose: 'call',
      contract,
      caller: address(0xca),
      origin: address(0x0a),
      value: 0n,
      input: new Uint8Array(0),
      gas: PLENTY,
      isView: false,
      depth: 0,
      ...frame,
    });
    if (outcome === undefined) {
      throw new Error('the call was refused');
    }
    return outcome;
  }

  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#state.storage.get(`${hex(contract)}/${hex(slot)}`);
  }

  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.#state.storage.set(`${hex(contract)}/${hex(slot)}`, value);
    return before;
  }

  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.#state.storage.delete(`${hex(contract)}/${hex(slot)}`);
    return before;
  }

  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.readStorage(contract, slot)?.length;
  }

  balance(of: Uint8Array): bigint {
    return this.#state.balances.get(hex(of)) ?? 0n;
  }

  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean {
    if (this.balance(from) < amount) {
      return false;
    }
    this.setBalance(from, this.balance(from) - amount);
    this.setBalance(to, this.balance(to) + amount);
    return true;
  }

  call(frame: Frame): CallOutcome | undefined {
    const program = this.#programs.get(hex(frame.contract));
    const { storage, balances, logs } = this.#state;
    const before = { storage: new Map(storage), balances: new Map(balances), logs: [...logs] };
    if (program === undefined || !this.transfer(frame.caller, frame.contract, frame.value)) {
      return undefined;
    }
    const outcome = this.engine.call(program, frame, this, this.observer);
    if (outcome.status !== 'success') {
      this.#state = before;
    }
    return outcome;
  }

  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean {
    this.#state.logs.push({ contract: hex(contract), topics: topics.map(hex), data: hex(data) });
    return true;
  }

  holdOutput(): boolean {
    return true;
  }
}

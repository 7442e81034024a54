import { LRUCache } from 'lru-cache';
import type { ContractRecord } from '../../generated/ledger.js';
import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { EngineError } from '../../vm/errors.js';
import type { ContractMachine } from '../contract-machine.js';
import { WorldState } from '../world-state.js';
import type { BatchHead } from './batched-calls.js';
import { decodeParams } from './call-params.js';
import type { StateCache } from './state-cache.js';
import type { StateInterfaces } from './state-interfaces.js';
import type { ViewRunner } from './view-runner.js';

/**
 * Gas limit of an inline call: enough for the transfer of a token, whose gas mostly pays for storage that a view does not
 * write. Compiled code takes at most 4 nanoseconds per gas, usually one.
 */
export const INLINE_GAS = 100_000;
/** Minimum number of calls before a contract is prepared in this thread. */
const MIN_CALLS = 16;
/** Minimum interval between preparing two contracts, in milliseconds: each takes a while. */
const WARM_UP_EVERY_MS = 1_000;
/** Maximum size in bytes: larger code or interfaces take too long to prepare in a thread that serves requests. */
const MAX_CODE_BYTES = 96 * 1024;
const MAX_IDL_BYTES = 16 * 1024;
/** Time before a method whose call was expensive is tried again, in milliseconds. */
const EXPENSIVE_MS = 10_000;
const MAX_CONTRACTS = 1_024;
const MAX_EXPENSIVE = 4_096;
/** The part of the input that distinguishes methods. */
const SELECTOR_BYTES = 4;

interface Callee {
  calls: number;
  ready: ContractRecord | undefined;
}

export interface InlineViewsParts {
  readonly runner: ViewRunner;
  readonly machine: ContractMachine;
  readonly interfaces: StateInterfaces;
  readonly cache: StateCache;
  /** Returns the length of a text in column `idl`, or undefined if there is none. */
  readonly idlBytes: (hash: Uint8Array) => number | undefined;
  /** Called after each inline call: true if it produced the result. */
  readonly onRun: (isAnswered: boolean) => void;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Runs cheap view calls in a thread that serves requests, because sending them to a worker costs more than running
 * them. Gas is exact, so an expensive call ends at a known point and then goes to a worker with its full limit. A
 * call whose result might depend on its gas limit goes to a worker too.
 */
export class InlineViews {
  readonly #parts: InlineViewsParts;
  readonly #callees = new LRUCache<string, Callee>({ max: MAX_CONTRACTS });
  /** Time until which methods are not tried, by contract and selector or name. */
  readonly #tooExpensive = new LRUCache<string, number>({ max: MAX_EXPENSIVE });
  #warmedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: InlineViewsParts) {
    this.#parts = parts;
  }

  /**
   * @param params the method's parameters as parsed JSON
   * @returns the JSON of the ViewCallResult, or undefined if the call needs a worker
   * @throws CallError, JsonDecodeError
   */
  answer(params: unknown, head: BatchHead): string | undefined {
    if (!isPlain(params)) return undefined;
    const args = decodeParams('view_call', params);
    if (args.at !== undefined && args.at.type !== 'latest') return undefined;
    const contract = toHex(args.contract);
    if (!this.#isWarm(contract, head)) return undefined;
    const method = `${contract}${args.method ?? toHex(args.input?.subarray(0, SELECTOR_BYTES) ?? args.contract)}`;
    if ((this.#tooExpensive.get(method) ?? 0) > this.#parts.now()) return undefined;
    const result = this.#run(args, head);
    this.#parts.onRun(result !== undefined);
    if (result === undefined) this.#tooExpensive.set(method, this.#parts.now() + EXPENSIVE_MS);
    return result;
  }

  #run(args: ViewCallArgs, head: BatchHead): string | undefined {
    try {
      return this.#parts.runner.answerWithin(INLINE_GAS, args, head);
    } catch (error) {
      // A worker may have more memory or instances left.
      if (error instanceof EngineError && error.code === 'host_memory_exhausted') return undefined;
      throw error;
    }
  }

  #isWarm(contract: string, { tipHeight }: BatchHead): boolean {
    let callee = this.#callees.get(contract);
    if (callee === undefined) {
      callee = { calls: 0, ready: undefined };
      this.#callees.set(contract, callee);
    }
    callee.calls++;
    if (callee.calls < MIN_CALLS) return false;
    const { machine, cache } = this.#parts;
    const source = cache.at(BigInt(tipHeight));
    const { contract: record } = source.account(contract).record;
    if (record === undefined) return false;
    // The contract's code may have been evicted meanwhile.
    const isLoaded = machine.engines.of(record.vm.type).find(record.code_hash) !== undefined;
    if (!isLoaded || !isSame(record, callee.ready)) {
      if (!this.#warmUp(record, new WorldState(source))) return false;
    }
    callee.ready = record;
    return true;
  }

  #warmUp(record: ContractRecord, state: WorldState): boolean {
    const { machine, interfaces, idlBytes, now } = this.#parts;
    if (record.code_size > MAX_CODE_BYTES) return false;
    if (record.idl_hash !== undefined && (idlBytes(record.idl_hash) ?? 0) > MAX_IDL_BYTES) return false;
    const at = now();
    if (at - this.#warmedAt < WARM_UP_EVERY_MS) return false;
    this.#warmedAt = at;
    machine.load(machine.engines.of(record.vm.type), record.code_hash, state);
    interfaces.stored(record);
    return true;
  }
}

/** Returns true if no parameter may be long or change the called code; checked before decoding. */
function isPlain(params: unknown): boolean {
  if (typeof params !== 'object' || params === null || !('contract' in params)) return false;
  return !('overrides' in params || 'block_override' in params || 'idl' in params);
}

/** Returns true if two records have the same code and interface. */
function isSame(record: ContractRecord, other: ContractRecord | undefined): boolean {
  if (other === undefined || record === other) return other !== undefined;
  return toHex(record.code_hash) === toHex(other.code_hash) && idlOf(record) === idlOf(other);
}

function idlOf({ idl_hash: hash }: ContractRecord): string | undefined {
  return hash === undefined ? undefined : toHex(hash);
}

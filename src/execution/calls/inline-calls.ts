import { LRUCache } from 'lru-cache';
import { AnswerTooLongError, checkedAnswer } from '../../base/answer-limit.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { ContractRecord } from '../../generated/ledger.js';
import type { CallArgs, NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { EngineError } from '../../vm/errors.js';
import { BalanceOverflowError } from '../balance-overflow-error.js';
import type { ContractMachine } from '../contract-machine.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import { decodeParams } from '../views/call-params.js';
import type { StateCache } from '../views/state-cache.js';
import type { StateInterfaces } from '../views/state-interfaces.js';
import { WorldState } from '../world-state.js';

/**
 * Gas limit of an inline call: enough for the transfer of a token, whose gas mostly pays for storage that a call does not
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
const NO_BYTES = new Uint8Array(0);

interface Callee {
  calls: number;
  ready: ContractRecord | undefined;
}

/** The methods whose calls may run inline. */
export type InlineKind = Extract<CallKind, 'view_call' | 'tx_simulate' | 'chain_traceCall'>;

/** Runs a call on the latest state; undefined if it needs more gas, or might depend on its gas limit. */
type RunWithin<K extends InlineKind> = (
  maxGas: number,
  args: NodeRpcV1Methods[K]['params'],
  head: BatchHead,
) => string | undefined;

export interface InlineCallsParts {
  readonly runners: { readonly [K in InlineKind]: RunWithin<K> };
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
 * Runs cheap calls in a thread that serves requests, because sending them to a worker costs more than running them: view
 * calls, their call trees, and simulations of unsigned transfers and calls. Gas is exact, so an expensive call ends at a
 * known point and then goes to a worker with its full limit. A call whose result might depend on its gas limit goes to
 * a worker too.
 */
export class InlineCalls {
  readonly #parts: InlineCallsParts;
  readonly #callees = new LRUCache<string, Callee>({ max: MAX_CONTRACTS });
  /** Time until which methods are not tried, by kind, contract and selector or name. */
  readonly #tooExpensive = new LRUCache<string, number>({ max: MAX_EXPENSIVE });
  #warmedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: InlineCallsParts) {
    this.#parts = parts;
  }

  /**
   * @returns the JSON of the method's result, or undefined if the call needs a worker
   * @throws CallError, JsonDecodeError
   */
  answer(kind: InlineKind, params: unknown, head: BatchHead): string | undefined {
    if (!isPlain(params)) return undefined;
    switch (kind) {
      case 'view_call': {
        const args = decodeParams(kind, params);
        return this.#answer(kind, args, args, head);
      }
      case 'chain_traceCall': {
        if ('tracers' in params) return undefined;
        const args = decodeParams(kind, params);
        return this.#answer(kind, args, args, head);
      }
      case 'tx_simulate': {
        if (!isPlainBuild(params)) return undefined;
        const args = decodeParams(kind, params);
        const action = args.build?.action;
        return this.#answer(kind, args, action?.type === 'call' ? action.value : undefined, head);
      }
    }
  }

  /** @param called the contract's call; absent if there is none */
  #answer<K extends InlineKind>(
    kind: K,
    args: NodeRpcV1Methods[K]['params'],
    called: Pick<CallArgs, 'contract' | 'method' | 'input'> | undefined,
    head: BatchHead,
  ): string | undefined {
    if (args.at !== undefined && args.at.type !== 'latest') return undefined;
    const contract = called === undefined ? '' : toHex(called.contract);
    if (called !== undefined && !this.#isWarm(contract, head)) return undefined;
    const { now, onRun } = this.#parts;
    const selector = called?.method ?? toHex(called?.input?.subarray(0, SELECTOR_BYTES) ?? NO_BYTES);
    const method = `${kind}${contract}${selector}`;
    if ((this.#tooExpensive.get(method) ?? 0) > now()) return undefined;
    const result = this.#run(kind, args, head);
    onRun(result !== undefined);
    if (result === undefined) this.#tooExpensive.set(method, now() + EXPENSIVE_MS);
    return result;
  }

  #run<K extends InlineKind>(
    kind: K,
    args: NodeRpcV1Methods[K]['params'],
    head: BatchHead,
  ): string | undefined {
    try {
      const result = this.#parts.runners[kind](INLINE_GAS, args, head);
      return result === undefined ? undefined : checkedAnswer(result);
    } catch (error) {
      // A worker may have more memory or instances left.
      if (error instanceof EngineError && error.code === 'host_memory_exhausted') return undefined;
      // Workers report it with its limit, or as a refusal.
      if (error instanceof AnswerTooLongError || error instanceof BalanceOverflowError) return undefined;
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
    const { machine, cache, interfaces } = this.#parts;
    const source = cache.at(BigInt(tipHeight));
    const { contract: record } = source.account(contract).record;
    if (record === undefined) return false;
    // The contract's code and interface may have been evicted meanwhile.
    const isLoaded =
      machine.engines.of(record.vm.type).find(record.code_hash) !== undefined && interfaces.keeps(record);
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
function isPlain(params: unknown): params is object {
  if (typeof params !== 'object' || params === null) return false;
  return !('overrides' in params || 'block_override' in params || 'idl' in params);
}

/** Returns true if the transaction is an unsigned transfer to build, or a call that brings no interface. */
function isPlainBuild(params: object): boolean {
  if (!('build' in params) || 'encoded' in params || 'transaction' in params) return false;
  const action = memberOf(params.build, 'action');
  const type = memberOf(action, 'type');
  return type === 'transfer' || (type === 'call' && memberOf(memberOf(action, 'value'), 'idl') === undefined);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns true if two records have the same code and interface. */
function isSame(record: ContractRecord, other: ContractRecord | undefined): boolean {
  if (other === undefined || record === other) return other !== undefined;
  return sameBytes(record.code_hash, other.code_hash) && sameBytes(record.idl_hash, other.idl_hash);
}

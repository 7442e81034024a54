import { LRUCache } from 'lru-cache';
import { AnswerTooLongError, checkedAnswer } from '../../base/answer-limit.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { ContractRecord, Transaction } from '../../generated/ledger.js';
import type { CallArgs, NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { selectorKey } from '../../idl/abi/abi-context.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { addressName } from '../../ledger/address-names.js';
import { ledger } from '../../ledger/codecs.js';
import { EngineError } from '../../vm/errors.js';
import { BalanceOverflowError } from '../balance-overflow-error.js';
import { ColdContractError } from '../cold-contract-error.js';
import type { ContractMachine } from '../contract-machine.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import { decodeParams } from '../views/call-params.js';
import type { StateCache } from '../views/state-cache.js';
import type { StateInterfaces } from '../views/state-interfaces.js';
import { WorldState } from '../world-state.js';

/**
 * Gas limit of an inline call. Compiled code takes at most 4 nanoseconds per gas, usually one: so at most 1.6 ms. No call
 * checks a BLS signature within it, because one check costs ten times as much.
 */
export const INLINE_GAS = 400_000;
/** Gas limit of an inline call that nobody waits for: at most 8 ms. */
export const LONE_INLINE_GAS = 2_000_000;
/** Minimum interval between loading two contracts, in milliseconds: each takes a while. */
const WARM_UP_EVERY_MS = 500;
/** Maximum size in bytes: larger code or interfaces take too long to prepare in a thread that serves requests. */
const MAX_CODE_BYTES = 96 * 1024;
const MAX_IDL_BYTES = 16 * 1024;
/** Time before a method whose call was expensive is tried again, in milliseconds. */
const EXPENSIVE_MS = 10_000;
const MAX_CONTRACTS = 1_024;
/** Maximum number of expensive methods remembered per contract. */
const MAX_EXPENSIVE = 64;
/** Maximum size of an encoded transaction in bytes; longer ones are decoded by a worker. */
const MAX_ENCODED_BYTES = 4_096;
const NO_INPUT = new Uint8Array(0);

interface Callee {
  ready: ContractRecord | undefined;
  /** Methods that recently needed a worker, by kind and selector or name. */
  readonly expensive: Map<string, Expensive>;
}

/** The method is not tried again with at most this gas, until this time. */
interface Expensive {
  readonly maxGas: number;
  readonly until: number;
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
 * calls, their call trees, and simulations of transfers and calls. Gas is exact, so an expensive call ends at a
 * known point and then goes to a worker with its full limit. A call whose result might depend on its gas limit goes to
 * a worker too.
 */
export class InlineCalls {
  readonly #parts: InlineCallsParts;
  readonly #callees = new LRUCache<string, Callee>({ max: MAX_CONTRACTS });
  readonly #transfers = newCallee();
  /** Of the current call. */
  #maxGas = INLINE_GAS;
  #warmedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: InlineCallsParts) {
    this.#parts = parts;
  }

  /**
   * @param params must pass {@link mayRunInline} @param maxGas {@link INLINE_GAS} or {@link LONE_INLINE_GAS}
   * @returns the JSON of the method's result, or undefined if the call needs a worker
   * @throws CallError, JsonDecodeError
   */
  answer(kind: InlineKind, params: object, head: BatchHead, maxGas: number): string | undefined {
    this.#maxGas = maxGas;
    switch (kind) {
      case 'view_call': {
        const args = decodeParams(kind, params);
        return this.#answer(kind, args, args, head);
      }
      case 'chain_traceCall': {
        const args = decodeParams(kind, params);
        return this.#answer(kind, args, args, head);
      }
      case 'tx_simulate':
        return this.#simulate(params, head);
    }
  }

  #simulate(params: object, head: BatchHead): string | undefined {
    const kind = 'tx_simulate';
    if (!('encoded' in params)) {
      if (!isPlain(params)) return undefined;
      const args = decodeParams(kind, params);
      const action = args.build?.action ?? args.transaction?.action;
      return this.#answer(kind, args, action?.type === 'call' ? action.value : undefined, head);
    }
    if ('build' in params || 'transaction' in params) return undefined;
    const args = decodeParams(kind, params);
    const { encoded } = args;
    const first = encoded && firstTransaction(encoded);
    const action = first?.value.action;
    if (first === undefined || (action?.type !== 'transfer' && action?.type !== 'call')) return undefined;
    const isSigned = first.length < (encoded?.length ?? 0);
    const called = action.type === 'call' ? action.value : undefined;
    return this.#answer(kind, isSigned ? args : { transaction: first.value }, called, head);
  }

  /** @param called the contract's call; absent if there is none */
  #answer<K extends InlineKind>(
    kind: K,
    args: NodeRpcV1Methods[K]['params'],
    called: Pick<CallArgs, 'contract' | 'method' | 'input'> | undefined,
    head: BatchHead,
  ): string | undefined {
    const callee =
      called === undefined ? this.#transfers : this.#readyCallee(addressName(called.contract), head);
    if (callee === undefined) return undefined;
    const { now, onRun } = this.#parts;
    const { expensive } = callee;
    const method = `${kind}${called?.method ?? selectorKey(called?.input ?? NO_INPUT)}`;
    const known = expensive.get(method);
    if (known !== undefined && this.#maxGas <= known.maxGas && now() < known.until) return undefined;
    let result: string | undefined;
    try {
      result = this.#run(kind, args, head);
    } catch (error) {
      if (!(error instanceof ColdContractError)) throw error;
      this.#warmUp(error.record, head);
      return undefined;
    }
    onRun(result !== undefined);
    if (result === undefined) {
      if (expensive.size >= MAX_EXPENSIVE) expensive.clear();
      expensive.set(method, { maxGas: this.#maxGas, until: now() + EXPENSIVE_MS });
    }
    return result;
  }

  #run<K extends InlineKind>(
    kind: K,
    args: NodeRpcV1Methods[K]['params'],
    head: BatchHead,
  ): string | undefined {
    try {
      const result = this.#parts.runners[kind](this.#maxGas, args, head);
      return result === undefined ? undefined : checkedAnswer(result);
    } catch (error) {
      // A worker may have more memory or instances left.
      if (error instanceof EngineError && error.code === 'host_memory_exhausted') return undefined;
      // Workers report it with its limit, or as a refusal.
      if (error instanceof AnswerTooLongError || error instanceof BalanceOverflowError) return undefined;
      throw error;
    }
  }

  /** Returns the callee once its code and interface are loaded. */
  #readyCallee(contract: string, head: BatchHead): Callee | undefined {
    let callee = this.#callees.get(contract);
    if (callee === undefined) {
      callee = newCallee();
      this.#callees.set(contract, callee);
    }
    const { machine, cache, interfaces } = this.#parts;
    const source = cache.at(BigInt(head.tipHeight));
    const { contract: record } = source.account(contract).record;
    if (record === undefined) return undefined;
    // The contract's code and interface may have been evicted meanwhile.
    const isLoaded =
      machine.engines.of(record.vm.type).find(record.code_hash) !== undefined && interfaces.keeps(record);
    if (!isLoaded || !isSame(record, callee.ready)) {
      if (!this.#warmUp(record, head)) return undefined;
    }
    callee.ready = record;
    return callee;
  }

  /** Loads a contract, unless that takes long or another one was loaded a moment ago. */
  #warmUp(record: ContractRecord, { tipHeight }: BatchHead): boolean {
    const { machine, interfaces, cache, idlBytes, now } = this.#parts;
    if (record.code_size > MAX_CODE_BYTES) return false;
    if (record.idl_hash !== undefined && (idlBytes(record.idl_hash) ?? 0) > MAX_IDL_BYTES) return false;
    const at = now();
    if (at - this.#warmedAt < WARM_UP_EVERY_MS) return false;
    this.#warmedAt = at;
    machine.warmUp(record, new WorldState(cache.at(BigInt(tipHeight))));
    interfaces.stored(record);
    return true;
  }
}

function newCallee(): Callee {
  return { ready: undefined, expensive: new Map() };
}

/**
 * Returns true unless a parameter, which is not decoded yet, may be long, changes the called code or the block, or asks
 * for another state or trace.
 */
export function mayRunInline(params: unknown): params is object {
  if (typeof params !== 'object' || params === null) return false;
  if ('overrides' in params || 'block_override' in params || 'idl' in params || 'tracers' in params)
    return false;
  return !('at' in params) || memberOf(params.at, 'type') === 'latest';
}

/** Decodes the transaction that short bytes begin with; undefined for any other bytes. */
function firstTransaction(
  encoded: Uint8Array,
): { readonly value: Transaction; readonly length: number } | undefined {
  if (encoded.length > MAX_ENCODED_BYTES) return undefined;
  try {
    return ledger.Transaction.decodeFirst(encoded);
  } catch (error) {
    if (error instanceof BorshError) return undefined;
    throw error;
  }
}

/** Returns true for a `build` or a `transaction` that is a transfer, or a call that brings no interface. */
function isPlain(params: object): boolean {
  if ('build' in params && 'transaction' in params) return false;
  const action = memberOf(memberOf(params, 'build') ?? memberOf(params, 'transaction'), 'action');
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

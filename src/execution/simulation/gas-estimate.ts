import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerLog } from '../../generated/ledger.js';
import type { CallObserver } from '../../vm/engine.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import type { WorldState } from '../world-state.js';

export interface EndedRun {
  readonly outcome: TransactionOutcome;
  /** The state after the run, with the fee paid. */
  readonly state: WorldState;
  /** Absent for the first run, which is not observed. */
  readonly ends?: CallEnds;
}

/** A transaction that was run, and a function to run it again. */
export interface RunTransaction {
  /** 40 lowercase hex digits. */
  readonly sender: string;
  /** The gas limit of the first run. */
  readonly limit: bigint;
  /** The result of the first run. */
  readonly ended: EndedRun;
  /** Whether the first run depends on its gas limit: see `GasDependence`. */
  readonly dependsOnLimit: boolean;
  readonly run: (limit: bigint) => EndedRun;
}

type IsEnough = (limit: bigint) => boolean;

/**
 * Returns the smallest gas limit with the same result: outcome, trap, output, events, contract and state. The search
 * begins at the gas used, which is nearly always right. A contract that calls another needs more, because a callee
 * gets at most 63/64 of the gas left. A caller can do with less if its callee failed and burned its whole share. The
 * search assumes that more gas never makes a result worse. A contract that reads the gas left can break that
 * assumption: its estimate still gives the same result, and a limit lower by one does not, but a smaller limit might.
 *
 * Some contracts have another result with every limit: they report the gas left, or the sender's balance without what is
 * reserved for gas, or work until their gas is nearly used up. If even the limit less one gives another result, the
 * estimate is for the same end: the same outcome of the transaction and of as many of its calls and payments, with as
 * many events and written values. That search stops within a 64th of the smallest limit, since each of its runs may use
 * the whole limit.
 *
 * Every estimate has been run, or its result is known. If a transaction does not depend on its limit, the estimate is
 * the gas used, U, without another run:
 *
 * 1. The run is a sequence of steps. Each step takes the same gas under every sufficient limit, because by
 *    `GasDependence` no result that the run received depends on the limit. The limit affects only the amount reserved
 *    for gas from the sender's balance, and a smaller reservation allows everything that a larger one allows.
 * 2. Gas is only spent, and a step never requires more gas than it takes: entering code and calling host functions
 *    fail in a frame that cannot pay their price, and otherwise cost exactly that price. With the limit L, at least L
 *    − U gas is left after each step. With the limit U, at least 0 is left, so each step can be paid and the result
 *    is the same.
 * 3. With less than U, the last step cannot be paid and the run ends out of gas. The first run did not, so U is the
 *    smallest.
 */
export function estimateGas({ sender, limit, ended, dependsOnLimit, run }: RunTransaction): bigint {
  const { outcome, gasUsed } = ended.outcome;
  // A run that ends out of gas does so with every lower limit too.
  if (outcome === 'out_of_gas') return limit;
  if (!dependsOnLimit) return gasUsed;
  const isSame: IsEnough = (tried) => endsAlike(run(tried), ended, sender);
  const atUse = gasUsed < limit && isSame(gasUsed);
  if (atUse) return isSame(gasUsed - 1n) ? smallest(0n, gasUsed - 1n, isSame) : gasUsed;
  const next = withCallShare(gasUsed);
  if (next < limit && isSame(next)) return smallest(gasUsed, next, isSame);
  if (isSame(limit - 1n)) {
    if (gasUsed === limit) return smallest(0n, limit - 1n, isSame);
    return above(next < limit ? next : gasUsed, limit - 1n, isSame);
  }
  const whole = run(limit);
  const isAlike: IsEnough = (tried) => endsInTheSameWay(run(tried), whole);
  if (!isAlike(limit - 1n)) return limit;
  if (gasUsed === limit || isAlike(gasUsed)) {
    return isAlike(gasUsed - 1n) ? smallest(0n, gasUsed - 1n, isAlike, COARSE) : gasUsed;
  }
  return above(gasUsed, limit - 1n, isAlike, COARSE);
}

/** A call needs one 63rd more gas than it uses for each level of nesting. */
function withCallShare(gasUsed: bigint): bigint {
  return gasUsed + gasUsed / 63n + 1n;
}

/** Searches from an insufficient limit up to a sufficient one, in steps that double. */
function above(tooLittle: bigint, enough: bigint, isEnough: IsEnough, precision?: bigint): bigint {
  let low = tooLittle;
  for (let step = withCallShare(tooLittle) - tooLittle; low + step < enough; step *= 2n) {
    if (isEnough(low + step)) return smallest(low, low + step, isEnough, precision);
    low += step;
  }
  return smallest(low, enough, isEnough, precision);
}

/** The part of a limit by which a coarse search may exceed the smallest one. */
const COARSE = 64n;

/** @param precision part of the limit by which it may exceed the smallest; absent for none */
function smallest(tooLittle: bigint, enough: bigint, isEnough: IsEnough, precision?: bigint): bigint {
  let [low, high] = [tooLittle, enough];
  while (high - low > (precision === undefined ? 1n : high / precision + 1n)) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function endsAlike(a: EndedRun, b: EndedRun, sender: string): boolean {
  return (
    sameOutcome(a.outcome, b.outcome) &&
    // A failed transaction writes nothing but its fee.
    (a.outcome.outcome !== 'success' || (hasWrites(a, b, sender) && hasWrites(b, a, sender)))
  );
}

/** Compares how two runs end, but not with what. */
function endsInTheSameWay(a: EndedRun, b: EndedRun): boolean {
  return (
    a.outcome.outcome === b.outcome.outcome &&
    a.outcome.trap?.kind === b.outcome.trap?.kind &&
    sameBytes(a.outcome.contract, b.outcome.contract) &&
    a.outcome.logs.length === b.outcome.logs.length &&
    (a.ends === undefined || b.ends === undefined || a.ends.equals(b.ends)) &&
    writesOf(a) === writesOf(b)
  );
}

function writesOf({ state }: EndedRun): number {
  return [...state.writtenSlots()].length + [...state.writtenAccounts()].length;
}

/** Ignores messages: some contain a balance, which depends on the amount reserved for gas. */
function sameOutcome(a: TransactionOutcome, b: TransactionOutcome): boolean {
  return (
    a.outcome === b.outcome &&
    a.trap?.kind === b.trap?.kind &&
    a.trap?.message === b.trap?.message &&
    sameBytes(a.output, b.output) &&
    sameBytes(a.contract, b.contract) &&
    a.logs.length === b.logs.length &&
    a.logs.every((log, index) => sameLog(log, b.logs[index]))
  );
}

/** Returns true if every value that one run wrote is the same after the other run, apart from the fee. */
function hasWrites(wrote: EndedRun, other: EndedRun, sender: string): boolean {
  for (const [address, record] of wrote.state.writtenAccounts()) {
    const after = other.state.peekAccount(address);
    const [fee, otherFee] = address === sender ? [wrote.outcome.fee, other.outcome.fee] : [0n, 0n];
    if (record.balance + fee !== after.balance + otherFee) return false;
    if (record.deploy_index !== after.deploy_index) return false;
    if (!sameBytes(record.contract?.code_hash, after.contract?.code_hash)) return false;
  }
  for (const { contract, slot, value } of wrote.state.writtenSlots()) {
    if (!sameBytes(value, other.state.slot(contract, slot))) return false;
  }
  return true;
}

function sameLog(a: LedgerLog, b: LedgerLog | undefined): boolean {
  return (
    b !== undefined &&
    sameBytes(a.contract, b.contract) &&
    sameBytes(a.data, b.data) &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, index) => sameBytes(topic, b.topics[index]))
  );
}

/** Counts how the calls and payments within a transaction end. */
export class CallEnds {
  readonly observer: CallObserver = {
    frameLeft: (_frame, { status }) => this.#count(status),
    balanceSent: (_from, _to, _amount, isDone) => this.#count(isDone ? 'paid' : 'unpaid'),
  };
  readonly #counts = new Map<string, number>();

  equals(other: CallEnds): boolean {
    return (
      this.#counts.size === other.#counts.size &&
      [...this.#counts].every(([end, count]) => other.#counts.get(end) === count)
    );
  }

  #count(end: string): void {
    this.#counts.set(end, (this.#counts.get(end) ?? 0) + 1);
  }
}

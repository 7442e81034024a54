import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerLog } from '../../generated/ledger.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import type { WorldState } from '../world-state.js';

/** The result of running a transaction. */
export interface EndedRun {
  readonly outcome: TransactionOutcome;
  /** The state after the run, with the fee paid. */
  readonly state: WorldState;
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
  /** Runs the transaction with another limit. */
  readonly run: (limit: bigint) => EndedRun;
}

/**
 * Returns the smallest gas limit with the same result: outcome, trap, output, events, contract and state. The search
 * begins at the gas used, which is nearly always right. A contract that calls another needs more, because a callee
 * gets at most 63/64 of the gas left. A caller can do with less if its callee failed and burned its whole share. The
 * search assumes that more gas never makes a result worse. A contract that reads the gas left can break that
 * assumption: its estimate still gives the same result, and a limit lower by one does not, but a smaller limit might.
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
  const isEnough = (tried: bigint) => endsAlike(run(tried), ended, sender);
  if (gasUsed === limit || isEnough(gasUsed)) {
    return isEnough(gasUsed - 1n) ? smallest(0n, gasUsed - 1n, isEnough) : gasUsed;
  }
  // A call needs one 63rd more gas than it uses for each level of nesting.
  let tooLittle = gasUsed;
  for (let step = gasUsed / 63n + 1n; tooLittle + step < limit; step *= 2n) {
    if (isEnough(tooLittle + step)) return smallest(tooLittle, tooLittle + step, isEnough);
    tooLittle += step;
  }
  return smallest(tooLittle, limit, isEnough);
}

/** Bisects between an insufficient limit and a sufficient one. */
function smallest(tooLittle: bigint, enough: bigint, isEnough: (limit: bigint) => boolean): bigint {
  let [low, high] = [tooLittle, enough];
  while (high - low > 1n) {
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

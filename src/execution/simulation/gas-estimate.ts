import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerLog } from '../../generated/ledger.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import type { WorldState } from '../world-state.js';

/** What a run of a transaction came to. */
export interface EndedRun {
  readonly outcome: TransactionOutcome;
  /** The state as the run left it, fee paid. */
  readonly state: WorldState;
}

/** A transaction that was run, and how to run it again. */
export interface RunTransaction {
  /** 40 lowercase hex digits. */
  readonly sender: string;
  /** The gas limit of the first run. */
  readonly limit: bigint;
  /** What the first run came to. */
  readonly ended: EndedRun;
  /** Whether the first run met anything that depends on its gas limit: see `GasDependence`. */
  readonly isBound: boolean;
  /** Runs the transaction with another limit. */
  readonly run: (limit: bigint) => EndedRun;
}

/**
 * The smallest gas limit that leads to the same end: outcome, trap, output, events, contract and state. The search begins at
 * the used gas, which is nearly always right. A contract that calls another needs more, because a callee gets at most 63/64
 * of the gas left. A caller can do with less where its callee failed and burned its whole share. The search assumes that more
 * gas never makes an end worse. A contract that reads the gas left can break that: its estimate still ends alike, and one gas
 * less does not.
 *
 * An answer is one that was run, or one of which it is known how that would end. Where a transaction met nothing that goes
 * by its limit, it is the gas that it used, U, without another run:
 *
 * 1. What it does is a row of steps that each take gas, the same as long as there is enough: no answer that it got depends
 *    on the limit, by what `GasDependence` says. One thing does depend on it, what is set aside for gas of the sender's balance,
 *    and less of that only lets pass what passed before.
 * 2. Gas is only ever taken, and nothing asks for more than it then takes: entering code and host functions are refused to
 *    who lacks their price, and else cost it. So with the limit L there was at least L − U left after each step, and with
 *    the limit U there is at least 0: each of them can be paid, and the end is the same.
 * 3. With less than U the last of them cannot, and it runs out of gas, which it did not: U is the smallest.
 */
export function estimateGas({ sender, limit, ended, isBound, run }: RunTransaction): bigint {
  const { outcome, gasUsed } = ended.outcome;
  // With less gas it runs out of gas too.
  if (outcome === 'out_of_gas') return limit;
  if (!isBound) return gasUsed;
  const isEnough = (tried: bigint) => endsAlike(run(tried), ended, sender);
  if (gasUsed === limit || isEnough(gasUsed)) {
    return isEnough(gasUsed - 1n) ? smallest(0n, gasUsed - 1n, isEnough) : gasUsed;
  }
  // A call as deep as one level needs a 63rd more than it uses, one as deep as five levels five of them.
  let tooLittle = gasUsed;
  for (let step = gasUsed / 63n + 1n; tooLittle + step < limit; step *= 2n) {
    if (isEnough(tooLittle + step)) return smallest(tooLittle, tooLittle + step, isEnough);
    tooLittle += step;
  }
  return smallest(tooLittle, limit, isEnough);
}

/** Halves the distance between a limit that is too little and one that is enough until they are neighbours. */
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
    // What fails leaves nothing but its fee.
    (a.outcome.outcome !== 'success' || (hasWrites(a, b, sender) && hasWrites(b, a, sender)))
  );
}

/** Messages do not count: some name a balance, which depends on what the limit sets aside. */
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

/** Whether all that one run wrote reads the same after the other, apart from the fee. */
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

import type { LedgerLog } from '../../generated/ledger.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import { sameBytes } from './same-bytes.js';

/** A transaction that was run, and how to run it again. */
export interface RunTransaction {
  /** With which it ended as it did. */
  readonly limit: bigint;
  /** What it came to. */
  readonly ended: TransactionOutcome;
  /** Whether it met anything that goes by its gas limit: see `GasWitness`. */
  readonly isBound: boolean;
  /** Runs it with another limit. */
  readonly run: (limit: bigint) => TransactionOutcome;
}

/**
 * The smallest gas limit with which a transaction ends as it did: with the same outcome, output, events and contract.
 * Used gas is where to begin, and nearly always right; more is needed where a contract calls another, which gets at most
 * 63/64 of what is left. The search takes it that more gas never makes an end worse, which only a contract that asks for
 * the gas left can break.
 *
 * An answer is one that was run, or one of which it is known how that would end. Where a transaction met nothing that goes
 * by its limit, it is the gas that it used, U, without another run:
 *
 * 1. What it does is a row of steps that each take gas, the same as long as there is enough: no answer that it got depends
 *    on the limit, by what `GasWitness` says. One thing does depend on it, what is set aside for gas of the sender's balance,
 *    and less of that only lets pass what passed before.
 * 2. Gas is only ever taken, and nothing asks for more than it then takes: entering code and host functions are refused to
 *    who lacks their price, and else cost it. So with the limit L there was at least L − U left after each step, and with
 *    the limit U there is at least 0: each of them can be paid, and the end is the same.
 * 3. With less than U the last of them cannot, and it runs out of gas, which it did not: U is the smallest.
 */
export function estimateGas({ limit, ended, isBound, run }: RunTransaction): bigint {
  // Nothing less can be known of what runs out of gas: with less it does too.
  if (ended.outcome === 'out_of_gas' || ended.gasUsed >= limit) return limit;
  if (!isBound) return ended.gasUsed;
  const isEnough = (tried: bigint) => endsAlike(run(tried), ended);
  if (isEnough(ended.gasUsed)) return ended.gasUsed;
  // A call as deep as one level needs a 63rd more than it uses, one as deep as five levels five of them.
  let tooLittle = ended.gasUsed;
  let enough = limit;
  for (let step = ended.gasUsed / 63n + 1n; tooLittle + step < enough; step *= 2n) {
    if (isEnough(tooLittle + step)) {
      enough = tooLittle + step;
      break;
    }
    tooLittle += step;
  }
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n;
    if (isEnough(middle)) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}

function endsAlike(a: TransactionOutcome, b: TransactionOutcome): boolean {
  return (
    a.outcome === b.outcome &&
    sameBytes(a.output, b.output) &&
    sameBytes(a.contract, b.contract) &&
    a.logs.length === b.logs.length &&
    a.logs.every((log, index) => sameLog(log, b.logs[index]))
  );
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

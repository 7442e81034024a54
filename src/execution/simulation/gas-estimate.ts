import type { LedgerLog } from '../../generated/ledger.js';
import type { TransactionOutcome } from '../execute-transaction.js';

/**
 * The smallest gas limit with which a transaction ends as it did: with the same outcome, output, events and contract.
 * Used gas is where to begin, and nearly always right; more is needed where a contract calls another, which gets at most
 * 63/64 of what is left. Every answer is one that was run. The search takes it that more gas never makes an end worse,
 * which only a contract that asks for the gas left can break.
 * @param limit with which it ended as it did
 * @param ended what it came to
 * @param run runs it with another limit
 */
export function estimateGas(
  limit: bigint,
  ended: TransactionOutcome,
  run: (limit: bigint) => TransactionOutcome,
): bigint {
  // Nothing less can be known of what runs out of gas: with less it does too.
  if (ended.outcome === 'out_of_gas' || ended.gasUsed >= limit) return limit;
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

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || Buffer.compare(a, b) === 0;
}

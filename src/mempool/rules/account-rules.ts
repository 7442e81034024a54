import { MAX_LANES } from '../../ledger/lanes.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { TransactionError } from '../errors.js';
import type { Sender } from '../lanes/sender-lanes.js';
import type { AdmissionContext, PoolLimits } from '../pool-types.js';
import { transactionCost } from '../prices.js';
import { checkReplacement } from './admission-rules.js';

/**
 * Checks a transaction against its sender's account and pooled transactions, except for gaps.
 * @param sender the account's pooled transactions; undefined if there are none
 */
export function checkAccount(
  transaction: TransactionEnvelope,
  sender: Sender | undefined,
  context: AdmissionContext,
): TransactionError | undefined {
  const { accounts } = context;
  const { lane, nonce } = transaction.signed.transaction;
  const known = sender?.lanes.get(lane);
  const accountNonce = known?.accountNonce ?? accounts.nextNonce(transaction.sender, lane);
  if (nonce < accountNonce) {
    const message = `nonce ${nonce} of lane ${lane} is used already; the account's next is ${accountNonce}`;
    return new TransactionError('nonce_too_low', message, { given: nonce, expected: accountNonce });
  }
  const present = sender?.find(lane, nonce);
  let refused: TransactionError | undefined;
  if (present !== undefined) refused = checkReplacement(transaction, present.transaction);
  else if (known === undefined) refused = checkNewLane(transaction, sender, accountNonce, context);
  if (refused !== undefined) return refused;

  const waiting = (sender?.cost ?? 0n) - (present?.cost ?? 0n);
  const cost = transactionCost(transaction.signed.transaction);
  const balance = accounts.balance(transaction.sender);
  if (waiting + cost <= balance) return undefined;
  return new TransactionError(
    'insufficient_balance',
    `the transaction may cost ${cost}${waiting === 0n ? '' : ` and the account's other pending ones ${waiting}`}; ` +
      `the account has ${balance}`,
    { cost, pending_cost: waiting, balance },
  );
}

function checkNewLane(
  transaction: TransactionEnvelope,
  sender: Sender | undefined,
  accountNonce: bigint,
  { accounts, limits }: AdmissionContext,
): TransactionError | undefined {
  const lanes = sender?.lanes.size ?? 0;
  if (lanes >= limits.maxPendingLanes) {
    const most = 'the most that one account may use at a time';
    const message = `the account has transactions waiting in ${lanes} lanes, ${most}`;
    return new TransactionError('pool_full', message, { limit: limits.maxPendingLanes });
  }
  if (accountNonce > 0n) return undefined;
  let unopened = 0;
  for (const lane of sender?.lanes.values() ?? []) if (lane.accountNonce === 0n) unopened++;
  // A transaction beyond the limit could never be included: the account's record keeps every lane ever used.
  if (accounts.lanesUsed(transaction.sender) + unopened < MAX_LANES) return undefined;
  const { lane } = transaction.signed.transaction;
  const used = `the account has used ${MAX_LANES} lanes, the most that it can have`;
  const message = `${used}; lane ${lane} would be another`;
  return new TransactionError('too_many_lanes', message, { limit: MAX_LANES });
}

/** Checks whether a nonce is too far above the expected one, the first missing in its lane. */
export function checkGap(nonce: bigint, expected: bigint, limits: PoolLimits): TransactionError | undefined {
  const limit = limits.maxNonceGap;
  if (nonce - expected <= BigInt(limit)) return undefined;
  const message =
    `nonce ${nonce} is ${nonce - expected} beyond ${expected}, the first one missing; ` +
    `at most ${limit} are allowed`;
  return new TransactionError('nonce_gap_too_large', message, { given: nonce, expected, limit });
}

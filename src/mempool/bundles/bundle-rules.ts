import { sameBytes } from '../../base/same-bytes.js';
import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { type AddressHex, addressHex } from '../../ledger/hex-types.js';
import { MAX_LANES } from '../../ledger/lanes.js';
import { isOpen, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { ITEM_OVERHEAD_BYTES } from '../block-fill.js';
import { TransactionError } from '../errors.js';
import type { PoolShare } from '../eviction-policy.js';
import type { AccountView, AdmissionContext, PoolLimits } from '../pool-types.js';
import { transactionCost } from '../prices.js';
import { checkGap } from '../rules/account-rules.js';
import { checkTransaction } from '../rules/admission-rules.js';
import type { BundleEnvelope } from './bundle.js';
import {
  bundleBytes,
  bundleGas,
  laneName,
  type UsedLane,
  usedLanes,
  type WaitingBundle,
} from './waiting-bundle.js';

/** A bundle's success must be known at inclusion, but a sealed transaction runs only later. */
const SEALED_MEMBER = new TransactionError('too_large', 'a sealed transaction cannot be in a bundle');
/** The minimum extension is `--bundle-blocks` divided by this number. */
const EXTENSION_STEPS = 10;

/**
 * Checks a bundle by itself and against the accounts: all rules for standalone transactions, and whether its
 * transactions are possible together. Nonces above the accounts' next ones are allowed.
 */
export function checkBundle(bundle: BundleEnvelope, context: AdmissionContext): TransactionError | undefined {
  return (
    checkPermanentRules(bundle, context) ??
    checkLanes(bundle.transactions, context) ??
    checkBalances(bundle.transactions, context.accounts)
  );
}

/** Checks the rules that depend on neither the accounts nor other pooled transactions. */
export function checkPermanentRules(
  bundle: BundleEnvelope,
  context: AdmissionContext,
): TransactionError | undefined {
  for (const [index, transaction] of bundle.transactions.entries()) {
    if (!isOpen(transaction.signed)) return ofMember(SEALED_MEMBER, index);
    const refused = checkTransaction(transaction, context);
    if (refused !== undefined) return ofMember(refused, index);
  }
  return checkWhole(bundle, context) ?? checkOrder(bundle.transactions);
}

/** Why a bundle can never be included; `ready` if the accounts allow it now, undefined if it has to wait. */
export function reevaluateBundle(
  transactions: readonly TransactionEnvelope[],
  lanes: readonly UsedLane[],
  accounts: AccountView,
): 'ready' | TransactionError | undefined {
  let behind = false;
  for (const lane of lanes) {
    const next = accounts.nextNonce(lane.sender, lane.lane);
    if (lane.firstNonce < next) return usedNonce(transactions, lane, next);
    behind ||= lane.firstNonce > next;
  }
  return behind || checkBalances(transactions, accounts) !== undefined ? undefined : 'ready';
}

function checkWhole(
  { transactions, maxHeight }: BundleEnvelope,
  { head, limits }: AdmissionContext,
): TransactionError | undefined {
  const { height } = head;
  if (maxHeight !== undefined && maxHeight < height) {
    const last = `the bundle may be included up to height ${maxHeight}`;
    const message = `${last}, the next block has height ${height}`;
    return new TransactionError('expired', message, { max_height: maxHeight, next_height: height });
  }
  const gas = bundleGas(transactions);
  const gasLimit = head.gasLimit / 2n;
  if (gas > gasLimit) {
    const sum = `the gas limits of the bundle add up to ${gas}`;
    const message = `${sum}, the limit for a block's bundles is ${gasLimit}`;
    return new TransactionError('gas_limit_too_high', message, { given: gas, limit: gasLimit });
  }
  const bytes = bundleBytes(transactions) + transactions.length * ITEM_OVERHEAD_BYTES;
  const bytesLimit = Math.min(MAX_BODY_BYTES, bundleRoom(limits).bytes);
  if (bytes > bytesLimit) {
    const reason = bytes > MAX_BODY_BYTES ? 'too_large' : 'over_pool_limit';
    const message = `the bundle has ${bytes} bytes; the limit is ${bytesLimit}`;
    return new TransactionError(reason, message, { given: bytes, limit: bytesLimit });
  }
  const { length: given } = transactions;
  const places = bundleRoom(limits).transactions;
  if (given <= places) return undefined;
  const message = `the bundle has ${given} transactions, this node's pool holds ${places} of bundles`;
  return new TransactionError('over_pool_limit', message, { given, limit: places });
}

/** The share of bundles. Failing ones pay nothing, so they must not crowd out paying transactions. */
export function bundleRoom({ maxTransactions, maxBytes }: PoolLimits): PoolShare {
  return { transactions: Math.ceil(maxTransactions / 4), bytes: Math.ceil(maxBytes / 4) };
}

/** Transactions of one lane must have consecutive nonces. */
function checkOrder(transactions: readonly TransactionEnvelope[]): TransactionError | undefined {
  const expected = new Map<string, bigint>();
  for (const [index, { sender, signed }] of transactions.entries()) {
    const { lane, nonce } = signed.transaction;
    const name = laneName(sender, lane);
    const next = expected.get(name) ?? nonce;
    if (nonce !== next) {
      const reason = nonce < next ? 'nonce_too_low' : 'nonce_gap_too_large';
      const message = `nonce ${nonce} of lane ${lane}, expected ${next} after the one before`;
      return ofMember(new TransactionError(reason, message, { given: nonce, expected: next }), index);
    }
    expected.set(name, nonce + 1n);
  }
  return undefined;
}

function checkLanes(
  transactions: readonly TransactionEnvelope[],
  { accounts, limits }: AdmissionContext,
): TransactionError | undefined {
  const opened = new Map<AddressHex, number>();
  for (const used of usedLanes(transactions)) {
    const { sender, lane, firstNonce } = used;
    const next = accounts.nextNonce(sender, lane);
    if (firstNonce < next) return usedNonce(transactions, used, next);
    const index = memberOf(transactions, used);
    const tooFar = checkGap(firstNonce, next, limits);
    if (tooFar !== undefined) return ofMember(tooFar, index);
    if (next > 0n) continue;
    const lanes = (opened.get(sender) ?? 0) + 1;
    opened.set(sender, lanes);
    if (accounts.lanesUsed(sender) + lanes > MAX_LANES) {
      const message = `the account has used ${accounts.lanesUsed(sender)} lanes of ${MAX_LANES}, lane ${lane} would be one too many`;
      return ofMember(new TransactionError('too_many_lanes', message, { limit: MAX_LANES }), index);
    }
  }
  return undefined;
}

/**
 * Each transaction may cost at most its sender's balance after the preceding ones, including their transfers. After a
 * transaction that runs code, which may have paid anyone, the limit is the total supply.
 */
function checkBalances(
  transactions: readonly TransactionEnvelope[],
  accounts: AccountView,
): TransactionError | undefined {
  const balances = new Map<AddressHex, bigint>();
  const balanceOf = (address: AddressHex) => balances.get(address) ?? accounts.balance(address);
  let behindCode = false;
  for (const [index, { sender, signed }] of transactions.entries()) {
    const { transaction } = signed;
    const cost = transactionCost(transaction);
    const balance = behindCode ? accounts.supply : balanceOf(sender);
    if (cost > balance) {
      const who = behindCode ? 'all accounts together have' : 'the account has';
      const message = `the transaction may cost ${cost}; ${who} ${balance} left for it`;
      return ofMember(new TransactionError('insufficient_balance', message, { cost, balance }), index);
    }
    const { action } = transaction;
    behindCode ||= action.type !== 'transfer';
    if (action.type !== 'transfer') continue;
    balances.set(sender, balanceOf(sender) - cost);
    const to = addressHex(action.value.to);
    balances.set(to, balanceOf(to) + action.value.amount);
  }
  return undefined;
}

function usedNonce(
  transactions: readonly TransactionEnvelope[],
  used: UsedLane,
  next: bigint,
): TransactionError {
  const details = { given: used.firstNonce, expected: next };
  const error = new TransactionError('nonce_too_low', usedNonceMessage(used, next), details);
  return ofMember(error, memberOf(transactions, used));
}

function usedNonceMessage({ firstNonce, lane }: UsedLane, next: bigint): string {
  return `nonce ${firstNonce} of lane ${lane} is used already; the account's next is ${next}`;
}

/** Why a bundle with a used nonce leaves. No error object: a block may use a nonce of thousands of them. */
export function usedNonceReason(
  transactions: readonly TransactionEnvelope[],
  lanes: readonly UsedLane[],
  accounts: AccountView,
): string {
  for (const used of lanes) {
    const next = accounts.nextNonce(used.sender, used.lane);
    if (used.firstNonce >= next) continue;
    return ofMemberMessage(usedNonceMessage(used, next), memberOf(transactions, used));
  }
  return 'a nonce of the bundle is used already';
}

function memberOf(transactions: readonly TransactionEnvelope[], { sender, lane }: UsedLane): number {
  return transactions.findIndex((one) => one.sender === sender && one.signed.transaction.lane === lane);
}

export function ofMember({ reason, message, details }: TransactionError, index: number): TransactionError {
  return new TransactionError(reason, ofMemberMessage(message, index), { ...details, index });
}

function ofMemberMessage(message: string, index: number): string {
  return `transaction ${index} of the bundle: ${message}`;
}

export function extensionStep({ bundleBlocks }: PoolLimits): bigint {
  return BigInt(Math.ceil(bundleBlocks / EXTENSION_STEPS));
}

/** @returns why a pooled bundle cannot be extended to the offered last height; undefined if it can */
export function checkExtension(
  present: WaitingBundle,
  offered: BundleEnvelope,
  limits: PoolLimits,
): TransactionError | undefined {
  const { lastHeight } = present;
  if (!present.endsBefore(offered) || lastHeight === undefined) {
    return new TransactionError('already_known', 'the bundle is in the pool already');
  }
  const needed = lastHeight + extensionStep(limits);
  const { maxHeight } = offered;
  if (maxHeight === undefined || maxHeight >= needed) return undefined;
  return new TransactionError(
    'already_known',
    `the bundle is in the pool already, up to height ${lastHeight}; extending it takes a max_height of at least ${needed}`,
    { given: maxHeight, last_height: lastHeight, needed },
  );
}

/** True if the bundle is byte-identical to the pooled one, so its signatures are known to be valid. */
export function isSameBundle(present: BundleEnvelope, offered: BundleEnvelope): boolean {
  return (
    present.transactions.length === offered.transactions.length &&
    present.transactions.every(({ encoded }, index) =>
      sameBytes(encoded, offered.transactions[index]?.encoded),
    )
  );
}

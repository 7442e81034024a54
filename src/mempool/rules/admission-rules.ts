import { sameBytes } from '../../base/same-bytes.js';
import { MAX_TRANSACTION_BYTES } from '../../ledger/constants.js';
import { DEV_CONTROLLER_ADDRESS } from '../../ledger/dev-controls.js';
import { intrinsicGas } from '../../ledger/gas.js';
import { opensAt, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { TransactionError } from '../errors.js';
import type { AdmissionContext, PoolLimits } from '../pool-types.js';
import { checkEnvelope } from './envelope-rules.js';

/** Minimum increase of both fees in a replacement, in percent. */
const REPLACEMENT_RISE_PERCENT = 10n;

/** Anybody could sign: without this rule, everybody could change the state of a development chain. */
const CONTROLLER_KEY = new TransactionError(
  'bad_signature',
  "the development controller's key is public, so only its node makes transactions with it: by the dev_ methods",
);

/** Checks a transaction by itself, regardless of accounts and other pooled transactions. */
export function checkTransaction(
  { signed: { transaction }, encoded }: TransactionEnvelope,
  { chainId, head, limits }: AdmissionContext,
): TransactionError | undefined {
  if (transaction.chain_id !== chainId) {
    const message = `the transaction is for chain ${transaction.chain_id}; this is chain ${chainId}`;
    return new TransactionError('wrong_chain', message, { given: transaction.chain_id, expected: chainId });
  }
  if (head.isDevelopment === true && sameBytes(transaction.sender, DEV_CONTROLLER_ADDRESS)) {
    return CONTROLLER_KEY;
  }
  const tooLong = checkLength(encoded.length, limits);
  if (tooLong !== undefined) return tooLong;
  const { valid_until: validUntil, gas_limit: gasLimit } = transaction;
  if (validUntil !== undefined && validUntil < head.height) {
    const opening = opensAt(transaction);
    const what =
      opening === undefined
        ? `the transaction is valid until height ${validUntil}`
        : `the envelope opens at height ${opening} and has to be included below it`;
    const message = `${what}; the next block has height ${head.height}`;
    return new TransactionError('expired', message, { valid_until: validUntil, next_height: head.height });
  }
  const neededGas = intrinsicGas(transaction);
  if (gasLimit < neededGas) {
    return new TransactionError(
      'gas_limit_too_low',
      `gas_limit is ${gasLimit}; the transaction needs at least ${neededGas} before it does anything`,
      { given: gasLimit, needed: neededGas },
    );
  }
  if (gasLimit > head.gasLimit) {
    const message = `gas_limit is ${gasLimit}; a whole block has ${head.gasLimit}`;
    return new TransactionError('gas_limit_too_high', message, { given: gasLimit, limit: head.gasLimit });
  }
  const refused = checkFees(transaction, limits);
  if (refused !== undefined || transaction.action.type !== 'sealed') return refused;
  return checkEnvelope(transaction.action.value, head);
}

function checkLength(given: number, { maxTransactionBytes }: PoolLimits): TransactionError | undefined {
  const limit = Math.min(maxTransactionBytes, MAX_TRANSACTION_BYTES);
  if (given <= limit) return undefined;
  const reason = given > MAX_TRANSACTION_BYTES ? 'too_large' : 'over_pool_limit';
  const message = `the transaction has ${given} bytes; the limit is ${limit}`;
  return new TransactionError(reason, message, { given, limit });
}

function checkFees(
  transaction: TransactionEnvelope['signed']['transaction'],
  limits: PoolLimits,
): TransactionError | undefined {
  const { max_fee: maxFee, priority_fee: priorityFee } = transaction;
  if (priorityFee > maxFee) {
    const message = `max_fee is ${maxFee}, less than the priority_fee of ${priorityFee} that is a part of it`;
    return new TransactionError('fee_too_low', message, { given: maxFee, needed: priorityFee });
  }
  if (maxFee < limits.minFee) {
    const message = `max_fee is ${maxFee}, the minimum is ${limits.minFee}`;
    return new TransactionError('fee_too_low', message, { given: maxFee, needed: limits.minFee });
  }
  return undefined;
}

/** Checks whether a transaction pays enough to replace another with the same sender, lane and nonce. */
export function checkReplacement(
  offered: TransactionEnvelope,
  present: TransactionEnvelope,
): TransactionError | undefined {
  const given = offered.signed.transaction;
  const old = present.signed.transaction;
  const maxFee = raised(old.max_fee);
  const priorityFee = raised(old.priority_fee);
  if (given.max_fee >= maxFee && given.priority_fee >= priorityFee) return undefined;
  return new TransactionError(
    'replacement_underpriced',
    `another transaction with nonce ${given.nonce} waits in lane ${given.lane}; replacing it takes a max_fee of at ` +
      `least ${maxFee} and a priority_fee of at least ${priorityFee}, got ${given.max_fee} and ${given.priority_fee}`,
    { needed_max_fee: maxFee, needed_priority_fee: priorityFee },
  );
}

/** The minimum fee of a replacement, rounded up to whole units. */
function raised(fee: bigint): bigint {
  return fee + (fee * REPLACEMENT_RISE_PERCENT + 99n) / 100n;
}

import type { SealedEnvelope } from '../../generated/ledger.js';
import { MAX_OPENS_AHEAD, MAX_SEALED_PAYLOAD } from '../../ledger/constants.js';
import { maxOpeningGas, openingGas } from '../../ledger/gas.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { TransactionError } from '../errors.js';
import type { NextBlockContext } from '../pool-types.js';

/** Minimum opening height of a new envelope, relative to the next block: a block must include it first. */
const MIN_OPENS_AHEAD = 2n;

/** Checks an envelope's own rules, in addition to those for every transaction. */
export function checkEnvelope(
  envelope: SealedEnvelope,
  head: NextBlockContext,
): TransactionError | undefined {
  const { payload, header } = envelope;
  if (payload.length > MAX_SEALED_PAYLOAD) {
    return new TransactionError(
      'too_large',
      `the sealed payload has ${payload.length} bytes, the limit is ${MAX_SEALED_PAYLOAD}`,
      { given: payload.length, limit: MAX_SEALED_PAYLOAD },
    );
  }
  const latest = head.height + MAX_OPENS_AHEAD;
  if (header.opens_at > latest) {
    return new TransactionError(
      'opens_too_late',
      `the envelope opens at height ${header.opens_at}, the last that one may be sealed to is ${latest}`,
      { given: header.opens_at, limit: latest },
    );
  }
  const limit = maxOpeningGas(head.gasLimit);
  const left = openingGas(envelope);
  if (left <= limit) return undefined;
  return new TransactionError(
    'gas_limit_too_high',
    `gas_limit leaves ${left} for what is sealed, all that opens at one height may use ${limit}`,
    { given: left, limit },
  );
}

/** Checks whether a new envelope can still be included before it opens. */
export function checkOpening(
  { signed }: TransactionEnvelope,
  head: NextBlockContext,
): TransactionError | undefined {
  const { action } = signed.transaction;
  if (action.type !== 'sealed') return undefined;
  const { opens_at: opensAt } = action.value.header;
  const min = head.height + MIN_OPENS_AHEAD;
  if (opensAt >= min) return undefined;
  return new TransactionError(
    'expired',
    `the envelope opens at height ${opensAt}, the next that one may be sealed to is ${min}`,
    { opens_at: opensAt, needed: min, next_height: head.height },
  );
}

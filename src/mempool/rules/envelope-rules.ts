import type { SealedEnvelope } from '../../generated/ledger.js';
import { MAX_OPENS_AHEAD, MAX_SEALED_PAYLOAD, MAX_SLOTS } from '../../ledger/constants.js';
import { GAS, openingGas } from '../../ledger/gas.js';
import { openingSlots, slotGas } from '../../ledger/opening-slots.js';
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
    const message = `the sealed payload has ${payload.length} bytes; the limit is ${MAX_SEALED_PAYLOAD}`;
    return new TransactionError('too_large', message, { given: payload.length, limit: MAX_SEALED_PAYLOAD });
  }
  const latest = head.height + MAX_OPENS_AHEAD;
  if (header.opens_at > latest) {
    return new TransactionError(
      'opens_too_late',
      `the envelope opens at height ${header.opens_at}; the highest allowed is ${latest}`,
      { given: header.opens_at, limit: latest },
    );
  }
  const slots = openingSlots(envelope, head.gasLimit);
  if (slots > MAX_SLOTS) {
    const left = openingGas(envelope);
    const limit = slotGas(head.gasLimit) * BigInt(MAX_SLOTS);
    return new TransactionError(
      'gas_limit_too_high',
      `gas_limit leaves ${left} for the sealed action; all envelopes that open at one height may use ${limit}`,
      { given: left, limit },
    );
  }
  // The lowest price that a slot can have. An envelope below the present price waits.
  const needed = BigInt(slots) * GAS.seal;
  if (header.max_seal_fee >= needed) return undefined;
  return new TransactionError(
    'fee_too_low',
    `max_seal_fee is ${header.max_seal_fee}; the lowest price of ${slotText(slots)} is ${needed}`,
    { given: header.max_seal_fee, needed },
  );
}

/**
 * Checks whether an envelope's opening height has slots left.
 * @param reservedAt number of slots reserved at a height by the blocks up to the tip
 * @param leftFor number of the free slots that the pool's other envelopes leave to this one; default all
 */
export function checkRoom(
  { signed }: TransactionEnvelope,
  head: NextBlockContext,
  reservedAt: (opensAt: bigint) => number,
  leftFor: (free: number) => number = (free) => free,
): TransactionError | undefined {
  const { action } = signed.transaction;
  if (action.type !== 'sealed') return undefined;
  const { opens_at: opensAt } = action.value.header;
  const slots = openingSlots(action.value, head.gasLimit);
  const unreserved = MAX_SLOTS - reservedAt(opensAt);
  const free = slots <= unreserved ? leftFor(unreserved) : unreserved;
  if (slots <= free) return undefined;
  const beside = free < unreserved ? ' beside the pending envelopes that pay as much per slot' : '';
  return new TransactionError(
    'pool_full',
    `the envelope reserves ${slotText(slots)}, but height ${opensAt} has ${free} left${beside}: seal to another height`,
    { opens_at: opensAt, slots, free, next_height: head.height },
  );
}

function slotText(slots: number): string {
  return slots === 1 ? '1 opening slot' : `${slots} opening slots`;
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
    `the envelope opens at height ${opensAt}; the lowest allowed is ${min}`,
    { opens_at: opensAt, needed: min, next_height: head.height },
  );
}

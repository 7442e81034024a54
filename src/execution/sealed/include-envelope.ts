import { ledger } from '../../ledger/codecs.js';
import { MAX_OPENS_AHEAD, MAX_SEALED_PAYLOAD, MAX_SLOTS } from '../../ledger/constants.js';
import { openingSlots } from '../../ledger/opening-slots.js';
import { envelopeName } from '../../ledger/state-keys.js';
import type { Candidate, SignedCandidate } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import {
  type ExecutionContext,
  executeTransaction,
  type InclusionProblem,
  inclusionProblem,
  slotFee,
  type TransactionOutcome,
} from '../execute-transaction.js';
import type { WorldState } from '../world-state.js';
import { reservedIn, scheduleEnvelope } from './opening-schedule.js';

/*
 * Rules for envelopes in a block, in addition to those for every transaction:
 *
 * 1. An envelope opens at most MAX_OPENS_AHEAD blocks above its own. Its valid_until ensures that it opens above its
 *    own block.
 * 2. Its payload has at most MAX_SEALED_PAYLOAD bytes: the state stores it whole.
 * 3. Its slots are free: the envelopes of a block reserve at most MAX_SLOTS, and so do those that open at one height.
 *    The price of its slots is at most max_seal_fee; see `ledger/opening-slots.ts`.
 * 4. Until an envelope is opened, the state has a record with everything needed to open it. The record is stored
 *    under the envelope's opening height and its index among the envelopes that open there, in order of inclusion.
 */

/** Like `inclusionProblem`, with the rules for envelopes. `sender` is 40 lowercase hex digits. */
export function candidateProblem(
  candidate: Candidate,
  sender: string,
  state: WorldState,
  env: BlockEnvironment,
  gasLeft?: bigint,
): InclusionProblem | undefined {
  const { action } = candidate;
  const problem = inclusionProblem(candidate, sender, state, env, gasLeft);
  if (problem !== undefined || action.type !== 'sealed') return problem;
  const { header, payload } = action.value;
  const { opens_at: opensAt } = header;
  if (payload.length > MAX_SEALED_PAYLOAD) return 'payload_too_large';
  if (opensAt > env.height + MAX_OPENS_AHEAD) return 'opens_too_late';
  const slots = openingSlots(action.value, env.gasLimit);
  const { opening, byBlock } = reservedIn(state, env.height, opensAt);
  if (opening.slots + slots > MAX_SLOTS) return 'opening_full';
  return byBlock + slots > MAX_SLOTS ? 'slots_taken' : undefined;
}

/** Executes a candidate that has no {@link candidateProblem}; an envelope is stored in the state. */
export function executeCandidate(
  { transaction, signature }: SignedCandidate,
  sender: string,
  context: ExecutionContext,
): TransactionOutcome {
  const outcome = executeTransaction(transaction, sender, context);
  const { action } = transaction;
  if (action.type !== 'sealed') return outcome;
  const { state, env } = context;
  const { value: envelope } = action;
  const { opens_at: opensAt, gas_limit: gasLimit, max_fee: maxFee } = envelope.header;
  const { opening } = reservedIn(state, env.height, opensAt);
  const pending = ledger.PendingEnvelope.encode({
    signed: { envelope, signature },
    gas_used: outcome.gasUsed,
    base_fee: env.baseFee,
    deposit: gasLimit * maxFee - (outcome.fee - slotFee(transaction, env)),
  });
  state.writeRecord(envelopeName(opensAt, opening.count), pending);
  const slots = openingSlots(envelope, env.gasLimit);
  scheduleEnvelope(state, { height: env.height, opensAt, slots });
  return outcome;
}

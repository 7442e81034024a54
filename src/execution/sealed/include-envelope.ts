import { ledger } from '../../ledger/codecs.js';
import { MAX_OPENINGS, MAX_OPENS_AHEAD, MAX_SEALED_PAYLOAD } from '../../ledger/constants.js';
import { maxOpeningGas, openingGas } from '../../ledger/gas.js';
import { envelopeName } from '../../ledger/state-keys.js';
import type { Candidate, SignedCandidate } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import {
  type ExecutionContext,
  executeTransaction,
  type InclusionProblem,
  inclusionProblem,
  type TransactionOutcome,
} from '../execute-transaction.js';
import type { WorldState } from '../world-state.js';
import { schedule, scheduledAt } from './opening-schedule.js';

/*
 * Rules for envelopes in a block, in addition to those for every transaction:
 *
 * 1. An envelope opens at most MAX_OPENS_AHEAD blocks above its own. Its valid_until ensures that it opens above its
 *    own block.
 * 2. Its payload has at most MAX_SEALED_PAYLOAD bytes: the state stores it whole.
 * 3. At most MAX_OPENINGS envelopes open at one height. The gas left for their actions is at most the block's gas
 *    limit / OPENING_GAS_SHARE in total. The gas counted for an envelope does not depend on whether its inclusion
 *    opens a lane.
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
  const { count, gas } = scheduledAt(state, opensAt);
  if (count >= MAX_OPENINGS) return 'opening_full';
  return gas + openingGas(action.value) > maxOpeningGas(env.gasLimit) ? 'opening_full' : undefined;
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
  const { count, gas } = scheduledAt(state, opensAt);
  const pending = ledger.PendingEnvelope.encode({
    signed: { envelope, signature },
    gas_used: outcome.gasUsed,
    base_fee: env.baseFee,
    deposit: gasLimit * maxFee - outcome.fee,
  });
  state.writeRecord(envelopeName(opensAt, count), pending);
  schedule(state, { height: opensAt, count: count + 1, gas: gas + openingGas(envelope) });
  return outcome;
}

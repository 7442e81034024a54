import { AnswerTooLongError, checkedAnswer } from '../../base/answer-limit.js';
import { errorMessage } from '../../base/errors.js';
import { shareText } from '../../base/shared-text.js';
import { errorStack } from '../../base/source-positions.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { StateBaseError } from '../../storage/fork-base/state-base.js';
import { StateUnavailableError } from '../../storage/state.js';
import { isStoreDamage } from '../../storage/store-error.js';
import { EngineError } from '../../vm/errors.js';
import type { BatchHead } from '../views/batched-calls.js';
import { CallError } from '../views/call-error.js';
import type { AnsweredCall, CallGroup, CallOutcome, WorkerCall } from './worker-call.js';

/** Time after which a worker yields its thread, so that blocks and signatures run between expensive calls. */
const SLICE_MS = 10;
/** Length of the results, in characters, after which a worker also yields. */
const SLICE_TEXT = 1024 * 1024;

/** The result of one call. */
export interface CallResult {
  /** JSON of the method's result. */
  readonly json: string;
  readonly part?: SharedArrayBuffer;
}

/** Answers the calls of a group; one per thread. */
export interface GroupRunner {
  /** @throws errors that {@link runGroup} turns into an outcome */
  answer(call: WorkerCall, head: BatchHead): CallResult;
  /** Gas used by the last call, and by work for it that has no gas. */
  gasUsed(): bigint;
}

/** Answers the calls of a group until time runs out. @param progress of the setup: receives the number of calls begun */
export function runGroup(
  { calls, head, slot }: CallGroup,
  progress: Int32Array,
  runner: GroupRunner,
): readonly AnsweredCall[] {
  const answers: AnsweredCall[] = [];
  let begun = performance.now();
  const end = begun + SLICE_MS;
  let length = 0;
  for (const call of calls) {
    Atomics.store(progress, slot, answers.length + 1);
    const outcome = outcomeOf(call, head, runner);
    if ('json' in outcome) length += outcome.json.length;
    const now = performance.now();
    answers.push({ outcome: shared(outcome), ms: now - begun, gas: Number(runner.gasUsed()) });
    begun = now;
    if (now > end || length > SLICE_TEXT) break;
  }
  return answers;
}

function shared(outcome: Exclude<CallOutcome, { readonly json: unknown }> | CallResult): CallOutcome {
  return 'json' in outcome ? { ...outcome, json: shareText(outcome.json) } : outcome;
}

/** Answers one call. */
function outcomeOf(
  call: WorkerCall,
  head: BatchHead,
  runner: GroupRunner,
): Exclude<CallOutcome, { readonly json: unknown }> | CallResult {
  try {
    const result = runner.answer(call, head);
    checkedAnswer(result.json);
    return result;
  } catch (error) {
    if (error instanceof CallError) return { problem: error.problem };
    if (error instanceof AnswerTooLongError) {
      return { problem: { code: 'limit_exceeded', subject: 'answer_bytes', limit: error.limit } };
    }
    if (error instanceof JsonDecodeError) {
      const { path, expected, got } = error;
      return { problem: { code: 'invalid_params', path, expected, got } };
    }
    if (error instanceof StateUnavailableError) {
      const [height, oldest] = [Number(error.height), Number(error.oldest)];
      return { problem: { code: 'state_unavailable', height, oldest, newest: head.tipHeight } };
    }
    if (error instanceof EngineError && error.code === 'host_memory_exhausted') {
      return { problem: { code: 'overloaded' } };
    }
    if (error instanceof StateBaseError) return { problem: { code: 'not_ready', message: error.message } };
    if (isStoreDamage(error)) return { problem: { code: 'damaged_store', message: errorMessage(error) } };
    return { fault: errorStack(error) };
  }
}

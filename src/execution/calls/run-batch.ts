import { AnswerTooLongError, checkedAnswer } from '../../base/answer-limit.js';
import { errorMessage } from '../../base/errors.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { StateBaseError } from '../../storage/fork-base/state-base.js';
import { StateUnavailableError } from '../../storage/state.js';
import { isStoreDamage } from '../../storage/store-error.js';
import { EngineError } from '../../vm/errors.js';
import type { BatchHead } from '../views/batched-calls.js';
import { CallError } from '../views/call-error.js';
import { encodeAnswers, faultLine, problemLine } from './call-answers.js';
import { BatchReader, type EncodedCall } from './call-batch.js';

/** Time after which a worker yields its thread, so that blocks and signatures run between expensive calls. */
const SLICE_MS = 10;
/** Length of the results, in characters, after which a worker also yields. */
const SLICE_TEXT = 1024 * 1024;

export interface BatchRunner {
  /** @param batch in the encoding of `call-batch.ts`; the result is in that of `call-answers.ts` */
  run(batch: Uint8Array): string;
}

/** Answers one call with the JSON of its result. @throws errors that {@link runBatch} turns into a line */
type AnswerCall = (call: EncodedCall, head: BatchHead) => string;

export interface CallAnswerer {
  readonly answer: AnswerCall;
  /** Gas used by the last call, and by work for it that has no gas; absent if calls use none. */
  readonly gasUsed?: () => bigint;
}

/** Answers the calls of a batch until time runs out. @param progress receives the number of calls begun */
export function runBatch(batch: Uint8Array, progress: Int32Array, { answer, gasUsed }: CallAnswerer): string {
  const reader = new BatchReader(batch);
  const { head } = reader;
  const lines: string[] = [];
  const costs: number[] = [];
  const gas = new Map<number, bigint>();
  let begun = performance.now();
  const end = begun + SLICE_MS;
  let length = 0;
  for (let call = reader.next(); call !== undefined; call = reader.next()) {
    Atomics.store(progress, head.task, lines.length + 1);
    const line = lineOf(call, head, answer);
    lines.push(line);
    length += line.length;
    const now = performance.now();
    costs.push(now - begun);
    if (gasUsed !== undefined) gas.set(costs.length - 1, gasUsed());
    begun = now;
    if (now > end || length > SLICE_TEXT) break;
  }
  return encodeAnswers(lines, costs, gas);
}

function lineOf(call: EncodedCall, head: BatchHead, answer: AnswerCall): string {
  try {
    return checkedAnswer(answer(call, head));
  } catch (error) {
    if (error instanceof CallError) return problemLine(error.problem);
    if (error instanceof AnswerTooLongError) {
      return problemLine({ code: 'limit_exceeded', subject: 'answer_bytes', limit: error.limit });
    }
    if (error instanceof JsonDecodeError) {
      const { path, expected, got } = error;
      return problemLine({ code: 'invalid_params', path, expected, got });
    }
    if (error instanceof StateUnavailableError) {
      const { height, oldest } = error;
      return problemLine({
        code: 'state_unavailable',
        height: Number(height),
        oldest: Number(oldest),
        newest: head.tipHeight,
      });
    }
    if (error instanceof EngineError && error.code === 'host_memory_exhausted') {
      return problemLine({ code: 'overloaded' });
    }
    if (error instanceof StateBaseError) return problemLine({ code: 'not_ready', message: error.message });
    if (isStoreDamage(error)) return problemLine({ code: 'damaged_store', message: errorMessage(error) });
    return faultLine(error);
  }
}

import { badLineEnd, resultLine } from '../../load/calls/ask-call.js';
import { readCallLine } from '../../load/calls/call-line.js';
import { workInOrder } from '../../load/ordered-work.js';
import type { FarmNode } from '../node/farm-node.js';
import { outcomeOf } from '../outcome.js';
import type { Pin } from '../run/run-record.js';
import type { JobRecorder, RecordedCall } from './job-recorder.js';
import { pinnedCall } from './pinned-call.js';

export interface CallWork {
  readonly node: FarmNode;
  /** The calls; empty lines count but have no result. */
  readonly lines: readonly string[];
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly pin: Pin;
  /** JSON text of the run's state overrides. */
  readonly overrides: string | undefined;
  readonly recorder: JobRecorder;
  readonly signal: AbortSignal;
}

/** Makes the calls of a job and records their results in order. @throws NodeAwayError, or the signal's reason */
export async function runCallJob(work: CallWork): Promise<void> {
  const { lines, first, recorder, signal } = work;
  await workInOrder<string, RecordedCall>({
    items: itemsOf(lines),
    concurrency: work.node.concurrency,
    signal,
    work: (text, place) => (text.trim() === '' ? null : answer(work, text, first + place - 1)),
    sizeOf: ({ text }) => text.length,
    settle: async (done) => {
      if (done !== null) await recorder.add(done);
    },
  });
}

async function answer(
  { node, pin, overrides, signal }: CallWork,
  text: string,
  line: number,
): Promise<RecordedCall> {
  const call = readCallLine(text);
  const { id } = call;
  if ('problem' in call) {
    const end = badLineEnd(call);
    const failure = { kind: 'bad_line', message: call.problem };
    return { text: resultLine({ line, id }, end), line, timeUs: 0, isUndetermined: false, end: { failure } };
  }
  const { method } = call;
  const pinned = pinnedCall(call, pin, overrides);
  const { end, timeUs, isUndetermined } = await node.call(pinned, signal);
  const block =
    'result' in end && pinned.pin === undefined
      ? blockOfReceipt(end.result.value)
      : { height: Number(pin.height), block_hash: pin.hash };
  if (!('result' in end)) {
    return { text: resultLine({ line, id, method, ...block }, end), line, timeUs, isUndetermined, end };
  }
  const outcome = outcomeOf(end.result.text);
  const head = { line, id, method, ...block, error_name: outcome.errorName };
  return { text: resultLine(head, end), line, timeUs, isUndetermined, end: outcome };
}

async function* itemsOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** The block of a traced transaction, from its receipt. */
function blockOfReceipt(value: unknown): { readonly height?: unknown; readonly block_hash?: unknown } {
  const { receipt } = (value ?? {}) as { readonly receipt?: Readonly<Record<string, unknown>> | null };
  return { height: receipt?.['height'], block_hash: receipt?.['block_hash'] };
}

import { encodeAnswers } from '../../src/execution/calls/call-answers.js';
import { BatchReader } from '../../src/execution/calls/call-batch.js';
import { serveChannel } from '../../src/execution/pool/call-channel.js';
import type { Task, TaskOutcome } from '../../src/execution/pool/execution-tasks.js';

/** Answers every call of a batch without doing anything. */
function answer(batch: Uint8Array): string {
  const reader = new BatchReader(batch);
  const lines: string[] = [];
  while (reader.next() !== undefined) lines.push('{}');
  return encodeAnswers(
    lines,
    lines.map(() => 0),
  );
}

/** A pool worker that does no work, so that the hand-over remains. */
export async function runTask({ kind, input }: Task): Promise<TaskOutcome> {
  if (kind === 'call_channel') serveChannel(input, answer);
  return { ok: true, result: undefined };
}

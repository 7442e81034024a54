import { serveChannel } from '../../../src/execution/pool/call-channel.js';
import type { Task, TaskOutcome } from '../../../src/execution/pool/execution-tasks.js';

/** Answers a batch with its text, repeated by the number at its beginning, or follows a command in it. */
function answer(batch: Uint8Array): string {
  const text = Buffer.from(batch).toString();
  switch (text) {
    case 'die':
      return process.exit(1);
    case 'hang':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return '';
    case 'unnotified':
      Atomics.notify = () => 0;
      return 'long '.repeat(200_000);
    case 'long':
      return 'long '.repeat(200_000);
  }
  return text.repeat(Number.parseInt(text, 10));
}

/** A pool worker that serves call channels and answers every other task at once. */
export async function runTask({ kind, input }: Task): Promise<TaskOutcome> {
  switch (kind) {
    case 'call_channel':
      serveChannel(input, answer);
      return { ok: true, result: undefined };
    case 'calls':
      return { ok: true, result: `by task: ${answer(input)}` };
    default:
      return { ok: true, result: new Uint8Array(0) };
  }
}

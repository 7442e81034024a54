/* A worker that starts like slow-start-worker.ts, and answers batches of channels with their text. */

import { serveChannel } from '../../../src/execution/pool/call-channel.js';
import type { Task, TaskOutcome } from '../../../src/execution/pool/execution-tasks.js';
import { runTask as runOther } from './slow-start-worker.js';

export function runTask(task: Task): TaskOutcome {
  if (task.kind !== 'call_channel') return runOther(task);
  serveChannel(task.input, (batch) => Buffer.from(batch).toString());
  return { ok: true, result: undefined };
}

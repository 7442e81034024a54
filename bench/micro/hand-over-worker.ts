import type { Task, TaskOutcome } from '../../src/execution/pool/execution-tasks.js';

/** A pool worker that does no work, so that the hand-over remains. */
export async function runTask({ kind, input }: Task): Promise<TaskOutcome> {
  const result =
    kind === 'calls' ? input.calls.map(() => ({ outcome: { json: '{}' }, ms: 0, gas: 0 })) : undefined;
  return { ok: true, result };
}

/**
 * Cost of handing a call to a worker and its answer back, where the worker does nothing: through the queue of calls, and
 * as a task of the pool. Floors: a bare message to a thread and back, and a word of shared memory on which both threads
 * sleep.
 */
import { createProgressMemory } from '../../src/execution/calls/worker-call.js';
import { WorkerCalls } from '../../src/execution/calls/worker-calls.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { MessageEcho, WordEcho } from './bare-worker.js';
import { type Floor, measurePairs, type PairedTask } from './paired-tasks.js';

const CALLS = 256;
const NOTHING = new Uint8Array(0);

const pool = new ExecutionPool({
  setup: { native: 'off' },
  workers: 1,
  worker: new URL('./hand-over-worker.js', import.meta.url),
});
const queue = new WorkerCalls({
  pool,
  progress: createProgressMemory(1),
  heights: () => ({ tip: 1n, finalized: 1n }),
  now: Date.now,
  onFault: (error) => {
    throw error;
  },
  maxCallMs: 5_000,
});
const params = `{"contract":"0x${'ab'.repeat(20)}","input":"0x${'cd'.repeat(36)}"}`;
const call = { kind: 'view_call', params } as const;
const bytes = Buffer.from(params);
const messages = new MessageEcho();
const words = new WordEcho();

type Ask = (answered: () => void, failed: (error: unknown) => void) => void;

/** Returns a function that keeps some calls in flight until all are answered. */
function keepInFlight(inFlight: number, ask: Ask): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      let begun = 0;
      let done = 0;
      const next = (): void => {
        begun++;
        ask(answered, reject);
      };
      const answered = (): void => {
        if (++done === CALLS) resolve();
        else if (begun < CALLS) next();
      };
      for (let i = 0; i < inFlight; i++) next();
    });
}

const throughQueue: Ask = (answered, failed) => queue.ask(call, { resolve: answered, reject: failed });
const asTask: Ask = (answered, failed) => {
  pool.run('verify_signatures', NOTHING).then(answered, failed);
};
const asMessage: Ask = (answered) => messages.ask(bytes, answered);
const word: Floor = { name: 'word of shared memory', run: () => words.ask() };

const pairs: readonly PairedTask[] = [1, 64].flatMap((inFlight) => {
  const message: Floor = {
    name: 'bare message',
    operations: CALLS,
    run: keepInFlight(inFlight, asMessage),
  };
  return [
    {
      name: `call through the queue, ${inFlight} in flight`,
      operations: CALLS,
      run: keepInFlight(inFlight, throughQueue),
      // One word carries one request at a time.
      floors: inFlight === 1 ? [message, word] : [message],
    },
    {
      name: `task of the pool, ${inFlight} in flight`,
      operations: CALLS,
      run: keepInFlight(inFlight, asTask),
      floors: [message],
    },
  ];
});

await measurePairs('hand-over to a worker and back', 'µs', pairs);
await Promise.all([pool.stop(), messages.stop(), words.stop()]);

/**
 * Cost of handing a call to a worker and its answer back, where the worker does nothing: through the scheduler and a
 * channel, as calls of contracts go, and as a task of the pool. Floors: a bare message to a thread and back, and a word
 * of shared memory on which both threads sleep.
 */
import { encodeCall } from '../../src/execution/calls/call-batch.js';
import { CallScheduler } from '../../src/execution/calls/call-scheduler.js';
import { createProgressMemory } from '../../src/execution/calls/call-tasks.js';
import { CallChannels } from '../../src/execution/pool/call-channels.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { MessageEcho, WordEcho } from './bare-worker.js';
import { type Floor, measurePairs, type PairedTask } from './paired-tasks.js';

const CALLS = 256;

const pool = new ExecutionPool({
  setup: { native: 'off' },
  workers: 1,
  worker: new URL('./hand-over-worker.js', import.meta.url),
});
const scheduler = new CallScheduler({
  pool: new CallChannels(pool),
  tasks: {
    run: () => Promise.reject(new Error('no call here has a write log')),
  },
  progress: createProgressMemory(1),
  heights: () => ({ tip: 1n, finalized: 1n }),
  now: Date.now,
  onFault: (error) => {
    throw error;
  },
  maxCallMs: 5_000,
});
const call = encodeCall('view_call', `{"contract":"0x${'ab'.repeat(20)}","input":"0x${'cd'.repeat(36)}"}`);
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

const throughScheduler: Ask = (answered, failed) => scheduler.ask(call, answered, failed);
const asTask: Ask = (answered, failed) => {
  pool.run('start', undefined).then(answered, failed);
};
const asMessage: Ask = (answered) => messages.ask(call, answered);
const word: Floor = { name: 'word of shared memory', run: () => words.ask() };

const pairs: readonly PairedTask[] = [1, 64].flatMap((inFlight) => {
  const message: Floor = {
    name: 'bare message',
    operations: CALLS,
    run: keepInFlight(inFlight, asMessage),
  };
  return [
    {
      name: `call through the scheduler and a channel, ${inFlight} in flight`,
      operations: CALLS,
      run: keepInFlight(inFlight, throughScheduler),
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

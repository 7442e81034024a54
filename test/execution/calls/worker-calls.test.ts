import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Caller, NODE_ITSELF } from '../../../src/async/caller.js';
import { readSharedText } from '../../../src/base/shared-text.js';
import type { CallTasks } from '../../../src/execution/calls/worker-call.js';
import {
  type AnsweredCall,
  type CallGroup,
  type CallOutcome,
  createProgressMemory,
} from '../../../src/execution/calls/worker-call.js';
import { WorkerCalls, type WorkerCallsOptions } from '../../../src/execution/calls/worker-calls.js';
import type { Cancellation } from '../../../src/execution/cancellation.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import type { TaskWorkers } from '../../../src/execution/task-runner.js';

/** A task submitted to the pool; its calls are identified by their parameters. */
interface GivenTask {
  readonly slot: number;
  readonly calls: readonly number[];
  readonly cancellation: Cancellation;
  readonly answer: (answers: readonly AnsweredCall[]) => void;
  readonly fail: (error: Error) => void;
}

/** A pool whose tasks the test completes, behind a queue of calls. */
class CallerWorld {
  readonly tasks: GivenTask[] = [];
  readonly faults: unknown[] = [];
  readonly progress: Int32Array<SharedArrayBuffer>;
  readonly queue: WorkerCalls;

  constructor(
    workers: number,
    options: Partial<Pick<WorkerCallsOptions, 'maxWaiting' | 'maxCallMs' | 'maxWaitMs'>> = {},
  ) {
    const progress = createProgressMemory(workers);
    this.progress = new Int32Array(progress);
    const run: TaskWorkers<CallTasks>['run'] = (_kind, { calls, slot }: CallGroup, { cancellation } = {}) => {
      assert.ok(cancellation !== undefined);
      const numbers = calls.map((call) => ('params' in call ? Number(call.params) : -1));
      return new Promise((answer, fail) => {
        this.tasks.push({ slot, calls: numbers, cancellation, answer, fail });
        cancellation.onCancel(() => fail(new ExecutionError('aborted', 'aborted')));
      });
    };
    this.queue = new WorkerCalls({
      pool: { workers, run },
      progress,
      heights: () => ({ tip: 5n, finalized: 5n }),
      now: () => 0,
      onFault: (error) => this.faults.push(error),
      maxCallMs: 1_000,
      ...options,
    });
  }

  /** A call's outcome: its result or its error code. */
  call(n: number, caller?: Caller): Promise<string> {
    return new Promise((resolve) => {
      this.queue.ask(
        viewCall(n),
        {
          resolve: (json) => resolve(readSharedText(json)),
          reject: (error) =>
            resolve('problem' in error ? JSON.stringify(error.problem) : String(Reflect.get(error, 'code'))),
        },
        caller,
      );
    });
  }

  /** Completes a call of a client after the given milliseconds in a worker. */
  async done(caller: Caller, ms = 0): Promise<void> {
    const place = this.tasks.length;
    const call = this.call(0, caller);
    await turn();
    this.answer(place, 1, ms);
    assert.equal(await call, '0');
  }

  /** The calls of all tasks from an index on. */
  given(from: number): readonly (readonly number[])[] {
    return this.tasks.slice(from).map(({ calls }) => calls);
  }

  calls(count: number): Promise<string>[] {
    return Array.from({ length: count }, (_, n) => this.call(n));
  }

  /** Answers a task's first `count` calls with their numbers, each after the given milliseconds. */
  answer(place: number, count = Number.POSITIVE_INFINITY, ms = 0): void {
    const { calls, answer } = this.tasks[place] ?? assert.fail(`there is no task ${place}`);
    answer(calls.slice(0, count).map((call) => answered({ json: String(call) }, ms)));
  }

  /** Answers all tasks until no call waits. */
  async answerAll(from: number): Promise<void> {
    for (let place = from; this.queue.waiting > 0; place++) {
      this.answer(place);
      await turn();
    }
  }

  /** Notes that a task's worker has begun a call, counting from 1. */
  begin(place: number, call: number): void {
    Atomics.store(this.progress, this.tasks[place]?.slot ?? 0, call);
  }
}

function viewCall(n: number) {
  return { kind: 'view_call', params: String(n) } as const;
}

function answered(outcome: CallOutcome, ms = 0, gas = 0): AnsweredCall {
  return { outcome, ms, gas };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

test('calls of one tick go to a worker together, and later ones wait for it', async () => {
  const world = new CallerWorld(1);
  const first = world.calls(20);
  await turn();
  const second = world.calls(3);
  await turn();
  assert.deepEqual(
    world.tasks.map(({ calls }) => calls.length),
    [20],
  );
  world.answer(0);
  assert.deepEqual(await Promise.all(first), numbers(20));
  assert.deepEqual(
    world.tasks.map(({ calls }) => calls.length),
    [20, 3],
  );
  world.answer(1);
  assert.deepEqual(await Promise.all(second), numbers(3));
  assert.equal(world.queue.waiting, 0);
});

test('calls are divided evenly over the free workers, and no worker gets too many', async () => {
  const world = new CallerWorld(4);
  void world.calls(64);
  await turn();
  assert.deepEqual(
    world.tasks.map(({ calls }) => calls.length),
    [16, 16, 16, 16],
  );
  const many = new CallerWorld(1);
  void many.calls(100);
  await turn();
  assert.deepEqual(
    many.tasks.map(({ calls }) => calls.length),
    [32],
  );
});

test('a worker that stops early gets the rest of its batch before later calls', async () => {
  const world = new CallerWorld(1);
  const all = world.calls(5);
  await turn();
  const late = world.call(9);
  await turn();
  world.answer(0, 2);
  await turn();
  assert.deepEqual(world.tasks[1]?.calls, [2, 3, 4, 9]);
  world.answer(1);
  assert.deepEqual(await Promise.all([...all, late]), [...numbers(5), '9']);
});

test('calls beyond the queue limit are refused at once', async () => {
  const world = new CallerWorld(1, { maxWaiting: 3 });
  const held = world.calls(3);
  assert.equal(await world.call(4), 'overloaded');
  await turn();
  world.answer(0);
  await Promise.all(held);
  const next = world.call(5);
  await turn();
  world.answer(1);
  assert.equal(await next, '5');
});

test('an error is reported to its own caller', async () => {
  const world = new CallerWorld(1);
  const all = world.calls(3);
  await turn();
  const problem = { code: 'timeout', limitMs: 7 } as const;
  world.tasks[0]?.answer([answered({ json: '0' }), answered({ problem }), answered({ fault: 'broken' })]);
  assert.deepEqual(await Promise.all(all), ['0', JSON.stringify(problem), 'task_failed']);
});

/** The use that a call reports. */
function allowance(limits: { readonly gas?: number; readonly ms?: number }) {
  const used: (readonly [ms: number, gas: number | undefined])[] = [];
  const use = (ms: number, gas: number | undefined): void => void used.push([ms, gas]);
  return { used, allowance: { gas: limits.gas, ms: limits.ms, use, noteWork: () => undefined } };
}

test('a call with limits of its own reports its time and gas, even if it fails', async () => {
  const world = new CallerWorld(1);
  const { used, allowance: given } = allowance({ gas: 7 });
  const limited = { ...NODE_ITSELF, allowance: given };
  const all = [world.call(0), world.call(1, limited), world.call(2, limited)];
  await turn();
  world.tasks[0]?.answer([
    answered({ json: '0' }, 1, 4),
    answered({ json: '1' }, 2, 5),
    answered({ problem: { code: 'overloaded' } }, 3, 6),
  ]);
  assert.equal((await Promise.all(all))[1], '1');
  assert.deepEqual(used, [
    [2, 5],
    [3, 6],
  ]);
});

test('a call ends at its own time limit, and reports its time and unknown gas use', async () => {
  const world = new CallerWorld(1);
  const alive = setTimeout(() => undefined, 10_000);
  const { used, allowance: given } = allowance({ ms: 20 });
  const call = world.call(0, { ...NODE_ITSELF, allowance: given });
  await turn();
  world.begin(0, 1);
  assert.equal(await call, '{"code":"timeout","limitMs":20}');
  clearTimeout(alive);
  assert.equal(used.length, 1);
  const [ms = 0, gas] = used[0] ?? [];
  assert.ok(ms > 250 && gas === undefined, `${ms} ms, ${gas} gas`);
});

test('a hanging call is terminated, and the next worker completes the others', async () => {
  const world = new CallerWorld(1, { maxCallMs: 30 });
  // The watchdog timer alone does not keep a process alive.
  const alive = setTimeout(() => undefined, 10_000);
  const all = world.calls(4);
  await turn();
  const [task] = world.tasks;
  world.begin(0, 3);
  assert.equal(await all[2], '{"code":"timeout","limitMs":30}');
  clearTimeout(alive);
  assert.ok(task?.cancellation.isCancelled);
  await turn();
  // One at a time, because this client's calls are known to take long.
  for (const [place, call] of [0, 1, 3].entries()) {
    assert.deepEqual(world.tasks[1 + place]?.calls, [call]);
    assert.ok(!world.tasks[1 + place]?.cancellation.isCancelled);
    world.answer(1 + place);
    await turn();
  }
  assert.deepEqual(await Promise.all([all[0], all[1], all[3]]), ['0', '1', '3']);
});

test('a call that outlives its disconnected caller terminates its worker, and the others continue on the next', async () => {
  const world = new CallerWorld(1);
  const alive = setTimeout(() => undefined, 30_000);
  const leaving = { client: 'leaving', isGone: false };
  const left = world.call(1, leaving);
  const other = world.call(2, { client: 'other', isGone: false });
  await turn();
  const [task] = world.tasks;
  world.begin(0, 1);
  leaving.isGone = true;
  assert.equal(await left, 'aborted');
  assert.ok(task?.cancellation.isCancelled);
  await turn();
  assert.deepEqual(world.tasks[1]?.calls, [2]);
  world.answer(1);
  assert.equal(await other, '2');
  clearTimeout(alive);
});

test('a client that holds all workers releases one for others, and its call runs later', async () => {
  const world = new CallerWorld(2);
  const alive = setTimeout(() => undefined, 30_000);
  const greedy = { client: 'greedy', isGone: false };
  await world.done(greedy);
  const first = world.call(1, greedy);
  await turn();
  const second = world.call(2, greedy);
  await turn();
  assert.deepEqual(world.given(1), [[1], [2]]);
  for (const place of [1, 2]) world.begin(place, 1);
  const modest = world.call(3, { client: 'modest', isGone: false });
  while (world.tasks.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(world.tasks[3]?.calls, [3]);
  const ended = world.tasks.filter(({ cancellation }) => cancellation.isCancelled);
  assert.equal(ended.length, 1);
  world.answer(3);
  assert.equal(await modest, '3');
  world.answer(world.tasks[1] === ended[0] ? 2 : 1);
  await turn();
  assert.deepEqual(world.tasks[4]?.calls, ended[0]?.calls);
  world.answer(4);
  assert.deepEqual(await Promise.all([first, second]), ['1', '2']);
  clearTimeout(alive);
});

test('a task that no worker has started is not terminated, however long it waits', async () => {
  const world = new CallerWorld(1, { maxCallMs: 10 });
  const call = world.call(1);
  await turn();
  await new Promise((resolve) => setTimeout(resolve, 60));
  world.answer(0);
  assert.equal(await call, '1');
});

test('a call that crashes workers fails, and the others are retried once', async () => {
  const world = new CallerWorld(1);
  const all = world.calls(3);
  await turn();
  for (const [place, culprit] of [
    [0, 1],
    [1, 2],
  ] as const) {
    world.begin(place, culprit);
    world.tasks[place]?.fail(new ExecutionError('worker_died', 'died'));
    await turn();
  }
  assert.deepEqual(
    world.tasks.map(({ calls }) => calls),
    [
      [0, 1, 2],
      [1, 2],
    ],
  );
  assert.deepEqual(await Promise.all(all), ['worker_died', 'overloaded', 'worker_died']);
  assert.equal(world.queue.waiting, 0);
});

test('all calls fail as stopped when the pool stops', async () => {
  const world = new CallerWorld(1);
  const all = world.calls(3);
  await turn();
  world.tasks[0]?.fail(new ExecutionError('stopped', 'stopping'));
  assert.deepEqual(await Promise.all(all), ['stopped', 'stopped', 'stopped']);
});

test('a call that waited too long is refused', async () => {
  const world = new CallerWorld(1, { maxWaitMs: 30 });
  const begun = world.calls(2);
  await turn();
  const waiting = world.calls(3);
  // The scheduler's timer does not keep the process alive.
  await new Promise((resolve) => setTimeout(resolve, 250));
  // The waiting calls are refused while the worker still has the first two.
  assert.deepEqual(await Promise.all(waiting), ['overloaded', 'overloaded', 'overloaded']);
  world.answer(0);
  assert.deepEqual(await Promise.all(begun), ['0', '1']);
  assert.equal(world.queue.waiting, 0);
});

test('a listener that throws is reported, and the other calls of its group get their answers', async () => {
  const world = new CallerWorld(1);
  const throwing = (): never => {
    throw new RangeError('Invalid string length');
  };
  const listener = { resolve: throwing, reject: throwing };
  world.queue.ask(viewCall(7), listener);
  const others = world.calls(3);
  await turn();
  world.answer(0);
  assert.deepEqual(await Promise.all(others), numbers(3));
  world.queue.ask(viewCall(7), listener);
  await turn();
  world.tasks[1]?.fail(new ExecutionError('stopped', 'stopping'));
  await turn();
  assert.equal(world.faults.length, 2);
  assert.equal(world.queue.waiting, 0);
});

test('once a call turns out to take long, clients take turns', async () => {
  const world = new CallerWorld(1);
  const flood = { client: 'flood', isGone: false };
  const honest = { client: 'honest', isGone: false };
  const all = Array.from({ length: 50 }, () => world.call(1, flood));
  await turn();
  const own = [world.call(2, honest), world.call(2, honest)];
  await turn();
  world.answer(0, 1, 500);
  await turn();
  assert.deepEqual(world.tasks[1]?.calls.slice(0, 2), [2, 2], 'those whose turn it is come first');
  world.answer(1, 2, 1);
  assert.deepEqual(await Promise.all(own), ['2', '2']);
  await turn();
  await world.answerAll(2);
  assert.deepEqual(await Promise.all(all), Array(50).fill('1'));
});

test('clients whose calls take long leave a worker to the others', async () => {
  const world = new CallerWorld(2);
  const flood = { client: 'flood', isGone: false };
  const honest = { client: 'honest', isGone: false };
  for (const client of [flood, honest]) await world.done(client);
  for (let at = 0; at < 40; at++) void world.call(1, flood);
  const own = world.call(2, honest);
  await turn();
  // Both workers serve the flood; each completes one call.
  world.answer(2, 1, 400);
  world.answer(3, 1, 400);
  await turn();
  const parts = world.given(4);
  assert.equal(parts.length, 2);
  assert.ok(parts.some((calls) => calls[0] === 2));
  world.answer(4 + parts.findIndex((calls) => calls[0] === 2));
  assert.equal(await own, '2');
  await turn();
  assert.equal(world.tasks.length, 6, 'the worker is kept for those that may come');
  const later = world.call(2, honest);
  await turn();
  assert.deepEqual(world.tasks[6]?.calls, [2]);
  world.answer(6);
  assert.equal(await later, '2');
});

test('an unknown client does not get the last worker, so no other client waits for its calls', async () => {
  const world = new CallerWorld(2);
  const flood = { client: 'flood', isGone: false };
  const honest = { client: 'honest', isGone: false };
  const all = Array.from({ length: 40 }, () => world.call(1, flood));
  await turn();
  assert.deepEqual(world.given(0), [Array(20).fill(1)]);
  // The honest client is as new as the flood, but has no worker yet.
  const own = world.call(2, honest);
  await turn();
  assert.deepEqual(world.given(1), [[2]]);
  world.answer(1);
  assert.equal(await own, '2');
  await turn();
  assert.equal(world.tasks.length, 2);
  // After one quick call the client may use all workers.
  world.answer(0, 10);
  await turn();
  assert.deepEqual(world.given(2), [Array(15).fill(1), Array(15).fill(1)]);
  await world.answerAll(2);
  assert.deepEqual(await Promise.all(all), Array(40).fill('1'));
});

test('a client that made a long call does not get the last worker, however many quick ones follow', async () => {
  const world = new CallerWorld(2);
  const flood = { client: 'flood', isGone: false };
  await world.done(flood);
  await world.done(flood, 300);
  for (let at = 0; at < 40; at++) await world.done(flood);
  // Known only by its second call.
  for (let at = 0; at < 2; at++) await world.done({ client: 'honest', isGone: false });
  const place = world.tasks.length;
  for (let at = 0; at < 40; at++) void world.call(1, flood);
  await turn();
  assert.equal(world.tasks.length, place + 1);
});

test('a client with moderately long calls gets the last worker before one with very long calls', async () => {
  const world = new CallerWorld(2);
  const flood = { client: 'flood', isGone: false };
  const honest = { client: 'honest', isGone: false };
  await world.done(honest);
  await world.done(flood, 2_000);
  await world.done(honest, 200);
  void world.call(1, flood);
  await turn();
  void world.call(2, honest);
  await turn();
  assert.deepEqual(world.given(3), [[1], [2]]);
  world.answer(4, 1, 200);
  // One client alone does not fill two workers.
  void world.call(3, honest);
  void world.call(4, honest);
  await turn();
  assert.deepEqual(world.given(5), [[3]]);
});

test('calls of disconnected callers are dropped and free their places', async () => {
  const world = new CallerWorld(1);
  const gone = { client: 'gone', isGone: false };
  const begun = world.calls(2);
  await turn();
  const dropped = [world.call(7, gone), world.call(8, gone)];
  const kept = world.call(9);
  gone.isGone = true;
  // The scheduler's timer does not keep the process alive.
  const alive = setTimeout(() => undefined, 10_000);
  assert.deepEqual(await Promise.all(dropped), ['aborted', 'aborted']);
  clearTimeout(alive);
  world.answer(0);
  await Promise.all(begun);
  await turn();
  assert.deepEqual(world.tasks[1]?.calls, [9]);
  world.answer(1);
  assert.equal(await kept, '9');
});

test('when too many calls wait, the client with the most gives way', async () => {
  const world = new CallerWorld(1, { maxWaiting: 10 });
  const flood = { client: 'flood', isGone: false };
  const begun = world.calls(1);
  await turn();
  const all = Array.from({ length: 10 }, () => world.call(1, flood));
  const own = world.call(2, { client: 'honest', isGone: false });
  assert.equal(await all[9], 'overloaded');
  world.answer(0);
  await turn();
  world.answer(1);
  await turn();
  world.answer(2);
  assert.equal(await own, '2');
  assert.deepEqual(await Promise.all(begun), ['0']);
});

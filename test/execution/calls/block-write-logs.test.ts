import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/async/caller.js';
import { BlockWriteLogs, type BlockWriteLogsOptions } from '../../../src/execution/calls/block-write-logs.js';
import type { Calls } from '../../../src/execution/calls/worker-calls.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import type {
  AttachedWriteLog,
  ReplayAnswer,
  ReplayRequest,
} from '../../../src/execution/tracing/replay-messages.js';
import { claimReplay } from '../../../src/execution/tracing/replay-messages.js';

const PART_BYTES = 1_000;

interface AskedReplay {
  readonly request: ReplayRequest;
  readonly caller: Caller;
  readonly writeLog: AttachedWriteLog;
  readonly resolve: (json: string, part?: SharedArrayBuffer) => void;
  readonly reject: (error: Error) => void;
}

/** A client that requests traces and may disconnect. */
class Client implements Caller {
  readonly client: string;
  isGone = false;

  constructor(client: string) {
    this.client = client;
  }
}

/** Write logs with the test in place of the workers that execute replays. */
class ReplayWorld {
  readonly asked: AskedReplay[] = [];
  readonly writeLogs: BlockWriteLogs;

  constructor(options: Omit<BlockWriteLogsOptions, 'calls'> = {}) {
    const ask: Calls['ask'] = (call, { resolve, reject }, caller) => {
      assert.ok(call.kind === 'replay' && caller !== undefined);
      const { request, writeLog } = call;
      const take = (json: string, part?: SharedArrayBuffer) => resolve(json, 0, part);
      this.asked.push({ request, caller, writeLog, resolve: take, reject });
    };
    this.writeLogs = new BlockWriteLogs({ calls: { ask }, ...options });
  }

  /** The final number of transactions in a trace's write log, or its error code. */
  trace(height: number, index: number, caller: Caller, bytes = 100): Promise<number | string> {
    return this.writeLogs.make({ height, index }, bytes, caller).then(
      ({ parts }) => parts.reduce((sum, part) => sum + (new Uint32Array(part, 4, 1)[0] ?? 0), 0),
      (error: unknown) => (error instanceof ExecutionError ? error.code : String(error)),
    );
  }

  /** Executes the oldest requested replay. @returns false if another request of its round has already done so */
  async work(most = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { request, writeLog, resolve } = this.asked.shift() ?? assert.fail('no replay is asked for');
    const { covered, upTo, round, ticket } = request;
    assert.ok(writeLog.claim !== undefined);
    const isDone = claimReplay(writeLog.claim, round, ticket);
    if (isDone) {
      const end = Math.min(upTo, covered + most);
      const part = new SharedArrayBuffer(PART_BYTES);
      new Uint32Array(part, 0, 2).set([covered, end - covered]);
      resolve(answerOf({ covered: end }), part);
    } else {
      resolve(answerOf({ isElsewhere: true }));
    }
    await turn();
    return isDone;
  }
}

const answerOf = (answer: ReplayAnswer): string => JSON.stringify(answer);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one replay serves all traces that wait for a block', async () => {
  const world = new ReplayWorld();
  const alice = new Client('alice');
  const traces = [5, 20, 31].map((index) => world.trace(7, index, alice));
  assert.equal(world.asked.length, 1);
  assert.equal(world.asked[0]?.caller.client, 'alice');
  await world.work();
  assert.deepEqual(await Promise.all(traces), [32, 32, 32]);
  assert.equal(await world.trace(7, 10, new Client('bob')), 32);
  assert.equal(world.asked.length, 0);
});

test('each waiting client has its own request, and the first one scheduled does the work', async () => {
  const world = new ReplayWorld();
  const traces = ['alice', 'bob'].map((name) => world.trace(7, 10, new Client(name)));
  assert.deepEqual(
    world.asked.map(({ caller }) => caller.client),
    ['alice', 'bob'],
  );
  world.asked.reverse();
  const [, late] = world.asked;
  assert.equal(await world.work(), true);
  assert.deepEqual(await Promise.all(traces), [32, 32]);
  // The scheduler drops unneeded replays; if one was already sent, the worker finds it done.
  assert.equal(late?.caller.isGone, true);
  assert.equal(await world.work(), false);
});

test('a block is executed in parts up to the requested index, one round per part', async () => {
  const world = new ReplayWorld();
  const trace = world.trace(7, 25, new Client('alice'));
  const rounds: number[] = [];
  while (world.asked.length > 0) {
    rounds.push(world.asked[0]?.request.covered ?? -1);
    await world.work(10);
  }
  assert.deepEqual(rounds, [0, 10, 20]);
  assert.equal(await trace, 30);
});

test('a replay without waiting clients is dropped and not requested again', async () => {
  const world = new ReplayWorld();
  const [alice, bob] = [new Client('alice'), new Client('bob')];
  const traces = [world.trace(7, 100, alice), world.trace(7, 100, alice), world.trace(7, 100, bob)];
  const [first] = world.asked;
  alice.isGone = true;
  assert.equal(first?.caller.isGone, true);
  first?.reject(new ExecutionError('aborted', 'nobody waits'));
  world.asked.shift();
  await turn();
  assert.deepEqual(await Promise.all(traces.slice(0, 2)), ['aborted', 'aborted']);
  // Bob's two requests belong to the finished round and to the next.
  assert.deepEqual(
    world.asked.map(({ caller: { client, isGone } }) => [client, isGone]),
    [
      ['bob', true],
      ['bob', false],
    ],
  );
  bob.isGone = true;
  for (const { reject } of world.asked.splice(0)) reject(new ExecutionError('aborted', 'nobody waits'));
  await turn();
  assert.equal(await traces[2], 'aborted');
  assert.deepEqual([world.asked.length, world.writeLogs.waiting], [0, 0]);
});

test('a failing replay fails for its client alone', async () => {
  const world = new ReplayWorld();
  const [hers, his] = [world.trace(7, 10, new Client('alice')), world.trace(7, 10, new Client('bob'))];
  const [first] = world.asked.splice(0, 1);
  first?.reject(new ExecutionError('overloaded', 'her calls wait already'));
  assert.equal(await hers, 'overloaded');
  while (world.asked.length > 0) await world.work();
  assert.equal(await his, 32);
});

test('replays in flight per client are limited', async () => {
  const world = new ReplayWorld();
  const traces = Array.from({ length: 50 }, (_, height) => world.trace(height, 9, new Client('alice')));
  let most = 0;
  while (world.asked.length > 0) {
    most = Math.max(most, world.asked.length);
    await world.work();
  }
  assert.equal(most, 4);
  assert.deepEqual(new Set(await Promise.all(traces)), new Set([32]));
});

test('when too many traces wait, the newest of the client with the most are refused', async () => {
  for (const limits of [{ maxWaiting: 10 }, { maxWaitingBytes: 1_000 }]) {
    const world = new ReplayWorld(limits);
    const flood = Array.from({ length: 30 }, (_, height) => world.trace(height, 9, new Client('flood')));
    const honest = [3, 99].map((height) => world.trace(height, 9, new Client('honest')));
    assert.equal(world.writeLogs.waiting, 10);
    while (world.asked.length > 0) await world.work();
    assert.deepEqual(await Promise.all(honest), [32, 32]);
    const refused = (await Promise.all(flood)).filter((answer) => answer === 'overloaded');
    assert.equal(refused.length, 22);
  }
});

test('write logs beyond the byte limit are evicted, those in use newest first', async () => {
  const world = new ReplayWorld({ maxBytes: 3 * PART_BYTES });
  const alice = new Client('alice');
  for (let height = 0; height < 20; height++) {
    const trace = world.trace(height, 9, alice);
    await world.work();
    assert.equal(await trace, 32);
    assert.ok(world.writeLogs.bytes <= 3 * PART_BYTES);
  }
  // Five blocks, each with two parts or more.
  const names = ['a', 'b', 'c', 'd', 'e'];
  const traces = names.map((name, height) => world.trace(100 + height, 50, new Client(name)));
  while (world.asked.length > 0) {
    await world.work(32);
    assert.ok(world.writeLogs.bytes <= 3 * PART_BYTES);
  }
  const ends = await Promise.all(traces);
  // A log evicted as soon as it is complete is executed again by its trace's worker.
  assert.ok(ends.filter((end) => end === 64 || end === 0).length >= 2, String(ends));
  assert.ok(ends.includes('overloaded'), String(ends));
  assert.equal(world.writeLogs.waiting, 0);
});

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises';
import { WorkerStarts } from '../../../src/execution/pool/worker-starts.js';

class Thread extends EventEmitter {
  constructor(readonly threadId: number) {
    super();
  }
}

/** A minimal pool: its threads load until the test marks them as loaded. */
class Threads extends EventEmitter {
  readonly threads: Thread[] = [];
  lost = 0;

  add(): Thread {
    const thread = new Thread(this.threads.length + 1);
    this.threads.push(thread);
    return thread;
  }

  starts(): WorkerStarts {
    return new WorkerStarts(this, () => this.lost++);
  }
}

async function isSettled(starts: WorkerStarts): Promise<boolean> {
  return Promise.race([starts.settled(10_000).then(() => true), delay(5).then(() => false)]);
}

test('the first threads are waited for', async () => {
  const pool = new Threads();
  const [one, two] = [pool.add(), pool.add()];
  const starts = pool.starts();
  assert.ok(!(await isSettled(starts)));
  one.emit('message', {});
  assert.ok(!(await isSettled(starts)));
  two.emit('message', {});
  // A thread may announce itself more than once.
  two.emit('message', {});
  assert.ok(await isSettled(starts));
});

test('a thread started with the tasks is waited for once seen', async () => {
  const pool = new Threads();
  const first = pool.add();
  const starts = pool.starts();
  first.emit('message', {});
  const late = pool.add();
  starts.look();
  starts.look();
  assert.ok(!(await isSettled(starts)));
  late.emit('message', {});
  assert.ok(await isSettled(starts));
});

test('the replacement of a dead thread is waited for, one that dies while loading is not', async () => {
  const pool = new Threads();
  const first = pool.add();
  const starts = pool.starts();
  pool.threads.length = 0;
  pool.emit('workerDestroy');
  const second = pool.add();
  first.emit('exit', 1);
  await delay(1);
  assert.ok(!(await isSettled(starts)));
  second.emit('message', {});
  assert.ok(await isSettled(starts));
});

test('no thread is waited for beyond the time limit', async () => {
  const pool = new Threads();
  pool.add();
  await pool.starts().settled(1);
});

test('a started thread is known by its number until it ends, and only its end is reported', async () => {
  const pool = new Threads();
  const [one, two, three] = [pool.add(), pool.add(), pool.add()];
  const starts = pool.starts();
  assert.equal(starts.started, 0);
  two.emit('message', {});
  two.emit('message', {});
  assert.deepEqual([starts.started, starts.hasStarted(1), starts.hasStarted(2)], [1, false, true]);
  one.emit('message', {});
  assert.equal(starts.started, 2);
  two.emit('exit', 1);
  three.emit('exit', 1);
  assert.deepEqual([starts.started, starts.hasStarted(2)], [1, false]);
  // The loss is reported in a later phase of the event loop, possibly after a short timer.
  await nextTick();
  await nextTick();
  assert.ok(await isSettled(starts));
  assert.equal(pool.lost, 1);
});

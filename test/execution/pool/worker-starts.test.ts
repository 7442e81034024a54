import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
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

test('new threads are watched once looked for, and replacements are watched automatically', async () => {
  const pool = new Threads();
  pool.add();
  const starts = pool.starts();
  const late = pool.add();
  starts.look();
  starts.look();
  late.emit('message', {});
  assert.ok(starts.hasStarted(late.threadId));
  const replacement = pool.add();
  pool.emit('workerDestroy');
  await nextTick();
  replacement.emit('message', {});
  assert.ok(starts.hasStarted(replacement.threadId));
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
  assert.equal(pool.lost, 1);
});

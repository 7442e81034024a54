import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallerGoneError, type Sliced, SlicedWork, WorkRefusedError } from '../../src/async/sliced-work.js';

/** `count` short steps. */
function* steps(count: number, onStep: () => void = () => undefined): Sliced<number> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 0.05;
    while (performance.now() < end);
    onStep();
    yield undefined;
  }
  return count;
}

const caller = (client: string) => ({ client, isGone: false });

describe('sliced work', () => {
  it('returns to each job its own result, with several clients', async () => {
    const work = new SlicedWork();
    const jobs = [10, 200, 3].map((count, place) => work.run(steps(count), caller(`${place}`)));
    assert.deepEqual(await Promise.all(jobs), [10, 200, 3]);
  });

  it('yields to the event loop between slices', async () => {
    const work = new SlicedWork();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work.run(steps(2_000), caller('one'));
    isOver = true;
    assert.ok(turns >= 10, `${turns} turns in what takes 100 ms`);
  });

  it('finishes a short job of one client before the many of another', async () => {
    const work = new SlicedWork();
    let steppedMeanwhile = 0;
    const flood = Array.from({ length: 50 }, () =>
      work.run(
        steps(500, () => steppedMeanwhile++),
        caller('flood'),
      ),
    );
    await work.run(steps(20), caller('honest'));
    assert.ok(steppedMeanwhile < 2_000, `${steppedMeanwhile} of 25000 steps came first`);
    await Promise.all(flood);
  });

  it('runs other jobs while one waits for a promise', async () => {
    const work = new SlicedWork();
    let open: () => void = () => undefined;
    const waiting = function* (): Sliced<string> {
      yield new Promise<void>((resolve) => {
        open = resolve;
      });
      return 'late';
    };
    const late = work.run(waiting(), caller('one'));
    assert.equal(await work.run(steps(5), caller('one')), 5);
    assert.equal(work.size, 0);
    open();
    assert.equal(await late, 'late');
  });

  it('drops a job whose caller hangs up while it waits for a promise', async () => {
    const work = new SlicedWork();
    let isEnded = false;
    const leaving = { client: 'one', isGone: false };
    const hangUp = async (): Promise<void> => {
      leaving.isGone = true;
    };
    const waiting = function* (): Sliced<string> {
      try {
        yield hangUp();
        return 'late';
      } finally {
        isEnded = true;
      }
    };
    const late = work.run(waiting(), leaving);
    await assert.rejects(late, CallerGoneError);
    assert.equal(isEnded, true);
  });

  it('rethrows a job’s error and runs the other jobs', async () => {
    const work = new SlicedWork();
    const failing = function* (): Sliced<never> {
      yield undefined;
      throw new RangeError('no');
    };
    const other = work.run(steps(5), caller('other'));
    await assert.rejects(work.run(failing(), caller('one')), RangeError);
    assert.equal(await other, 5);
  });

  it('drops the job of a caller that has gone', async () => {
    const work = new SlicedWork();
    const gone = caller('gone');
    let stepped = 0;
    const job = work.run(
      steps(100_000, () => stepped++),
      gone,
    );
    await work.run(steps(1), caller('other'));
    gone.isGone = true;
    await assert.rejects(job, CallerGoneError);
    assert.ok(stepped < 100_000);
  });

  it('runs a job’s leftover promises before the next job, on its client’s time', async () => {
    const work = new SlicedWork();
    const order: string[] = [];
    const later = async (name: string): Promise<void> => {
      for (let part = 0; part < 5; part++) await Promise.resolve();
      order.push(name);
    };
    for (const name of ['a', 'b', 'c']) {
      work.add(
        caller(name),
        0,
        () => {
          order.push(`${name} begins`);
          void later(name);
        },
        assert.fail,
      );
    }
    while (order.length < 6) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(order, ['a begins', 'a', 'b begins', 'b', 'c begins', 'c']);
  });

  it('refuses the newest job of the client with the most when the queue is full', () => {
    const work = new SlicedWork({ maxWaiting: 3 });
    const refused: string[] = [];
    const add = (client: string, name: string) =>
      work.add(
        caller(client),
        0,
        () => undefined,
        (error) => {
          assert.ok(error instanceof WorkRefusedError);
          refused.push(name);
        },
      );
    for (const name of ['f1', 'f2', 'f3', 'f4']) add('flood', name);
    add('honest', 'h1');
    assert.deepEqual(refused, ['f4', 'f3']);
    assert.equal(work.size, 3);
  });

  it('drops jobs that time out or lose their caller, even while no job may run', async () => {
    let mayGoOn = false;
    const work = new SlicedWork({ maxWaitMs: 50, mayProceed: () => mayGoOn });
    const gone = { client: 'gone', isGone: false };
    const ends: Error[] = [];
    work.add(gone, 0, assert.fail, (error) => ends.push(error));
    gone.isGone = true;
    work.add(caller('late'), 0, assert.fail, (error) => ends.push(error));
    while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(ends[0] instanceof CallerGoneError);
    assert.ok(ends[1] instanceof WorkRefusedError);
    const done = new Promise<void>((resolve) => work.add(caller('one'), 0, resolve, assert.fail));
    mayGoOn = true;
    work.resume();
    await done;
    assert.equal(work.size, 0);
  });
});

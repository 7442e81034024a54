import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallerGoneError, SlicedWork } from '../../src/async/sliced-work.js';

/** So many steps, each of which takes a little time. */
function* steps(count: number, onStep: () => void = () => undefined): Generator<void, number> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 0.05;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return count;
}

const caller = (client: string) => ({ client, isGone: false });

describe('sliced work', () => {
  it('gives each job its result, whoever else has some', async () => {
    const work = new SlicedWork();
    const jobs = [10, 200, 3].map((count, place) => work.run(steps(count), caller(`${place}`)));
    assert.deepEqual(await Promise.all(jobs), [10, 200, 3]);
  });

  it('leaves the event loop to others between slices', async () => {
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

  it('ends a short job of one client before the many of another', async () => {
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

  it('throws what a job throws, and goes on with the others', async () => {
    const work = new SlicedWork();
    const failing = function* (): Generator<void, never> {
      yield;
      throw new RangeError('no');
    };
    const other = work.run(steps(5), caller('other'));
    await assert.rejects(work.run(failing(), caller('one')), RangeError);
    assert.equal(await other, 5);
  });

  it('drops the job of a caller that is gone', async () => {
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
});

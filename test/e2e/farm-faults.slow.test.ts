// Workers killed, added and removed, Redis and a node restarted: each call has exactly one result, the right one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployCompute } from '../support/contracts/compute-calls.js';
import { Farm, linesOf, withoutBlock } from '../support/farm/farm.js';
import { countCall, makeBlocks } from '../support/farm/farm-calls.js';
import { freePorts } from '../support/free-ports.js';
import {
  NodeProcess,
  type RunningCommand,
  removeDirectory,
  runHeddle,
  temporaryDirectory,
} from '../support/nodes/node-process.js';
import { randomSource } from '../support/random-source.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const CALLS = 1_600;
/** Calls of a job at most: the next ones are at another block. */
const JOB = 20;

describe('a farm with faults', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  let farm: Farm;
  let node: NodeProcess;
  let flags: readonly string[];
  const dataDir = temporaryDirectory();
  before(async () => {
    farm = await Farm.start();
    const [port = 0] = await freePorts(1);
    flags = ['--port', `${port}`, '--seal', 'instant', '--idle-block-time', '0', '--workers', '1'];
    node = await NodeProcess.start({ dataDir, flags });
  });
  after(async () => {
    await farm?.dispose();
    await node?.dispose();
    removeDirectory(dataDir);
  });

  test('gives each call exactly one result, equal to that of one machine', async () => {
    const compute = await deployCompute(node.url);
    const tip = await makeBlocks(node.url, 3);
    const lines = Array.from({ length: CALLS }, (_, place) => {
      const at = { type: 'height', value: tip - (Math.floor(place / JOB) % 2) };
      return JSON.stringify({ id: place, ...countCall(compute, 100_000 + place, { at }) });
    });
    const calls = farm.file('calls.ndjson', lines);
    const { stdout } = await runHeddle(['simulate', calls, '--url', node.url], { timeoutMs: 120_000 });
    const expected = linesOf(stdout);
    assert.equal(expected.length, CALLS);

    // A busy machine, on which calls seem to cost more, makes more jobs.
    const submitted = await farm.ok('submit', calls, '--name', 'faults', '--url', node.url);
    const jobs = Number(/ in (\d+) jobs/.exec(submitted)?.[1]);
    assert.ok(jobs >= CALLS / JOB, submitted);
    const random = randomSource(35);
    const workers: { readonly name: string; readonly command: RunningCommand }[] = [];
    let added = 0;
    const add = () => {
      const name = `worker-${added++}`;
      workers.push({ name, command: farm.worker([node.url], '--jobs', '3', '--name', name) });
    };
    const take = () => workers.splice(random.below(workers.length), 1)[0];
    /** A worker that has not reported yet does not listen to signals, and ends if it does not find Redis. */
    const reports = (worker: string) =>
      farm.until('faults', `worked on by ${worker}`, (status) =>
        status.workers.some(({ name }) => name === worker),
      );
    const reached = (done: number) =>
      farm.until('faults', `at ${done} jobs`, (status) => status.done >= Math.min(done, jobs));
    const faults = [
      () => void take()?.command.child.kill('SIGKILL'),
      async () => {
        await node.kill();
        node = await NodeProcess.start({ dataDir, flags });
      },
      () => void take()?.command.child.kill('SIGKILL'),
      async () => {
        for (const { name } of workers) await reports(name);
        await farm.server.stop('SIGKILL');
        await farm.server.start();
      },
      async () => {
        const worker = take();
        await reports(worker?.name ?? assert.fail());
        worker?.command.child.kill('SIGTERM');
        const ended = await worker?.command.ended;
        assert.equal(ended?.code, 0, ended?.stderr);
      },
      () => void take()?.command.child.kill('SIGKILL'),
    ];
    add();
    add();
    for (const [place, fault] of faults.entries()) {
      await reached(5 + place * 11 + random.below(5));
      await fault();
      if (workers.length < 2) add();
    }
    const status = await farm.complete('faults');
    assert.deepEqual(
      [status.calls, status.answered, status.jobs, status.failed_jobs, status.disagreements],
      [CALLS, CALLS, jobs, 0, []],
    );
    assert.equal(
      status.shares.reduce((sum, { calls: count }) => sum + count, 0),
      CALLS,
    );
    assert.deepEqual((await farm.results('faults')).map(withoutBlock), expected);
  });
});

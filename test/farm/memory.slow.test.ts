// The memory of the farm's commands does not grow with the number of calls. FARM_CALLS=1000000 makes that many.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Farm, viewLine } from '../support/farm/farm.js';
import { FarmStub, viewAnswer } from '../support/farm/farm-stub.js';
import type { RunningCommand } from '../support/nodes/node-process.js';
import { processMemory } from '../support/nodes/process-memory.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const MANY = Number(process.env['FARM_CALLS'] ?? 100_000);
const FEW = MANY / 5;

/** Growth by the garbage collector's choice, in MiB; the calls and results of a million take 1,300. */
const GROWTH_MIB = 100;

const COMMAND_MS = 600_000 + MANY;

describe('memory of a farm', { skip: WITHOUT_REDIS, timeout: COMMAND_MS }, () => {
  let farm: Farm;
  let stub: FarmStub;
  before(async () => {
    farm = await Farm.start();
    // The memory is the subject, not the disk.
    await farm.server.command('CONFIG SET appendfsync no');
    stub = await FarmStub.start();
    // Results of about 1 KiB, as of a simulation with a few changes.
    const padding = `,"decoded":"${'x'.repeat(900)}"`;
    stub.view = ({ input }) => viewAnswer(Number.parseInt(String(input).slice(2, 10), 16), padding);
  });
  after(async () => {
    await farm?.dispose();
    await stub?.stop();
  });

  const fileOf = (count: number): string => {
    const path = farm.file(`calls-${count}.ndjson`, []);
    for (let first = 0; first < count; first += 10_000) {
      const lines = Array.from({ length: Math.min(10_000, count - first) }, (_, place) =>
        viewLine((first + place).toString(16).padStart(400, '0')),
      );
      appendFileSync(path, lines.map((line) => `${line}\n`).join(''));
    }
    return path;
  };
  /** Runs a command to its end. @returns its peak of resident memory, MiB */
  const peakOf = async (command: RunningCommand): Promise<number> => {
    const { child, ended } = command;
    let peak = 0;
    while (child.exitCode === null && child.signalCode === null) {
      try {
        peak = Math.max(peak, processMemory(child.pid ?? 0).peakMiB);
      } catch (error) {
        // It has ended since.
        if (!(error instanceof Error && 'code' in error)) throw error;
      }
      await sleep(20);
    }
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    return peak;
  };

  test('is the same for a few calls and for many', async (t) => {
    const timeoutMs = COMMAND_MS;
    const worker = farm.begin(['worker', '--url', stub.url, '--name', 'one'], { timeoutMs });
    const measure = async (count: number) => {
      const run = `run-${count}`;
      const submitter = await peakOf(
        farm.begin(['submit', fileOf(count), '--name', run, '--url', stub.url], { timeoutMs }),
      );
      const folder = join(farm.directory, run);
      const { code, stderr } = await farm.begin(['status', run, '--watch', '--json'], { timeoutMs }).ended;
      assert.equal(code, 0, stderr);
      const { phase, calls, answered } = await farm.status(run);
      assert.deepEqual([phase, calls, answered], ['complete', count, count]);
      const worked = processMemory(worker.child.pid ?? 0).peakMiB;
      const collector = await peakOf(farm.begin(['results', run, '--out', folder], { timeoutMs }));
      const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as {
        statistics: { answered: number };
      };
      assert.equal(summary.statistics.answered, count);
      return { submitter, worker: worked, collector };
    };
    const few = await measure(FEW);
    const many = await measure(MANY);
    const parts = ['submitter', 'worker', 'collector'] as const;
    for (const part of parts) {
      t.diagnostic(`${part}: ${few[part].toFixed(0)} MiB, then ${many[part].toFixed(0)} MiB`);
    }
    for (const part of parts) {
      assert.ok(
        many[part] - few[part] < GROWTH_MIB,
        `${part}: ${few[part]} MiB for ${FEW} calls, ${many[part]} MiB for ${MANY}`,
      );
    }
  });
});

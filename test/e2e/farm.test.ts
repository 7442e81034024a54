// The farm's commands with a real node, compared with the commands that do the same on one machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { deployCompute } from '../support/contracts/compute-calls.js';
import { Farm, linesOf, linesOfFolder, withoutBlock } from '../support/farm/farm.js';
import {
  countCall,
  makeBlocks,
  namedCountCall,
  POOR,
  poorCall,
  transferCall,
} from '../support/farm/farm-calls.js';
import { heddle, heddleOk } from '../support/nodes/command-line.js';
import { NodeProcess, type RunningCommand } from '../support/nodes/node-process.js';
import { packageRoot } from '../support/package-root.js';
import { pagePlots } from '../support/pages/page-plots.js';
import { WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const MAIN = join(packageRoot(import.meta.url), 'dist/bundle/main.js');

describe('a farm with a real node', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  let farm: Farm;
  let node: NodeProcess;
  let compute: string;
  let tip: number;
  let worker: RunningCommand;
  let calls: string;
  let simulated: string[];
  before(async () => {
    farm = await Farm.start();
    node = await NodeProcess.start({
      flags: ['--seal', 'instant', '--idle-block-time', '0', '--workers', '1'],
    });
    compute = await deployCompute(node.url);
    tip = await makeBlocks(node.url, 5);
    const lines = Array.from({ length: 600 }, (_, place) => {
      const id = { place };
      switch (place % 6) {
        case 0:
          return { ...poorCall(place), id };
        case 1:
          return countCall(compute, place);
        case 2:
          return { ...namedCountCall(compute, '18446744073709551615', { gas_limit: 50_000 }), id };
        case 3:
          return countCall(POOR, 1);
        default:
          return { ...transferCall(`${2n ** 60n + BigInt(place)}`), id };
      }
    });
    calls = farm.file(
      'calls.ndjson',
      lines.map((line) => JSON.stringify(line)),
    );
    // Some of the calls fail, which is the command's result too.
    simulated = linesOf((await heddle(['simulate', calls, '--url', node.url])).out);
    worker = farm.worker([node.url], '--name', 'one');
  });
  after(async () => {
    await farm?.dispose();
    await node?.dispose();
  });

  test('gives each call the result that one machine computes, in the order of the input', async () => {
    assert.equal(simulated.length, 600);
    const out = await farm.ok('submit', calls, '--name', 'calls', '--url', node.url);
    assert.match(out, /^run {10}calls\ncalls {8}600 lines in \d+ jobs\n/);
    assert.match(out, /heddle farm status calls --watch\n/);
    const [watched, { code, stdout, stderr }] = await Promise.all([
      farm.ok('status', 'calls', '--watch', '--interval-ms', '200'),
      farm.spawned('results', 'calls', '--wait'),
    ]);
    assert.equal(code, 0, stderr);
    const lines = linesOf(stdout);
    assert.deepEqual(lines.map(withoutBlock), simulated);
    for (const line of lines) assert.equal((JSON.parse(line) as { height: number }).height, tip);
    assert.match(watched, /calls, complete: .*calls\.ndjson\n/);
    assert.match(watched, /\] 100\.0%/);
    assert.match(watched, /\none +http:\/\/127\.0\.0\.1:\d+ +\d+ +600 /);
    const status = await farm.status('calls');
    assert.equal(status.calls, 600);
    assert.equal(status.answered + status.failed, 600);
    const statuses = lines.map(
      (line) => (JSON.parse(line) as { result?: { status: { type: string } } }).result?.status.type,
    );
    // The view that never ends runs out of its gas; there is no contract for every sixth call.
    assert.deepEqual(statuses.slice(1, 5), ['success', 'out_of_gas', undefined, 'success']);
  });

  test('writes files and a summary, and goes on after a full disk', async () => {
    const whole = join(farm.directory, 'whole');
    await farm.ok('results', 'calls', '--out', whole);
    const [file] = readdirSync(whole).filter((name) => name.endsWith('.gz'));
    const text = gunzipSync(readFileSync(join(whole, file ?? ''))).toString();
    assert.deepEqual(linesOf(text).map(withoutBlock), simulated);
    assert.equal(pagePlots(readFileSync(join(whole, 'summary.html'), 'utf8')).length, 4);
    const { statistics, verdict } = JSON.parse(readFileSync(join(whole, 'summary.json'), 'utf8')) as {
      statistics: { calls: number };
      verdict: { sentence: string };
    };
    assert.equal(statistics.calls, 600);
    assert.match(verdict.sentence, /^600 calls, .*\/s, 100 failed; /);

    const parquet = join(farm.directory, 'parquet');
    await farm.ok('results', 'calls', '--out', parquet, '--format', 'parquet');
    const [columns] = readdirSync(parquet).filter((name) => name.endsWith('.parquet'));
    assert.equal(
      readFileSync(join(parquet, columns ?? ''))
        .subarray(0, 4)
        .toString(),
      'PAR1',
    );

    const parts = join(farm.directory, 'parts');
    const args = [
      'farm',
      'results',
      'calls',
      '--out',
      parts,
      '--compress',
      'none',
      '--lines-per-file',
      '100',
    ];
    const full = spawnSync(
      'bash',
      ['-c', 'ulimit -f 16; exec "$@"', 'bash', process.execPath, MAIN, ...args],
      {
        env: { ...process.env, ...farm.environment },
        encoding: 'utf8',
      },
    );
    assert.equal(full.status, 1, full.stderr);
    assert.match(
      full.stderr,
      /heddle: cannot write .*EFBIG.*; the same command continues after the last complete file/,
    );
    await farm.ok('results', 'calls', '--out', parts, '--compress', 'none', '--lines-per-file', '100');
    assert.deepEqual(linesOfFolder(parts).map(withoutBlock), simulated);
    assert.equal(readdirSync(parts).filter((name) => name.endsWith('.ndjson')).length, 6);
  });

  test('traces blocks as one machine does', async () => {
    const path = join(farm.directory, 'traces.ndjson');
    const tracers = ['--tracer', 'call_tree,state_diff'];
    await heddleOk([
      ...['replay', '--from', '0', '--to', `${tip}`, ...tracers, '--out', path, '--url', node.url],
    ]);
    await farm.ok('submit', '--trace-blocks', `0..${tip}`, ...tracers, '--name', 'traces', '--url', node.url);
    await farm.complete('traces');
    const lines = await farm.results('traces');
    assert.equal(lines.length, 6);
    const numbered = linesOf(readFileSync(path, 'utf8')).map(
      (line, place) => `{"line":${place + 1},${line.slice(1)}`,
    );
    assert.deepEqual(lines, numbered);
  });

  test('runs a sweep at a block with overrides, over which those of a call prevail', async () => {
    const sweep = join(farm.directory, 'sweep.json');
    const reference = (name: string) => `\${${name}}`;
    writeFileSync(
      sweep,
      JSON.stringify({
        call: poorCall(0, {
          build: {
            sender: POOR,
            action: { type: 'transfer', value: { to: POOR, amount: reference('amount') } },
          },
        }),
        parameters: { amount: { values: [1, 2, 3] } },
      }),
    );
    const overrides = farm.file('overrides.json', [
      JSON.stringify([{ address: POOR, balance: '1000000000000000000' }]),
    ]);
    const submit = async (run: string, ...args: readonly string[]) => {
      await farm.ok('submit', ...args, '--name', run, '--url', node.url, '--at', `${tip - 2}`);
      await farm.complete(run);
      return (await farm.results(run)).map(
        (line) =>
          JSON.parse(line) as {
            height: number;
            result?: { status: { type: string } };
            error?: { kind: string };
          },
      );
    };
    const without = await submit('poor', '--sweep', sweep);
    const given = await submit('rich', '--sweep', sweep, '--overrides', overrides);
    assert.deepEqual([without.length, given.length], [3, 3]);
    for (const { height } of [...without, ...given]) assert.equal(height, tip - 2);
    assert.ok(without.every(({ result }) => result?.status.type !== 'success'));
    assert.ok(given.every(({ result }) => result?.status.type === 'success'));
    const own = farm.file('own.ndjson', [
      JSON.stringify(poorCall(1, { overrides: [{ address: POOR, balance: 0 }] })),
      JSON.stringify(poorCall(1)),
      JSON.stringify(countCall(compute, 1, { at: { type: 'height', value: tip } })),
    ]);
    const [refused, allowed, counted] = await submit('own', own, '--overrides', overrides);
    assert.notEqual(refused?.result?.status.type, 'success');
    assert.equal(allowed?.result?.status.type, 'success');
    assert.deepEqual([refused?.height, allowed?.height, counted?.height], [tip - 2, tip - 2, tip]);
  });

  test('finishes its jobs on SIGTERM', async () => {
    const lines = Array.from({ length: 400 }, () => JSON.stringify(countCall(compute, 2_000_000)));
    await farm.ok('submit', farm.file('slow.ndjson', lines), '--name', 'slow', '--url', node.url);
    await farm.until('slow', 'begun', ({ active, done }) => active > 0 || done > 0);
    worker.child.kill('SIGTERM');
    const { code, signal, stdout, stderr } = await worker.ended;
    assert.deepEqual([code, signal], [0, null], stderr);
    assert.match(stdout, /finishing the jobs in progress/);
    assert.match(stdout, /"disagreements":0.*"msg":"stopped"/);
    const { active, failed_jobs: failed, workers } = await farm.status('slow');
    assert.deepEqual([active, failed, workers], [0, 0, []]);
  });

  test('works on a copy of the directory of a stopped node', async () => {
    await farm.ok('submit', calls, '--name', 'copied', '--url', node.url);
    await node.stop();
    const copy = join(farm.directory, 'copy');
    cpSync(node.dataDir, copy, { recursive: true });
    const inside = farm.begin(['worker', '--data-dir', copy, '--workers', '1', '--name', 'inside']);
    await farm.complete('copied');
    inside.child.kill('SIGTERM');
    const ended = await inside.ended;
    assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr);
    assert.deepEqual((await farm.results('copied')).map(withoutBlock), simulated);
  });
});

import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, devAccount, formatAddress } from '../../src/client/client.js';
import type { LoadReport } from '../../src/load/load-report.js';
import { heddle } from '../support/nodes/command-line.js';
import { FakeNode } from '../support/nodes/fake-node.js';
import { NodeProcess, runHeddle, startHeddle } from '../support/nodes/node-process.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const directory = temporaryDirectory();
// In a process of its own, for the loads come from this one.
let node: NodeProcess;

before(async () => {
  node = await NodeProcess.start({ flags: ['--block-time', '100'] });
});
after(async () => {
  await node?.dispose();
  removeDirectory(directory);
});

describe('heddle load', () => {
  test('sends every kind of transaction and reports the outcome of all of them', async () => {
    const [json, html] = [join(directory, 'load.json'), join(directory, 'load.html')];
    const { code, out, err } = await heddle([
      ...['load', '--url', node.url, '--profile', 'mixed', '--rate', '75', '--duration', '4'],
      ...['--accounts', '6', '--report', json, '--html', html],
    ]);
    assert.equal(code, 0, err);
    assert.match(out, /^mixed: 50 % transfers/);
    const report = JSON.parse(readFileSync(json, 'utf8')) as LoadReport;
    const { sent, accepted, refused, sealed, unsealed } = report.totals;
    assert.equal(report.ended, 'complete');
    assert.ok(sent > 100 && sent <= 300, `${sent}`);
    assert.deepEqual([accepted + refused, sealed, unsealed], [sent, accepted, 0]);
    assert.equal(report.sealed_ms.count, sealed);
    assert.ok(report.sealed_ms.p50 >= report.accepted_ms.p50);
    assert.deepEqual(Object.keys(report.sampled_outcomes), ['success']);
    assert.ok(report.blocks.count > 5 && report.blocks.fill_max > 0);
    assert.ok(report.samples.length >= 2);
    assert.match(readFileSync(html, 'utf8'), /<figure class="plot card"><figcaption>Sent and sealed</);
    const { verdict, resources } = report;
    assert.ok(out.includes(`  verdict     ${verdict.sentence}\n`), out);
    assert.ok((resources.node?.cores ?? 0) > 0 && (resources.node?.main?.busy ?? 0) > 0);
    assert.ok((resources.generator?.memory_bytes ?? 0) > 0 && resources.same_machine);
  });

  test('ends on Ctrl-C with the report so far', async () => {
    const json = join(directory, 'ended.json');
    const running = startHeddle([
      ...[
        'load',
        '--url',
        node.url,
        '--rate',
        '50',
        '--duration',
        '600',
        '--accounts',
        '4',
        '--report',
        json,
      ],
    ]);
    await running.said(/^\d+ s: sent/m);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /^transfers: /);
    const report = JSON.parse(readFileSync(json, 'utf8')) as LoadReport;
    assert.equal(report.ended, 'interrupted');
    assert.ok(report.totals.accepted > 0);
  });

  test('works without a development account whose balance is spent', async () => {
    const client = connect(node.url);
    const poor = client.sender(devAccount(7));
    const { balance } = await client.account({ address: devAccount(7).address });
    const amount = balance - 10n ** 12n;
    await poor.transfer({ to: devAccount(6).address, amount, wait: 'included' });
    const { code, out, err } = await heddle([
      'load',
      '--url',
      node.url,
      '--rate',
      '20',
      '--duration',
      '1',
      '--accounts',
      '10',
      '--json',
      ...['--compare', join(directory, 'load.json')],
    ]);
    assert.equal(code, 0, err);
    const { kind, ended, comparison } = JSON.parse(out) as LoadReport;
    assert.deepEqual([kind, ended], ['heddle load report 1', 'complete']);
    assert.ok(comparison?.warnings.includes('--profile: mixed before, transfers now'));
    assert.ok((comparison?.figures.find(({ name }) => name === 'sealed')?.before ?? 0) > 0);
  });

  test('reports a wrong profile, a wrong rate, a missing report and a missing node', async () => {
    const wrong = await heddle(['load', '--profile', 'everything']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /Allowed choices are transfers, token, hot-account, amm, mixed/);
    assert.equal((await heddle(['load', '--rate', '0'])).code, 2);
    const none = await heddle(['load', '--url', node.url, '--compare', join(directory, 'none.json')]);
    assert.equal(none.code, 1);
    assert.match(none.err, /^heddle: --compare: cannot read .*none\.json/m);
    const down = await heddle(['load', '--url', 'http://127.0.0.1:2']);
    assert.equal(down.code, 1);
    assert.match(down.err, /is it running/);
  });
});

test('heddle load asks for a key if the development accounts have no balance', async () => {
  const poor = await FakeNode.start({
    accounts: ({ addresses }) => ({
      accounts: addresses.map((address) => ({
        address,
        exists: false,
        balance: 0n,
        lanes: [],
        deploy_index: 0n,
        is_contract: false,
      })),
      height: 1n,
    }),
  });
  try {
    const [old, other] = [join(directory, 'old.json'), join(directory, 'other.html')];
    writeFileSync(old, 'of an earlier load');
    const { code, err } = await heddle(['load', '--url', poor.url, '--report', old, '--html', other]);
    assert.equal(code, 1);
    assert.equal(readFileSync(old, 'utf8'), 'of an earlier load');
    assert.equal(existsSync(other), false);
    assert.match(err, /^heddle: the development accounts have no balance here.*--key FILE/m);
  } finally {
    await poor.stop();
  }
});

describe('heddle simulate', () => {
  const transfer = (amount: number) => ({
    method: 'tx_simulate',
    params: {
      build: {
        sender: formatAddress(devAccount(1).address),
        action: { type: 'transfer', value: { to: formatAddress(devAccount(2).address), amount } },
      },
    },
    id: { amount },
  });

  test('sends a file of calls to the node, and continues where it was cut off', async () => {
    const [calls, results] = [join(directory, 'calls.ndjson'), join(directory, 'results.ndjson')];
    const lines = Array.from({ length: 120 }, (_, n) => JSON.stringify(transfer(n)));
    writeFileSync(calls, lines.join('\n'));
    const first = await heddle(['simulate', calls, '--out', results, '--url', node.url]);
    assert.equal(first.code, 0, first.err);
    assert.equal(first.err, '120 calls, 120 answered, 0 failed\n');
    const whole = readFileSync(results, 'utf8');
    const parsed = whole
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { line: number; id: { amount: number }; result: { gas_used: number } },
      );
    assert.deepEqual(
      parsed.map(({ line, id }) => [line, id.amount]),
      lines.map((_, n) => [n + 1, n]),
    );
    assert.ok(parsed.every(({ result }) => result.gas_used >= 10_000));

    assert.equal((await heddle(['simulate', calls, '--out', results, '--url', node.url])).code, 1);
    writeFileSync(results, whole.slice(0, whole.length / 2));
    const again = await heddle(['simulate', calls, '--out', results, '--resume', '--url', node.url]);
    assert.equal(again.code, 0, again.err);
    const resumed = readFileSync(results, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      resumed.map((line) => (JSON.parse(line) as { line: number }).line),
      lines.map((_, n) => n + 1),
    );
  });

  test('reads standard input, reports failed calls, and ends with 1', async () => {
    const running = startHeddle(['simulate', '-', '--url', node.url], { stdin: 'pipe' });
    running.child.stdin?.end(`${JSON.stringify(transfer(1))}\nnonsense\n`);
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 1);
    assert.match(stderr, /2 calls, 1 answered, 1 failed/);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line) as object)),
      [
        ['line', 'id', 'method', 'result'],
        ['line', 'error'],
      ],
    );
  });

  test('sends a token to methods that need one', async () => {
    const calls = join(directory, 'build.ndjson');
    const { build } = transfer(1).params;
    writeFileSync(calls, JSON.stringify({ method: 'tx_build_simulate', params: build }));
    const asked = ['simulate', calls, '--url', node.url];
    const without = await heddle(asked);
    assert.equal(without.code, 1);
    assert.match(without.out, /"kind":"unauthorized"/);
    const token = join(node.dataDir, 'admin.token');
    const { code, out } = await heddle([...asked, '--token-file', token]);
    assert.equal(code, 0);
    assert.match(out, /^\{"line":1,"method":"tx_build_simulate","result":\{"build":/);
    const wrong = await heddle([...asked, '--token-file', calls.replace('build', 'no')]);
    assert.match(wrong.err, /^heddle: --token-file: cannot read .*ENOENT/);
  });

  test('leaves a file with other contents unchanged', async () => {
    const [calls, notes] = [join(directory, 'one.ndjson'), join(directory, 'notes.txt')];
    writeFileSync(calls, JSON.stringify(transfer(1)));
    writeFileSync(notes, 'a single line');
    const { code, err } = await heddle(['simulate', calls, '--out', notes, '--resume', '--url', node.url]);
    assert.equal(code, 1);
    assert.match(err, /its last line is not a result of an earlier run/);
    assert.equal(readFileSync(notes, 'utf8'), 'a single line');
  });

  test('fails if standard output cannot be written', {
    skip: !existsSync('/dev/full') && 'no /dev/full',
  }, async () => {
    const calls = join(directory, 'one.ndjson');
    writeFileSync(calls, JSON.stringify(transfer(1)));
    const full = openSync('/dev/full', 'w');
    try {
      for (const args of [['simulate', calls, '--url', node.url], ['--version']]) {
        const { code, stderr } = await runHeddle(args, { stdout: full });
        assert.equal(code, 1, args[0]);
        assert.match(stderr, /^heddle: cannot write to standard output: ENOSPC/m);
        assert.doesNotMatch(stderr, /\n {4}at /);
      }
    } finally {
      closeSync(full);
    }
  });

  test('reports problems with its files and its node', async () => {
    assert.equal((await heddle(['simulate', '-', '--resume'])).code, 2);
    const missing = await heddle(['simulate', join(directory, 'missing'), '--url', node.url]);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /^heddle: cannot read .*ENOENT/);
  });
});

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { flameGraph } from '../../../src/cli/load/flame-graph.js';
import { BOB } from '../../support/actions.js';
import { PROBE } from '../../support/contracts/assembled-contracts.js';
import { heddle } from '../../support/nodes/command-line.js';
import { ContractNode } from '../../support/nodes/contract-node.js';
import { FakeNode } from '../../support/nodes/fake-node.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

interface Line {
  readonly height: number;
  readonly index: number;
  readonly tx_hash: string;
  readonly receipt: { readonly gas_used: number };
  readonly trace: { readonly call_tree: { readonly gas_used: number } };
}

describe('trace and replay', () => {
  let world: ContractNode;
  let directory: string;
  let hashes: readonly string[];

  before(async () => {
    directory = temporaryDirectory();
    world = await ContractNode.start({ workers: '1' });
    const probe = Buffer.from(world.probe.slice(2), 'hex');
    const probing = (input: string) => ({
      type: 'call' as const,
      value: { contract: probe, input: Buffer.from(input.slice(2), 'hex'), value: 0n },
    });
    hashes = await world.seal([
      world.pay(10),
      { type: 'transfer', value: { to: probe, amount: 12_345n } },
      probing(PROBE.revert),
      probing(PROBE.trap),
      world.pay(5),
    ]);
  });
  after(async () => {
    await world?.stop();
    removeDirectory(directory);
  });

  const run = (...args: readonly string[]) => heddle([...args, '--url', world.node.url], {}, directory);

  test('draw the calls of a transaction with names, events and gas', async () => {
    const { code, out, err } = await run('trace', hashes[0] ?? '');
    assert.equal(err, '');
    assert.equal(code, 0);
    assert.match(out, /^transaction {2}[0-9a-f]{64}\nblock {8}2 \(index 0\)\nstatus {7}success\n/);
    assert.match(
      out,
      new RegExp(`\ncall ${world.token} transfer\\(to: ${BOB}, amount: 10\\) {2}[\\d,]+ gas\n`),
    );
    assert.match(
      out,
      new RegExp(`\n└─ event Transfer\\(from: 0x\\w+, to: ${BOB}, amount: 10\\) of ${world.token}\n`),
    );
  });

  test('show how a transaction failed, and the amounts that a transfer moved', async () => {
    assert.match(
      (await run('trace', hashes[1] ?? '')).out,
      /\ntransfer 0x\w+ → 0x\w+: 12,345 {2}[\d,]+ gas\n/,
    );
    assert.match((await run('trace', hashes[2] ?? '')).out, /gas {2}reverted: not today\n/);
    assert.match((await run('trace', hashes[3] ?? '')).out, /gas {2}trapped \(unreachable\) in fall: /);
  });

  test('show every tracer, as text and as JSON', async () => {
    const all = 'call_tree,host_ops,state_diff,prestate,gas_profile';
    const { out } = await run('trace', hashes[0] ?? '', '--tracer', all);
    for (const heading of ['host operations:', 'state diff:', 'prestate:', 'gas by function:']) {
      assert.match(out, new RegExp(`\n${heading}\n`));
    }
    assert.match(out, /storage_write\(slot: [0-9a-f]{64}, value: 0x/);
    const { out: json } = await run('trace', hashes[0] ?? '', '--tracer', all, '--json');
    assert.deepEqual(Object.keys(JSON.parse(json).trace), [
      ...['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile', 'truncated'],
    ]);
  });

  test('write a self-contained flame graph', async () => {
    const { code, out } = await run('trace', hashes[0] ?? '', '--flame', 'gas.svg');
    assert.equal(code, 0);
    assert.doesNotMatch(out, /gas by function/);
    const svg = readFileSync(join(directory, 'gas.svg'), 'utf8');
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    assert.match(svg, /<title>Token\.transfer: [\d,]+ gas, [\d.]+%<\/title>/);
    assert.match(svg, /<title>heddle\.storage_write: /);
    assert.equal(svg.match(/http/g)?.length, 1);
  });

  test('refuse an invalid hash, an unknown one, or an output that cannot be written', async () => {
    assert.equal((await run('trace', '0x1234')).code, 2);
    assert.equal((await run('trace', 'ab'.repeat(32), '--tracer', 'everything')).code, 2);
    const missing = await run('trace', 'ab'.repeat(32));
    assert.equal(missing.code, 1);
    assert.match(missing.err, /not_found/);
    const nowhere = await run('trace', hashes[0] ?? '', '--flame', 'no/such/folder/gas.svg');
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.err, /--flame: cannot write/);
  });

  test('replay a range, check it against its receipts, and continue after the end of a file', async () => {
    const path = join(directory, 'traces.ndjson');
    const first = await run('replay', '--from', '1', '--to', '2', '--out', 'traces.ndjson');
    assert.equal(first.code, 0, first.err);
    assert.match(
      first.out,
      /^replayed blocks 1 to 2: 7 transactions, \d+ gas: all come out as their receipts say\n$/,
    );
    const whole = readFileSync(path, 'utf8');
    const lines: Line[] = whole
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ height, index }) => `${height}/${index}`),
      ['1/0', '1/1', '2/0', '2/1', '2/2', '2/3', '2/4'],
    );
    assert.deepEqual(
      lines.slice(2).map(({ tx_hash: hash }) => hash),
      hashes,
    );
    for (const { receipt, trace } of lines) assert.equal(trace.call_tree.gas_used, receipt.gas_used);

    // The file ends as after a kill in the middle of the fifth line.
    const lengths = whole.split('\n').map((line) => line.length + 1);
    truncateSync(path, lengths.slice(0, 4).reduce((sum, length) => sum + length, 0) + 100);
    const second = await run('replay', '--from', '1', '--to', '2', '--out', 'traces.ndjson');
    assert.equal(second.code, 0, second.err);
    assert.match(second.out, /: 3 transactions, \d+ gas; 4 were in the file already: all come out/);
    assert.equal(readFileSync(path, 'utf8'), whole);

    const third = await run('replay', '--from', '1', '--out', 'traces.ndjson', '--json');
    const { to: _, ...report } = JSON.parse(third.out) as Record<string, unknown>;
    assert.deepEqual(report, { from: 1, traced: 0, skipped: 7, gas: 0, differences: [] });
    appendFileSync(path, 'something else\n');
    const foreign = await run('replay', '--from', '1', '--out', 'traces.ndjson');
    assert.equal(foreign.code, 1);
    assert.match(foreign.err, /its last line is not a trace of "heddle replay"/);
  });

  test('leave a file with other contents unchanged', async () => {
    const path = join(directory, 'notes.txt');
    for (const notes of ['a single line', 'a line\nand another', '{"height":1,"index":0}\nand another']) {
      writeFileSync(path, notes);
      const { code, err } = await run('replay', '--from', '1', '--out', 'notes.txt');
      assert.equal(code, 1, notes);
      assert.match(err, /notes\.txt: its last line is not a trace of "heddle replay"; name another file/);
      assert.equal(readFileSync(path, 'utf8'), notes);
    }
  });

  test('report an answer of the node that is not a trace', async (t) => {
    const fake = await FakeNode.start({
      status: () => world.client.status(),
      get_txs_in_range: (args) => world.client.get_txs_in_range(args),
    });
    t.after(() => fake.stop());
    for (const result of [null, {}, { receipt: null, trace: {} }, { receipt: {}, trace: null }]) {
      fake.interfere = ({ body }) => {
        const calls = [body].flat() as readonly { readonly id: number; readonly method: string }[];
        if (calls[0]?.method !== 'chain_traceTransaction') return undefined;
        const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result }));
        return { kind: 'answer', status: 200, body: JSON.stringify(answers) };
      };
      const { code, err } = await heddle(['replay', '--from', '2', '--url', fake.url], {}, directory);
      assert.equal(code, 1);
      assert.match(err, /the trace of [0-9a-f]{64} lacks gas_used or status/);
    }
  });

  test('do not claim to have replayed blocks that do not exist yet', async () => {
    const to = await run('replay', '--from', '1', '--to', '1000');
    assert.deepEqual(
      [to.code, to.out, to.err],
      [1, '', "heddle: --to 1000: the chain's last block is 2 so far\n"],
    );
    const from = await run('replay', '--from', '1000');
    assert.match(from.err, /^heddle: --from 1000: the chain's last block is 2 so far$/m);
  });

  test('replay with other tracers and without a file, and refuse a range that runs backwards', async () => {
    writeFileSync(join(directory, 'empty.ndjson'), '');
    const diffs = [
      'replay',
      '--from',
      '2',
      '--tracer',
      'state_diff',
      '--out',
      'empty.ndjson',
      '--concurrency',
      '2',
    ];
    assert.equal((await run(...diffs)).code, 0);
    const [line = ''] = readFileSync(join(directory, 'empty.ndjson'), 'utf8').split('\n');
    assert.deepEqual(Object.keys(JSON.parse(line).trace), ['state_diff', 'truncated']);
    assert.match((await run('replay', '--from', '2')).out, /^replayed blocks 2 to 2: 5 transactions/);
    assert.equal((await run('replay', '--from', '2', '--to', '1')).code, 2);
    assert.equal((await run('replay')).code, 2);
  });
});

test('a flame graph’s boxes are as wide as their share of the gas', () => {
  const svg = flameGraph(['a 25', 'a;b 50', 'a;<c> 25'], 'a title');
  const widths = [...svg.matchAll(/<title>(.*?): .*?<rect [^>]* width="([\d.]+)"/g)].map(
    ([, name, width]) => [name, Number(width)],
  );
  assert.deepEqual(widths.slice().sort(), [
    ['&lt;c&gt;', 295],
    ['a', 1_180],
    ['all', 1_180],
    ['b', 590],
  ]);
});

test('the labels of a flame graph leave out directories; the names of its boxes are whole', () => {
  const svg = flameGraph(['lib/storage/read 50', 'lib/tokens/move 50'], 'a title');
  assert.deepEqual(
    [...svg.matchAll(/<title>(.*?): .*?<text [^>]*>(.*?)<\/text>/g)].map(([, name, label]) => [name, label]),
    [
      ['all', 'all'],
      ['lib/tokens/move', 'move'],
      ['lib/storage/read', 'read'],
    ],
  );
});

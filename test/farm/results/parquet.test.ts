import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { openFolder } from '../../../src/farm/results/folder.js';
import type { Manifest } from '../../../src/farm/results/manifest.js';
import { ParquetResults } from '../../../src/farm/results/parquet-results.js';
import type { ByteTarget, Compression, ResultKind } from '../../../src/farm/results/result-writer.js';
import { ResultsError } from '../../../src/farm/results/result-writer.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { BLOCK_HASH, callLine, callLines, LARGE, traceLine } from './lines.js';

type Decompress = (bytes: Uint8Array) => Uint8Array;

/** Of Node 22.15 and later; the types are older. */
const unzstd = (zlib as { readonly zstdDecompressSync?: Decompress }).zstdDecompressSync;

/** A page without values is empty, and readers do not decompress it. */
const unlessEmpty = (decompress: Decompress) => (bytes: Uint8Array) =>
  new Uint8Array(bytes.length === 0 ? bytes : decompress(bytes));

const compressors = {
  GZIP: unlessEmpty((bytes) => zlib.gunzipSync(bytes)),
  ...(unzstd !== undefined && { ZSTD: unlessEmpty(unzstd) }),
};

/** Keeps a copy of the bytes, as their buffer is used again. */
class Memory implements ByteTarget {
  readonly chunks: Buffer[] = [];
  closed = false;

  async write(bytes: Uint8Array): Promise<void> {
    this.chunks.push(Buffer.from(bytes));
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  async abort(): Promise<void> {
    this.chunks.length = 0;
  }
}

function bufferOf(bytes: Buffer): AsyncBuffer {
  const copy = new Uint8Array(bytes).buffer;
  return { byteLength: copy.byteLength, slice: (start, end) => copy.slice(start, end) };
}

async function rowsOf(bytes: Buffer): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: bufferOf(bytes), compressors });
}

async function written(
  lines: readonly string[],
  kind: ResultKind,
  compress: Compression,
  limits?: { rows: number; characters: number },
): Promise<Memory> {
  const target = new Memory();
  const writer = await ParquetResults.open(target, kind, compress, limits);
  await writer.write(lines);
  await writer.close();
  assert.ok(target.closed);
  return target;
}

for (const compress of ['none', 'gzip', ...(unzstd === undefined ? [] : (['zstd'] as const))] as const) {
  test(`calls come back from Parquet as they were (${compress})`, async () => {
    const lines = callLines(300);
    const rows = await rowsOf(Buffer.concat((await written(lines, 'calls', compress)).chunks));
    assert.equal(rows.length, 300);
    const common = { method: 'tx_simulate', height: 100n, block_hash: BLOCK_HASH };
    const id = (line: number) => `{"n":[${line}, "ü\\n"]}`;
    assert.deepEqual(rows.slice(0, 3), [
      {
        line: 1n,
        id: id(1),
        ...common,
        status: 'success',
        gas_used: 21_001n,
        error_name: null,
        error_kind: null,
        error_message: null,
        result: `{"status":{"type":"success","value":null},"gas_used":21001,"fee":${LARGE}}`,
      },
      {
        line: 2n,
        id: id(2),
        ...common,
        status: 'reverted',
        gas_used: 7n,
        error_name: null,
        error_kind: null,
        error_message: null,
        result: '{"status":{"type":"reverted","value":{"data":"0x"}},"gas_used":7,"fee":0}',
      },
      {
        line: 3n,
        id: id(3),
        ...common,
        status: null,
        gas_used: null,
        error_name: null,
        error_kind: 'limit_exceeded',
        error_message: 'call "3" needs more gas',
        result: null,
      },
    ]);
    assert.equal(rows.at(-1)?.['line'], 300n);
  });
}

test('traces have columns of their own', async () => {
  const failed = '{"line":2,"height":7,"error":{"kind":"pruned","message":"gone"}}';
  const target = await written([traceLine(1), failed], 'traces', 'gzip');
  const rows = await rowsOf(Buffer.concat(target.chunks));
  const [first, second] = rows;
  assert.deepEqual(first, {
    line: 1n,
    height: 7n,
    index: 0n,
    tx_hash: 'cd'.repeat(32),
    block_hash: BLOCK_HASH,
    status: 'out_of_gas',
    gas_used: 50_000n,
    error_name: null,
    error_kind: null,
    error_message: null,
    receipt: '{"status":{"type":"out_of_gas","value":null},"gas_used":50000}',
    trace: `{"value":${LARGE}}`,
  });
  assert.deepEqual(
    { index: second?.['index'], kind: second?.['error_kind'], trace: second?.['trace'] },
    { index: null, kind: 'pruned', trace: null },
  );
});

test('the status of results in several parts is the execution’s', async () => {
  const status = '"status":{"type":"trapped","value":{}},"gas_used":5';
  const results = [
    `{"simulation":{${status}},"trace":{}}`,
    `{"build":{"status":1},"simulation":{${status}}}`,
    `{"result":{${status}},"trace":{}}`,
    `{"receipt":{${status}},"trace":{}}`,
    '{"steps":[],"gas_used":9,"completed":true}',
    '{"results":[],"gas_used":9,"atomic_success":false}',
    '{"status":{"type":"success"},"gas_used":18446744073709551615}',
    'null',
    '[1]',
  ];
  const lines = results.map((result, place) => `{"line":${place + 1},"result":${result}}`);
  const target = await written(lines, 'calls', 'none');
  const rows = await rowsOf(Buffer.concat(target.chunks));
  assert.deepEqual(
    rows.map((row) => [row['status'], row['gas_used']]),
    [
      ...Array.from({ length: 4 }, () => ['trapped', 5n]),
      ['success', 9n],
      ['incomplete', 9n],
      // Beyond 64 bits with a sign.
      ['success', null],
      [null, null],
      [null, null],
    ],
  );
  assert.deepEqual(
    rows.map((row) => row['result']),
    results,
  );
});

test('a reverted call has the name of its declared error, but never a hostile name', async () => {
  const reverted = (error: unknown) =>
    `{"status":{"type":"reverted","value":{"data":"0x","error":${JSON.stringify(error)}}},"gas_used":5}`;
  const declared = reverted({ name: 'InsufficientBalance', args: { available: '1' } });
  const cases = [
    [declared, 'InsufficientBalance'],
    [`{"simulation":${declared},"trace":{}}`, 'InsufficientBalance'],
    [reverted({ name: '</td>', args: {} }), null],
    [reverted({ name: 'x'.repeat(65), args: {} }), null],
    [reverted({ name: 7 }), null],
    [reverted('InsufficientBalance'), null],
    ['{"status":{"type":"reverted"},"gas_used":5}', null],
    // Only a revert has the error of a contract.
    ['{"status":{"type":"trapped","value":{"error":{"name":"A","args":{}}}},"gas_used":5}', null],
  ] as const;
  const lines = cases.map(([result], place) => `{"line":${place + 1},"result":${result}}`);
  const rows = await rowsOf(Buffer.concat((await written(lines, 'calls', 'none')).chunks));
  assert.deepEqual(
    rows.map((row) => row['error_name']),
    cases.map(([, name]) => name),
  );
  const trace = `{"line":1,"height":7,"receipt":${declared},"trace":{}}`;
  const [row] = await rowsOf(Buffer.concat((await written([trace], 'traces', 'none')).chunks));
  assert.equal(row?.['error_name'], 'InsufficientBalance');
});

test('row groups end at a number of rows and at a size, and leave before the next begins', async () => {
  const target = new Memory();
  const writer = await ParquetResults.open(target, 'calls', 'none', { rows: 100, characters: 1e9 });
  await writer.write(callLines(250));
  assert.equal(target.chunks.length, 2);
  await writer.close();
  const metadata = await parquetMetadataAsync(bufferOf(Buffer.concat(target.chunks)));
  assert.deepEqual(
    metadata.row_groups.map((group) => group.num_rows),
    [100n, 100n, 50n],
  );
  assert.deepEqual(
    (await rowsOf(Buffer.concat(target.chunks))).map((row) => row['line']),
    Array.from({ length: 250 }, (_, place) => BigInt(place + 1)),
  );
  const limits = { rows: 1_000, characters: 10 * callLine(1).length };
  const small = await written(callLines(100), 'calls', 'none', limits);
  assert.ok(small.chunks.length >= 8, `${small.chunks.length} chunks`);
});

test('a line that is no result is refused, and the file does not become complete without it', async () => {
  const isBadLine = (error: unknown) => error instanceof ResultsError && error.code === 'bad_line';
  for (const line of ['', 'null', '{"line":1', '{"line":-1}', '{"id":1}', '{"line":1,"error":{"kind":}}']) {
    const target = new Memory();
    const writer = await ParquetResults.open(target, 'calls', 'none');
    await assert.rejects(writer.write([callLine(1), line]), isBadLine, line);
    await assert.rejects(writer.close(), isBadLine, line);
    assert.equal(target.closed, false);
  }
});

test('a folder of Parquet files lists the hashes of the lines', async (t) => {
  const folder = temporaryDirectory();
  t.after(() => removeDirectory(folder));
  const form = { format: 'parquet', compress: 'gzip', kind: 'calls', run: 'r', linesPerFile: 60 } as const;
  const lines = callLines(100);
  const first = await openFolder(folder, form);
  t.after(() => first.writer.abort());
  await first.writer.write(lines.slice(0, 70));
  const { writer, skipLines } = await openFolder(folder, form);
  assert.equal(skipLines, 60);
  await writer.write(lines.slice(60));
  await writer.close();
  const { files } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Manifest;
  assert.deepEqual(
    files.map(({ name }) => name),
    ['results-00001.parquet', 'results-00002.parquet'],
  );
  const rows = [];
  for (const { name } of files) rows.push(...(await rowsOf(readFileSync(join(folder, name)))));
  assert.deepEqual(
    rows.map((row) => row['line']),
    lines.map((_, place) => BigInt(place + 1)),
  );
});

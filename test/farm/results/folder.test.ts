import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { packageRoot } from '../../../src/config/package-info.js';
import { type FolderOptions, openFolder } from '../../../src/farm/results/folder.js';
import type { Manifest } from '../../../src/farm/results/manifest.js';
import { ResultsError, type ResultsErrorCode } from '../../../src/farm/results/result-writer.js';
import { removeDirectory, temporaryDirectory } from '../../support/nodes/node-process.js';
import { callLines } from './lines.js';

const OPTIONS: FolderOptions = {
  format: 'ndjson',
  compress: 'gzip',
  kind: 'calls',
  run: 'run-1',
  linesPerFile: 100,
};

function folderOf(t: TestContext): string {
  const directory = temporaryDirectory();
  t.after(() => removeDirectory(directory));
  return join(directory, 'some', 'results');
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Manifest;
}

/** The lines of all listed files. */
function linesIn(folder: string): string[] {
  return manifestOf(folder).files.flatMap(({ name, lines, bytes, sha256 }) => {
    const content = readFileSync(join(folder, name));
    assert.equal(content.length, bytes);
    const text = name.endsWith('.gz') ? gunzipSync(content) : content;
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
    const found = text.toString().split('\n').slice(0, -1);
    assert.equal(found.length, lines);
    return found;
  });
}

const rejects = (promise: Promise<unknown>, code: ResultsErrorCode, message: RegExp) =>
  assert.rejects(
    promise,
    (error) => error instanceof ResultsError && error.code === code && message.test(error.message),
  );

test('files have the same number of lines whatever the batches, and the manifest lists them', async (t) => {
  const folder = folderOf(t);
  const lines = callLines(250);
  const { skipLines, writer } = await openFolder(folder, OPTIONS);
  assert.equal(skipLines, 0);
  for (const [from, to] of [
    [0, 1],
    [1, 99],
    [99, 240],
    [240, 250],
  ] as const) {
    await writer.write(lines.slice(from, to));
  }
  assert.deepEqual(
    manifestOf(folder).files.map(({ lines: count }) => count),
    [100, 100],
  );
  await writer.close();
  const { files, ...rest } = manifestOf(folder);
  assert.deepEqual(rest, {
    version: 1,
    run: 'run-1',
    kind: 'calls',
    format: 'ndjson',
    compress: 'gzip',
    lines_per_file: 100,
    complete: true,
    lines: 250,
  });
  assert.deepEqual(
    files.map(({ name }) => name),
    ['results-00001.ndjson.gz', 'results-00002.ndjson.gz', 'results-00003.ndjson.gz'],
  );
  assert.deepEqual(linesIn(folder), lines);
  assert.deepEqual(readdirSync(folder).sort(), [...files.map(({ name }) => name), 'results.json']);
});

test('a later command continues after the last complete file, and then there is nothing left to do', async (t) => {
  const folder = folderOf(t);
  const lines = callLines(330);
  const first = await openFolder(folder, OPTIONS);
  // A process that is killed neither closes nor aborts.
  t.after(() => first.writer.abort());
  await first.writer.write(lines.slice(0, 270));
  assert.equal(readdirSync(folder).filter((name) => name.endsWith('.part')).length, 1);
  writeFileSync(join(folder, 'mine.0123abcd.part'), '');
  const second = await openFolder(folder, OPTIONS);
  assert.equal(second.skipLines, 200);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    ['mine.0123abcd.part'],
  );
  await second.writer.write(lines.slice(200, 299));
  await second.writer.abort();
  const third = await openFolder(folder, OPTIONS);
  assert.equal(third.skipLines, 200);
  await third.writer.write(lines.slice(200));
  await third.writer.close();
  assert.deepEqual(linesIn(folder), lines);
  const fourth = await openFolder(folder, OPTIONS);
  assert.equal(fourth.skipLines, 330);
  await fourth.writer.write([]);
  await fourth.writer.close();
  assert.deepEqual(linesIn(folder), lines);
  await rejects((await openFolder(folder, OPTIONS)).writer.write(['{}']), 'other_results', /complete/);
});

test('a file that was renamed but not listed is written again', async (t) => {
  const folder = folderOf(t);
  const { writer } = await openFolder(folder, OPTIONS);
  const lines = callLines(100);
  await writer.write(lines);
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ ...manifestOf(folder), lines: 0, files: [] }));
  const again = await openFolder(folder, OPTIONS);
  assert.equal(again.skipLines, 0);
  await again.writer.write(lines);
  await again.writer.close();
  assert.deepEqual(linesIn(folder), lines);
});

test('a process whose incomplete file another one has removed ends with an error, and does no harm', async (t) => {
  const folder = folderOf(t);
  const lines = callLines(100);
  const first = await openFolder(folder, OPTIONS);
  await first.writer.write(lines.slice(0, 50));
  const second = await openFolder(folder, OPTIONS);
  await second.writer.write(lines.slice(0, 60));
  await rejects(first.writer.write(lines.slice(50)), 'in_use', /one process/);
  await first.writer.abort();
  await second.writer.write(lines.slice(60));
  await second.writer.close();
  assert.deepEqual(linesIn(folder), lines);
});

test('an empty run has a complete folder without files', async (t) => {
  const folder = folderOf(t);
  const { writer } = await openFolder(folder, { ...OPTIONS, linesPerFile: 5 });
  await writer.close();
  assert.deepEqual(readdirSync(folder), ['results.json']);
  assert.equal(manifestOf(folder).complete, true);
});

test('the folder of another run, or of other settings, is refused and stays as it is', async (t) => {
  const folder = folderOf(t);
  const { writer } = await openFolder(folder, OPTIONS);
  await writer.write(callLines(120));
  await writer.close();
  const before = readFileSync(join(folder, 'results.json'), 'utf8');
  for (const [changed, message] of [
    [{ run: 'run-2' }, /run run-1, not run-2.*another folder/],
    [{ kind: 'traces' }, /kind calls, not traces/],
    [{ format: 'parquet' }, /format ndjson, not parquet/],
    [{ compress: 'none' }, /compress gzip, not none/],
    [{ linesPerFile: 50 }, /lines per file 100, not 50/],
  ] as const) {
    await rejects(openFolder(folder, { ...OPTIONS, ...changed }), 'other_results', message);
  }
  assert.equal(readFileSync(join(folder, 'results.json'), 'utf8'), before);
  rmSync(join(folder, 'results.json'));
  await rejects(
    openFolder(folder, OPTIONS),
    'other_results',
    /results-0000\d\.ndjson\.gz, but no results\.json/,
  );
});

test('a folder whose files are not those of its manifest is refused', async (t) => {
  const folder = folderOf(t);
  const { writer } = await openFolder(folder, OPTIONS);
  await writer.write(callLines(120));
  await writer.close();
  const good = manifestOf(folder);
  const path = join(folder, 'results.json');
  const [first, second] = good.files;
  assert.ok(first !== undefined && second !== undefined);
  for (const [manifest, message] of [
    [{ ...good, complete: false }, /results-00002\.ndjson\.gz has 20 lines/],
    [{ ...good, lines: 119 }, /says 119 lines, its files have 120/],
    [{ ...good, files: [second, first] }, /lists results-00002/],
    [{ ...good, files: [{ ...first, name: '../results' }] }, /lists \.\.\/results/],
    [{ ...good, lines_per_file: 0 }, /lines_per_file/],
    [{ ...good, version: 2 }, /version/],
    [[], /not a manifest/],
  ] as const) {
    writeFileSync(path, JSON.stringify(manifest));
    await rejects(openFolder(folder, OPTIONS), 'damaged', message);
  }
  writeFileSync(path, '{"version":');
  await rejects(openFolder(folder, OPTIONS), 'damaged', /not a manifest of results/);
  writeFileSync(path, JSON.stringify(good));
  appendFileSync(join(folder, first.name), 'x');
  await rejects(openFolder(folder, OPTIONS), 'damaged', /bytes, it was written with/);
  rmSync(join(folder, first.name));
  await rejects(openFolder(folder, OPTIONS), 'damaged', /ENOENT.*restore the folder/);
});

test('a folder that cannot be made is an error with its reason', async (t) => {
  const folder = folderOf(t);
  await openFolder(folder, OPTIONS);
  const file = join(folder, 'results.json');
  await rejects(openFolder(file, OPTIONS), 'unwritable', /results\.json.*EEXIST|ENOTDIR/);
});

/** Writes incompressible lines, two files of them, and prints the error. */
const WRITE_UNTIL_FULL = `
const { openFolder } = await import(process.argv[1]);
const { skipLines, writer } = await openFolder(process.argv[2], JSON.parse(process.argv[3]));
try {
  for (let line = skipLines + 1; line <= 200; line++) await writer.write([JSON.stringify({ line, x: 'y'.repeat(line) })]);
  await writer.close();
  console.log('complete');
} catch (error) {
  console.log(error.code, error.message);
  await writer.abort();
  try { await writer.close(); } catch (again) { console.log(again.code); }
}
`;

test('without space for a file, the complete ones stay, and the run continues once there is space', (t) => {
  const folder = folderOf(t);
  const options: FolderOptions = { ...OPTIONS, compress: 'none', linesPerFile: 100 };
  const module = pathToFileURL(join(packageRoot(), 'dist/src/farm/results/folder.js')).href;
  // A limit on the size of files fails like a full disk. The second file is larger than the first.
  const run = (limit: string) =>
    spawnSync(
      'bash',
      [
        '-c',
        `ulimit -f ${limit}; exec "$0" --input-type=module -e "$1" "$2" "$3" "$4"`,
        process.execPath,
      ].concat([WRITE_UNTIL_FULL, module, folder, JSON.stringify(options)]),
      { encoding: 'utf8' },
    );
  const full = run('8');
  assert.match(
    full.stdout,
    /^unwritable cannot write .*results-00002\.ndjson\.[0-9a-f]{8}\.part: EFBIG/,
    full.stderr,
  );
  assert.match(full.stdout, /\nunwritable\n$/);
  assert.deepEqual(readdirSync(folder).sort(), ['results-00001.ndjson', 'results.json']);
  assert.equal(run('unlimited').stdout, 'complete\n');
  assert.equal(linesIn(folder).length, 200);
});

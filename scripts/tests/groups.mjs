// Decides which test files share a process. Starting a process and loading the modules takes longer than most files' tests,
// so files that need nothing of their own run together, by folder.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from '../build/places.mjs';

const IMPORT_TESTS = new URL('./import-tests.mjs', import.meta.url).href;

/** Hooks, state and memory of the whole process, threads, and waiting while the file loads. */
const NEEDS_PROCESS =
  /^(before|after|beforeEach|afterEach)\(|\bmock\.|\bprocess\.(env\S* = |chdir|exitCode|memoryUsage)|from 'node:(worker_threads|v8|cluster)'|^const .*\bawait\b/m;
/** Mostly tests that start nodes, which take longer. */
const STARTS_PROCESSES = /from 'node:child_process'/;
/** They all begin in this share of the run, so that a short test ends last. */
const STARTING_SHARE = 3 / 4;
/** Nodes that such tests start would run beside all tests of a group. */
const STARTS_WHILE_LOADING = /\bdescribe\(.*\basync\b/;

/**
 * Writes a file for each process. Its name begins with its place in the order, because node --test sorts its files. Tests of
 * nodes, which wait a lot, are spread among the others, which keep the cores busy meanwhile.
 * @param paths source files in test/
 * @param maxFiles files in a group: enough to save most starts, few enough to keep all cores busy until the end
 * @param maxStarting the same for files that start processes
 * @returns paths of files to give to node --test
 */
export function groupFiles(paths, { maxFiles, maxStarting }) {
  const isStarting = (path) => matches(path, STARTS_PROCESSES);
  const separate = paths.filter(
    (path) => matches(path, NEEDS_PROCESS) || (isStarting(path) && matches(path, STARTS_WHILE_LOADING)),
  );
  const sharing = paths.filter((path) => !separate.includes(path));
  const starting = sharing.filter(isStarting);
  const plain = sharing.filter((path) => !starting.includes(path));
  const directory = mkdtempSync(join(tmpdir(), 'heddle-test-groups-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const write = ([name, files], at) => {
    const place = String(at).padStart(3, '0');
    return writeGroup(join(directory, `${place}-${name.replaceAll('/', '+')}.mjs`), files);
  };
  return interleaved([
    { members: groupsByFolder(starting, maxStarting, 'nodes-'), end: STARTING_SHARE },
    { members: groupsByFolder(plain, maxFiles, ''), end: 1 },
    { members: separate.map(single), end: 1 },
  ]).map(write);
}

/** True if the pattern matches the text of the test or of a file of test/support that it imports. */
function matches(path, pattern, seen = new Set()) {
  const file = join(ROOT, 'test', path);
  if (seen.has(path) || !existsSync(file)) return false;
  seen.add(path);
  const text = readFileSync(file, 'utf8');
  if (pattern.test(text)) return true;
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '(\.[^']+)'/gm)]
    .map(([, target]) => normalize(join(dirname(path), target.replace(/js$/, 'ts'))))
    .filter((target) => !target.startsWith('..'))
    .some((target) => matches(target, pattern, seen));
}

/** @returns name and file of a group of one */
function single(path) {
  return [path.replace(/\.test\.ts$/, ''), [path]];
}

/** @returns names and files of groups */
function groupsByFolder(paths, most, suffix) {
  const folders = new Map();
  for (const path of paths) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : 'root';
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders].flatMap(([folder, files]) =>
    inParts(files, most).map((part, at) =>
      part.length === 1 ? single(part[0]) : [`${folder}-${suffix}${at + 1}`, part],
    ),
  );
}

/** Merges lists so that the members of each are spread evenly from 0 to its end, in their order. */
function interleaved(lists) {
  return lists
    .flatMap(({ members, end }) =>
      members.map((member, at) => ({ member, place: (end * (at + 0.5)) / members.length })),
    )
    .sort((a, b) => a.place - b.place)
    .map(({ member }) => member);
}

/** Splits a list into as few equal parts as have at most `most` members. */
function inParts(paths, most) {
  const count = Math.ceil(paths.length / most);
  return Array.from({ length: count }, (_, part) => paths.filter((_path, at) => at % count === part));
}

/** Writes a file that imports tests. @returns its path */
function writeGroup(file, paths) {
  const urls = paths.map((path) => pathToFileURL(compiledTest(path)).href);
  writeFileSync(
    file,
    `import { importTests } from '${IMPORT_TESTS}';\nawait importTests(${JSON.stringify(urls, null, 2)});\n`,
  );
  return file;
}

function compiledTest(path) {
  return join(DIST, 'test', path.replace(/ts$/, 'js'));
}

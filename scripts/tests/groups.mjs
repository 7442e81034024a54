// Decides which test files share a process. Starting a process and loading the modules takes longer than most files' tests,
// so files that need nothing of their own run together, by folder.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from '../build/places.mjs';

const IMPORT_TESTS = new URL('./import-tests.mjs', import.meta.url).href;

/** Tests that wait for networks of five to ten processes, and loads that use all cores. */
const ALONE = /^(e2e\/(validators-|localnet|end-under-flood)|docs\/commands)/;

/** Hooks of the whole process, state of the whole process, and other processes and threads. */
const NEEDS_PROCESS =
  /^(before|after|beforeEach|afterEach)\(|\bmock\.|\bprocess\.(env|chdir|exitCode|on|once|argv)\b|from 'node:(child_process|worker_threads|v8|cluster)'|^const .*\bawait\b/m;

/**
 * @param paths source files in test/
 * @param maxFiles files in a group: enough to save most starts, few enough to keep all cores busy until the end
 * @returns files to give to node --test, relative to the root: groups, single files, and files that run one by one
 */
export function groupFiles(paths, maxFiles) {
  const compiled = (path) => relative(ROOT, compiledTest(path));
  const alone = paths.filter((path) => ALONE.test(path));
  const others = paths.filter((path) => !ALONE.test(path));
  const separate = others.filter((path) => needsProcess(path));
  const sharing = others.filter((path) => !separate.includes(path));
  const directory = mkdtempSync(join(tmpdir(), 'heddle-test-groups-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return {
    shared: byFolder(sharing).flatMap(([folder, files]) =>
      inParts(files, maxFiles).map((part, at) =>
        writeGroup(join(directory, `${folder}-${at + 1}.mjs`), part),
      ),
    ),
    separate: separate.map(compiled),
    alone: alone.map(compiled),
  };
}

/** True if the test or a file of test/support that it imports needs a process of its own. */
function needsProcess(path, seen = new Set()) {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = readFileSync(join(ROOT, 'test', path), 'utf8');
  if (NEEDS_PROCESS.test(text)) return true;
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '(\.[^']+)'/gm)]
    .map(([, target]) => normalize(join(dirname(path), target.replace(/js$/, 'ts'))))
    .filter((target) => !target.startsWith('..'))
    .some((target) => needsProcess(target, seen));
}

function byFolder(paths) {
  const folders = new Map();
  for (const path of paths) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : 'root';
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders];
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

// Decides which test files share a process. Starting a process and loading the modules takes longer than most files' tests,
// so files that need nothing of their own run together, by folder.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { DIST, ROOT } from '../build/places.mjs';

const GROUPS = join(DIST, 'test-groups');
/** Files in a group: enough to save most starts, few enough to keep all cores busy until the end. */
const MAX_FILES = 16;

/** Tests that wait for networks of five to ten processes, and loads that use all cores. */
const ALONE = /^(e2e\/(validators-|localnet|end-under-flood)|docs\/commands)/;

/** Hooks of the whole process, state of the whole process, and other processes and threads. */
const NEEDS_PROCESS =
  /^(before|after|beforeEach|afterEach)\(|\bmock\.|\bprocess\.(env|chdir|exitCode|on|once|argv)\b|from 'node:(child_process|worker_threads|v8|cluster)'|^const .*\bawait\b/m;

/**
 * @param paths source files in test/
 * @returns files to give to node --test, relative to the root: groups, single files, and files that run one by one
 */
export function groupFiles(paths) {
  const compiled = (path) => relative(ROOT, join(DIST, 'test', path.replace(/ts$/, 'js')));
  const alone = paths.filter((path) => ALONE.test(path));
  const others = paths.filter((path) => !ALONE.test(path));
  const separate = others.filter((path) => needsProcess(path));
  const sharing = others.filter((path) => !separate.includes(path));
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  return {
    shared: byFolder(sharing).flatMap(([folder, files]) => writeGroups(folder, files)),
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

/** Writes the files that import the tests of a folder, in equal parts. @returns their paths */
function writeGroups(folder, paths) {
  const count = Math.ceil(paths.length / MAX_FILES);
  return Array.from({ length: count }, (_, index) => {
    const members = paths.filter((_path, at) => at % count === index);
    const file = join(GROUPS, `${folder}-${index + 1}.mjs`);
    const urls = members.map((path) => `../test/${path.replace(/ts$/, 'js')}`);
    writeFileSync(
      file,
      [
        `import { importTests } from '../../scripts/tests/import-tests.mjs';`,
        `await importTests(import.meta.url, ${JSON.stringify(urls, null, 2)});`,
        '',
      ].join('\n'),
    );
    return relative(ROOT, file);
  });
}

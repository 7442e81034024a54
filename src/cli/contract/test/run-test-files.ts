import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DebugBuild,
  hasRecords,
  parseRecords,
  planText,
  TEST_RUN_VARIABLE,
  type TestRecord,
} from '../../../contract-sdk/test-run.js';
import { CliError, UsageError } from '../../cli-error.js';
import { typeOptions } from '../../typescript-files.js';

const TEST_FOLDER = 'test';
const TEST_FILE = /\.test\.(?:[cm]?js|[cm]?ts)$/;

interface TestFiles {
  /** Folder of the project. */
  readonly folder: string;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  /** Only tests whose name matches this regular expression. */
  readonly name?: string;
  /** Modules that Node loads before the tests. */
  readonly imports: readonly string[];
}

/** Returns the given files, or all tests of the project. @throws CliError if there is none */
export async function findTestFiles(folder: string, given: readonly string[]): Promise<readonly string[]> {
  for (const file of given) {
    if (!existsSync(join(folder, file))) throw new UsageError(`${file}: there is no such file in ${folder}`);
  }
  if (given.length > 0) return given;
  const inside = join(folder, TEST_FOLDER);
  const names = existsSync(inside) ? await readdir(inside, { recursive: true }) : [];
  const found = names.filter((name) => TEST_FILE.test(name)).sort();
  if (found.length === 0) {
    throw new CliError(`${inside}: expected tests in files such as counter.test.mjs, found none`);
  }
  return found.map((name) => join(TEST_FOLDER, name));
}

/** Runs tests with Node's runner, which prints their results. The signal ends them. */
export async function runTestFiles(
  { folder, files, name, imports }: TestFiles,
  builds: readonly DebugBuild[],
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<{ readonly passed: boolean; readonly records: readonly TestRecord[] }> {
  const run = await mkdtemp(join(tmpdir(), 'heddle-test-run-'));
  try {
    const plan = planText(builds);
    await writeFile(join(run, plan.name), plan.text);
    const args = [
      ...(imports.length === 0 ? typeOptions(files) : []),
      ...imports.flatMap((module) => ['--import', module]),
      '--test',
      '--test-reporter=spec',
      ...(name === undefined ? [] : ['--test-name-pattern', name]),
      ...files,
    ];
    // Inside a test, Node's runner would not start another.
    const { NODE_TEST_CONTEXT: _, ...inherited } = environment;
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...inherited, [TEST_RUN_VARIABLE]: run },
    });
    const end = (): void => {
      child.kill('SIGTERM');
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const [code] = await once(child, 'close');
    signal.removeEventListener('abort', end);
    return { passed: code === 0, records: await recordsIn(run) };
  } finally {
    await rm(run, { recursive: true, force: true });
  }
}

async function recordsIn(run: string): Promise<readonly TestRecord[]> {
  const records: TestRecord[] = [];
  for (const file of (await readdir(run)).filter(hasRecords)) {
    for (const record of parseRecords(await readFile(join(run, file), 'utf8'))) records.push(record);
  }
  return records;
}

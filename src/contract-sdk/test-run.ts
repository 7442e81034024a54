import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallStatus } from '../vm/engine.js';

/** Environment variable with the folder of a run of tests. */
export const TEST_RUN_VARIABLE = 'HEDDLE_TEST_RUN';

const PLAN_FILE = 'plan.json';
const FUZZ_TEST = /\.fuzz\.test\.\w+$/;
const RECORD_PREFIX = 'record-';

/** An unoptimized build of a contract: it tells the sandbox the lines that a call runs. */
export interface DebugBuild {
  /** Hash of the deployed code that this build stands for: sha256, lowercase hex. */
  readonly codeHash: string;
  readonly code: Uint8Array;
  readonly sourceMap: string;
  /** The same code with a probe at every line; only if coverage is wanted. */
  readonly covered?: CoveredBuild;
}

export interface CoveredBuild {
  readonly code: Uint8Array;
  /** Index of the function of the first probe; the others follow. */
  readonly firstProbe: number;
  readonly probes: number;
}

/** A call of a contract's function in a test. */
export interface CallRecord {
  readonly contract: string;
  readonly method: string;
  readonly status: CallStatus;
  readonly gas: number;
}

/** Executions of the lines of a build by one call. */
export interface HitRecord {
  readonly codeHash: string;
  /** By number of the probe. */
  readonly hits: Readonly<Record<string, number>>;
}

export type TestRecord = { readonly call: CallRecord } | { readonly lines: HitRecord };

/** Takes what the contracts of a sandbox do. */
export interface TestRecorder {
  /** Debug builds of contracts; failed calls of these name their lines. */
  readonly builds: readonly DebugBuild[];
  /** Takes the gas of a call of a function, or the lines that it ran. */
  record(record: TestRecord): void;
}

/** What `heddle contract test` tells the processes of the tests. */
interface Plan {
  readonly builds: readonly DebugBuild[];
}

/** Bytes are Base64 in the plan. */
export function planText(builds: readonly DebugBuild[]): { readonly name: string; readonly text: string } {
  const text = JSON.stringify({ builds } satisfies Plan, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return { name: PLAN_FILE, text };
}

/**
 * Joins the run of tests in a folder, if there is one. Records survive a process that is killed.
 * @param testFile the file whose tests this process runs: fuzz tests record no gas, which is random with their inputs
 */
export function joinTestRun(folder: string, testFile = ''): TestRecorder | undefined {
  const path = join(folder, PLAN_FILE);
  if (!existsSync(path)) return undefined;
  const plan: Plan = JSON.parse(readFileSync(path, 'utf8'), (name, value) =>
    name === 'code' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
  );
  const records = join(folder, `${RECORD_PREFIX}${process.pid}`);
  return {
    builds: plan.builds,
    record: (record) => {
      if ('call' in record && FUZZ_TEST.test(testFile)) return;
      appendFileSync(records, `${JSON.stringify(record)}\n`);
    },
  };
}

/** Whether a file in the folder of a run has records. */
export function hasRecords(name: string): boolean {
  return name.startsWith(RECORD_PREFIX);
}

export function parseRecords(text: string): readonly TestRecord[] {
  // The last line is incomplete if its process was killed.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line): TestRecord => JSON.parse(line));
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../../src/cli/node/doctor/doctor-context.js';
import type { CheckedFinding, CheckName } from '../../../src/cli/node/doctor/examine.js';
import { heddleWith } from '../nodes/own-process.js';

const MAIN = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));

export interface DoctorReport {
  readonly version: string;
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly CheckedFinding[];
}

export interface Examination {
  readonly code: number | null;
  readonly report: DoctorReport;
  /** Everything that was printed. */
  readonly text: string;
}

export interface DoctorOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the doctor, as `setpriv` does, in place of a direct start. */
  readonly under?: readonly string[];
}

/** Runs `heddle doctor --json`, in a process of its own where that makes a difference. */
export async function doctor(args: readonly string[], options: DoctorOptions = {}): Promise<Examination> {
  const { env = {}, under } = options;
  const command = ['doctor', '--json', ...args];
  const { code, out, err } =
    under === undefined ? await heddleWith(command, env) : await runUnder(under, command, env);
  const text = out + err;
  assert.ok(out.startsWith('{'), text);
  const report = JSON.parse(out) as DoctorReport;
  assert.equal(code, report.problems > 0 ? 1 : 0, text);
  return { code, report, text };
}

/** Checks that some finding of a check has this result and matches the pattern. */
export function assertFinding(
  { report, text }: Examination,
  check: CheckName,
  result: Verdict,
  found: RegExp,
): CheckedFinding {
  const finding = report.findings.find(
    (each) => each.check === check && each.result === result && found.test(each.found),
  );
  assert.ok(finding, `no ${result} of "${check}" matches ${found}:\n${text}`);
  assert.equal(finding.advice === undefined, result === 'ok');
  return finding;
}

function runUnder(
  under: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const [program = '', ...rest] = [...under, process.execPath, MAIN, ...args];
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    written.err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
  });
}

// A node:test reporter: a line for each process that ends, with the progress so far; failures in full when they happen and
// again at the end, where a long run's output still shows them; then the skipped tests by reason, the slowest files, the
// failures by name, and the counts.
import { basename, join, relative } from 'node:path';
import { inspect } from 'node:util';
import { withSourcePositions } from '../../dist/src/base/source-positions.js';

/** Number of files listed as slow. */
const SLOWEST = 30;

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* report(events) {
  const total = Number(process.env.HEDDLE_TEST_PROCESSES);
  const started = performance.now();
  const summary = new Summary();
  const failures = [];
  let ended = 0;
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type === 'test:pass' || type === 'test:fail') summary.add(type, data);
    if (type === 'test:fail' && isOwnFailure(data)) {
      const failure = describeFailure(data);
      failures.push(failure);
      yield failure;
    }
    if (type === 'test:complete' && data.name === data.file) {
      ended++;
      const at = `${((performance.now() - started) / 1_000).toFixed(0)} s`.padStart(6);
      const took = `${(data.details.duration_ms / 1_000).toFixed(1)} s`.padStart(8);
      yield `${at} ${String(ended).padStart(4)}/${total} ${took}  ${shortName(data.file)}\n`;
    }
  }
  // Those of a short run are still on the screen.
  if (total > 1) yield* failures;
  yield* summary.lines();
}

class Summary {
  #passed = 0;
  #skipped = 0;
  #failed = [];
  #reasons = new Map();
  #seconds = new Map();

  add(type, data) {
    const isProcess = data.name === data.file;
    const file = shortName(data.file ?? '');
    if (data.nesting === 0 && !isProcess) {
      this.#seconds.set(file, (this.#seconds.get(file) ?? 0) + data.details.duration_ms / 1_000);
    }
    if (data.details.type === 'suite' || isProcess) {
      if (type === 'test:fail' && isOwnFailure(data)) this.#failed.push(`${data.name} (${file})`);
    } else if (type === 'test:fail') this.#failed.push(`${data.name} (${file})`);
    else if (data.skip !== undefined) this.#skip(data, file);
    else this.#passed++;
  }

  #skip(data, file) {
    const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
    this.#reasons.set(reason, [...(this.#reasons.get(reason) ?? []), `${data.name} (${file})`]);
    this.#skipped++;
  }

  *lines() {
    yield this.#skipped === 0 ? '\nNo test was skipped.\n' : `\nSkipped: ${this.#skipped}\n`;
    for (const [reason, names] of this.#reasons) {
      yield `  ${reason}\n${names.map((name) => `    ${name}\n`).join('')}`;
    }
    const slowest = [...this.#seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
    yield '\nSlowest files, by the time of their tests:\n';
    for (const [file, each] of slowest) yield `  ${each.toFixed(1).padStart(7)} s  ${file}\n`;
    if (this.#failed.length > 0) yield `\nFailed:\n${this.#failed.map((name) => `  ${name}\n`).join('')}`;
    yield `\n${this.#passed} passed, ${this.#failed.length} failed, ${this.#skipped} skipped\n`;
  }
}

/** False for a suite or file that failed only because a test in it did. */
function isOwnFailure({ details }) {
  return details.error?.failureType !== 'subtestsFailed';
}

/** Frames of Node's test runner, which say nothing about a failure. */
const RUNNER_FRAME = /^ *at .*node:(internal|async_hooks).*\n/gm;

function describeFailure({ name, file, details }) {
  const error = details.error?.cause ?? details.error;
  const text = error instanceof Error || typeof error === 'object' ? inspect(error) : String(error);
  return `\n✖ ${name} (${shortName(file ?? '')})\n${withSourcePositions(text).replace(RUNNER_FRAME, '').replaceAll(/^/gm, '  ')}\n\n`;
}

/** `rpc/batch` for dist/test/rpc/batch.test.js and for a process with this file alone, `rpc-1` for a process with a group */
function shortName(file) {
  const name = file.endsWith('.mjs')
    ? basename(file).replace(/^\d+-/, '').replaceAll('+', '/')
    : relative(join('dist', 'test'), file);
  return name.replace(/(\.test)?\.m?js$/, '');
}

// A node:test reporter that lists the skipped tests by reason, the slowest files, and the files with failures.
import { relative } from 'node:path';

/** Number of files listed as slow. */
const SLOWEST = 10;

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* summary(events) {
  const reasons = new Map();
  const seconds = new Map();
  const failed = new Set();
  let count = 0;
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = data.file === undefined ? '' : relative(process.cwd(), data.file);
    if (data.nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1_000);
    if (type === 'test:fail') failed.add(file);
    else if (data.skip !== undefined) {
      const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
      reasons.set(reason, [...(reasons.get(reason) ?? []), `${data.name} (${file})`]);
      count++;
    }
  }
  yield count === 0 ? '\nNo test was skipped.\n' : `\nSkipped: ${count}\n`;
  for (const [reason, names] of reasons)
    yield `  ${reason}\n${names.map((name) => `    ${name}\n`).join('')}`;
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
  yield '\nSlowest files, by the time of their tests:\n';
  for (const [file, each] of slowest) yield `  ${each.toFixed(1).padStart(7)} s  ${file}\n`;
  if (failed.size > 0) yield `\nFailed:\n${[...failed].map((file) => `  ${file}\n`).join('')}`;
}

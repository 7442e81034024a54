// A node:test reporter that lists skipped tests by reason.
import { relative } from 'node:path';

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* skippedTests(events) {
  const reasons = new Map();
  let count = 0;
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || data.skip === undefined) continue;
    const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
    const file = data.file === undefined ? '' : ` (${relative(process.cwd(), data.file)})`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), `${data.name}${file}`]);
    count++;
  }
  yield count === 0 ? '\nNo test was skipped.\n' : `\nSkipped: ${count}\n`;
  for (const [reason, names] of reasons)
    yield `  ${reason}\n${names.map((name) => `    ${name}\n`).join('')}`;
}

// Shared by the scripts that write parts of the documentation.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** @param path from the root of the repository */
export const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** Formats a Markdown table with padded cells, as the formatter expects. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(rows[0]), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)].join(
    '\n',
  );
}

/** Writes the files whose content changed; with --check, lists them and exits with code 1 instead. */
export function writeGenerated(files, source) {
  for (const [path, wanted] of Object.entries(files)) {
    if (read(path) === wanted) continue;
    if (process.argv.includes('--check')) {
      console.error(`${path} does not match ${source}: run npm run docs`);
      process.exitCode = 1;
    } else writeFileSync(new URL(path, root), wanted);
  }
}

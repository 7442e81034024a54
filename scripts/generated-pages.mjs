// Shared by the scripts that write parts of the documentation.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/**
 * Fills the parts of a page between `<!-- NAME -->` and `<!-- end -->`.
 * @param parts the text of each part by name, such as `limits: from src/limits.ts`; each is on the page once
 */
export function filledPage(path, parts) {
  const filled = [];
  const page = read(path).replace(
    /(<!-- ([^\n]+: from [^\n]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start, name, end) => {
      if (parts[name] === undefined) throw new Error(`${path} has a part that is not generated: ${name}`);
      filled.push(name);
      return `${start}\n${parts[name]}\n\n${end}`;
    },
  );
  const wrong = Object.keys(parts).filter((name) => filled.filter((each) => each === name).length !== 1);
  if (wrong.length > 0) throw new Error(`${path} needs these parts, each once: ${wrong.join('; ')}`);
  return formatted(path, page);
}

/** A text as the formatter writes it, with the code in it. */
function formatted(path, text) {
  const biome = fileURLToPath(new URL('node_modules/.bin/biome', root));
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    input: text,
  });
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

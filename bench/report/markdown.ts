import type { Comparison } from '../results/compare.js';
import type { BenchmarkContents, Contents } from './contents.js';
import {
  changeRows,
  comparisonLine,
  figureRows,
  machineRows,
  missedLine,
  seriesRows,
  type TextTable,
} from './lines.js';
import { runVerdict } from './verdict.js';

/** The report of a run as Markdown. */
export function reportMarkdown(contents: Contents, comparison?: Comparison): string {
  const { run, missedAims } = contents;
  return [
    '# Benchmark',
    runVerdict(contents),
    markdownTable(machineRows(run)),
    ...(comparison === undefined ? [] : comparisonSection(comparison)),
    ...(missedAims.length === 0
      ? []
      : ['## Missed aims', missedAims.map((missed) => `- ${escapeMarkdown(missedLine(missed))}`).join('\n')]),
    ...resultSections(contents),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** One section for each part, one below it for each benchmark. */
export function resultSections({ parts }: Contents): string[] {
  return parts.flatMap(({ title, benchmarks }) => [`## ${title}`, ...benchmarks.flatMap(benchmarkSection)]);
}

function benchmarkSection({ name, about, command, failure, tables, series }: BenchmarkContents): string[] {
  return [
    `### ${escapeMarkdown(name)}`,
    ...(about === '' ? [] : [about]),
    code(command),
    ...(failure === undefined ? [] : [`**Failed**: ${escapeMarkdown(failure)}`]),
    ...tables.map((table) => markdownTable(figureRows(table))),
    ...series.flatMap((table) => [
      ...(table.title === '' ? [] : [`**${escapeMarkdown(table.title)}**`]),
      markdownTable(seriesRows(table)),
    ]),
  ];
}

function comparisonSection(comparison: Comparison): string[] {
  const rows = changeRows(comparison);
  return [
    '## Compared with the earlier run',
    `${escapeMarkdown(comparisonLine(comparison))}.`,
    ...(rows.length > 1 ? [markdownTable(rows)] : []),
  ];
}

/** A table whose columns are padded, with every cell as text. */
export function markdownTable(rows: TextTable): string {
  const cells = rows.map((row) => row.map(escapeMarkdown));
  const [head = [], ...others] = cells;
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}

/** Text without any meaning in Markdown, in one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\|[\]*`]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

/** A code span, whose quotes are longer than any in the text. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([quotes]) => quotes.length));
  const quotes = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${quotes}${space}${text.replace(/\s+/g, ' ')}${space}${quotes}`;
}

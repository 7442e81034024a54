import {
  barGroups,
  card,
  escapeHtml,
  htmlPage,
  plotGrid,
  table,
  verdictCard,
} from '../../src/load/page/html.js';
import type { Comparison } from '../results/compare.js';
import { barsOf, seriesPlot } from './charts.js';
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

/** The report of a run as one self-contained HTML page with plots. */
export function benchmarkPage(contents: Contents, comparison?: Comparison): string {
  const { run, parts, missedAims } = contents;
  const all = parts.flatMap(({ benchmarks }) => benchmarks);
  const sections = parts.flatMap(({ title, benchmarks }) => [
    `<h2>${escapeHtml(title)}</h2>`,
    ...benchmarks.map(benchmarkHtml),
  ]);
  return htmlPage(
    `Heddle benchmark, ${run.began.slice(0, 10)}`,
    [
      '<h1>Benchmark</h1>',
      verdictCard(runVerdict(contents), []),
      missedCard(missedAims),
      card('The run', tableOf(machineRows(run))),
      `<nav class="break">${all.map(({ name }) => linkTo(name)).join(' · ')}</nav>`,
      ...(comparison === undefined ? [] : [comparisonHtml(comparison)]),
      ...sections,
    ].join('\n'),
  );
}

/** Closed at first, because there may be many. */
function missedCard(missed: Contents['missedAims']): string {
  if (missed.length === 0) return '';
  const items = missed.map((each) => `<li>${escapeHtml(missedLine(each))}</li>`).join('\n');
  return `<details class="card"><summary>Missed aims</summary><ul class="plain">${items}</ul></details>`;
}

function benchmarkHtml(benchmark: BenchmarkContents): string {
  const { name, about, command, failure, tables, series } = benchmark;
  const plots = series.flatMap(({ rows }) => rows.map((each) => seriesPlot(each)));
  return `<section class="card" id="${escapeHtml(name)}">
${[
  `<div class="card-head"><h3>${escapeHtml(name)}</h3></div>`,
  `<p class="break">${withCode(about)}<br><code>${escapeHtml(command)}</code></p>`,
  ...(failure === undefined ? [] : [`<p class="notice notice-bad">Failed: ${escapeHtml(failure)}</p>`]),
  ...tables.flatMap((each) => [tableOf(figureRows(each)), bars(barsOf(each))]),
  ...series.flatMap((each) => [heading(each.title), tableOf(seriesRows(each))]),
  plotGrid(plots),
]
  .filter((part) => part !== '')
  .join('\n')}
</section>`;
}

function bars(groups: ReturnType<typeof barsOf>): string {
  return groups.length === 0 ? '' : barGroups(groups);
}

function heading(title: string): string {
  return title === '' ? '' : `<h4>${escapeHtml(title)}</h4>`;
}

function comparisonHtml(comparison: Comparison): string {
  return card(
    'Compared with the earlier run',
    `<p>${escapeHtml(comparisonLine(comparison))}</p>${tableOf(changeRows(comparison))}`,
  );
}

function tableOf([head = [], ...rows]: TextTable): string {
  return table(head, rows);
}

function linkTo(name: string): string {
  return `<a href="#${encodeURIComponent(name)}">${escapeHtml(name)}</a>`;
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

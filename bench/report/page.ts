import { escapeHtml, htmlPage, row } from '../../src/load/page-parts.js';
import type { Comparison } from '../results/compare.js';
import { barCharts, type Chart, seriesChart } from './charts.js';
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

const STYLE = `
h2 { font-size: 18px; margin: 28px 0 0; }
h3 { font-size: 15px; margin: 20px 0 0; }
th, td { text-align: left; vertical-align: top; }
.failure { color: #d64545; }
`;

/** Draws the charts, each at its place. */
const SCRIPT = `
const bars = uPlot.paths.bars({ size: [0.9, 60] });
for (const chart of dataOf('charts')) {
  const isSeries = chart.kind === 'series';
  const groupOf = (_, at) => (at == null ? '' : chart.names[Math.floor(at / (chart.lines.length + 1))]);
  const lines = chart.lines.map(({ label, color, isFit }) => isSeries
    ? { label, stroke: color, width: 1.5, dash: isFit ? [6, 4] : [], points: { show: !isFit }, value: shown }
    : { label, stroke: color, fill: color, paths: bars, points: { show: false }, value: shown });
  const x = isSeries
    ? { scale: { time: false, distr: 3 }, axis: { label: chart.over }, series: { label: chart.over, value: shown } }
    : {
      scale: { time: false, range: [-1, chart.at.at(-1) + 1] },
      axis: {
        splits: () => chart.ticks,
        values: () => chart.labels,
        size: 20 + 18 * chart.labelLines,
        font: '11px system-ui, sans-serif',
        grid: { show: false },
      },
      series: { label: 'what', value: groupOf },
    };
  // A bar begins at the lower end of its scale, so the least one must not be that end.
  const decades = (_, least, most) => [10 ** Math.floor(Math.log10(least / 2)), 10 ** Math.ceil(Math.log10(most))];
  const fromZero = (_, least, most) => [0, most * 1.05];
  const y = isSeries ? { distr: 3 } : chart.isLogarithmic ? { distr: 3, range: decades } : { range: fromZero };
  addPlot({
    title: chart.title,
    ...(isSeries ? {} : { height: 230 + 18 * chart.labelLines }),
    scales: { x: x.scale, y },
    axes: [x.axis, { size: 80 }],
    series: [x.series, ...lines],
  }, [isSeries ? chart.sizes : chart.at, ...chart.lines.map(({ values }) => values)], chart.place);
}
`;

/** The report of a run as one self-contained HTML page with charts. */
export function benchmarkPage(contents: Contents, comparison?: Comparison): string {
  const { run, parts, missedAims } = contents;
  const all = parts.flatMap(({ benchmarks }) => benchmarks);
  const placeOf = (benchmark: BenchmarkContents) => `plots-${all.indexOf(benchmark)}`;
  const sections = parts.flatMap(({ title, benchmarks }) => [
    `<h2>${escapeHtml(title)}</h2>`,
    ...benchmarks.map((benchmark) => benchmarkHtml(benchmark, placeOf(benchmark))),
  ]);
  return htmlPage({
    title: `Heddle benchmark, ${run.began.slice(0, 10)}`,
    style: STYLE,
    body: [
      '<h1>Benchmark</h1>',
      table(machineRows(run)),
      `<nav>${all.map(({ name }) => linkTo(name)).join(' · ')}</nav>`,
      ...(comparison === undefined ? [] : [comparisonHtml(comparison)]),
      ...(missedAims.length === 0
        ? []
        : [
            '<h2>Missed aims</h2>',
            `<ul>${missedAims.map((each) => `<li>${escapeHtml(missedLine(each))}</li>`).join('\n')}</ul>`,
          ]),
      ...sections,
    ].join('\n'),
    data: { charts: all.flatMap((benchmark) => chartsOf(benchmark, placeOf(benchmark))) },
    script: SCRIPT,
  });
}

function chartsOf({ tables, series }: BenchmarkContents, place: string): Chart[] {
  return [
    ...tables.flatMap((each) => barCharts(each, place)),
    ...series.flatMap(({ rows }) => rows.map((each) => seriesChart(each, place))),
  ];
}

/** @param place id of the element for its charts */
function benchmarkHtml(benchmark: BenchmarkContents, place: string): string {
  const { name, about, command, failure, tables, series } = benchmark;
  return [
    `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>`,
    `<p>${withCode(about)}<br><code>${escapeHtml(command)}</code></p>`,
    ...(failure === undefined ? [] : [`<p class="failure">Failed: ${escapeHtml(failure)}</p>`]),
    ...tables.map((each) => table(figureRows(each))),
    ...series.map((each) => table(seriesRows(each), each.title)),
    `<div id="${place}"></div>`,
  ].join('\n');
}

function comparisonHtml(comparison: Comparison): string {
  const rows = changeRows(comparison);
  return [
    '<h2>Compared with the earlier run</h2>',
    `<p>${escapeHtml(comparisonLine(comparison))}</p>`,
    ...(rows.length > 1 ? [table(rows)] : []),
  ].join('\n');
}

function table([head = [], ...rows]: TextTable, caption = ''): string {
  const above = caption === '' ? '' : `<caption>${escapeHtml(caption)}</caption>\n`;
  return `<table>${above}${row(head, 'th')}${rows.map((cells) => row(cells)).join('')}</table>`;
}

function linkTo(name: string): string {
  return `<a href="#${encodeURIComponent(name)}">${escapeHtml(name)}</a>`;
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LoadReport } from './load-report.js';

const CHARTS = [
  {
    title: 'Transactions a second',
    lines: [
      { label: 'sent', member: 'sent', color: '#8a8f98' },
      { label: 'accepted', member: 'accepted', color: '#2f6fde' },
      { label: 'sealed', member: 'sealed', color: '#1d9a5b' },
      { label: 'refused', member: 'refused', color: '#d64545' },
    ],
  },
  {
    title: 'Latency, ms',
    lines: [
      { label: 'accepted p50', member: 'accepted_p50_ms', color: '#2f6fde' },
      { label: 'accepted p99', member: 'accepted_p99_ms', color: '#9dbdf2' },
      { label: 'sealed p50', member: 'sealed_p50_ms', color: '#1d9a5b' },
      { label: 'sealed p99', member: 'sealed_p99_ms', color: '#9ad8b7' },
    ],
  },
  {
    title: 'Waiting transactions',
    lines: [
      { label: 'pool', member: 'pool', color: '#b5652a' },
      { label: 'accepted, not sealed', member: 'unsealed', color: '#6b5fc7' },
    ],
  },
  {
    title: 'Block fill, % of the gas limit',
    lines: [{ label: 'fill', member: 'fill', color: '#1d9a5b', scale: 100 }],
  },
] as const;

/** Script of the page: draws the charts from the report. */
const SCRIPT = `
const report = JSON.parse(document.getElementById('report').textContent);
const charts = JSON.parse(document.getElementById('charts').textContent);
const at = report.samples.map((sample) => sample.at_s);
for (const { title, lines } of charts) {
  const place = document.createElement('div');
  document.getElementById('plots').append(place);
  const width = () => Math.min(1100, document.body.clientWidth - 32);
  const plot = new uPlot({
    title,
    width: width(),
    height: 240,
    scales: { x: { time: false } },
    axes: [{ label: 'seconds' }, { size: 70 }],
    series: [
      { label: 's' },
      ...lines.map(({ label, color }) => ({
        label,
        stroke: color,
        width: 1.5,
        spanGaps: true,
        points: { show: at.length < 3 },
        value: (_, value) => (value == null ? '' : Number(value.toPrecision(4)).toLocaleString('en')),
      })),
    ],
  }, [at, ...lines.map(({ member, scale }) => report.samples.map((sample) =>
    sample[member] === undefined ? null : sample[member] * (scale ?? 1)))], place);
  addEventListener('resize', () => plot.setSize({ width: width(), height: 240 }));
}
`;

const STYLE = `
:root { color-scheme: light; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 16px; color: #1b1f24; background: #fff; }
h1 { font-size: 20px; margin: 0; }
p { margin: 4px 0 16px; color: #555b64; }
table { border-collapse: collapse; margin-bottom: 20px; }
th, td { text-align: right; padding: 3px 14px 3px 0; font-variant-numeric: tabular-nums; }
th { font-weight: 600; color: #555b64; }
th:first-child, td:first-child { text-align: left; }
.u-title { font-size: 15px; }
`;

/** Renders the report as one self-contained HTML page. */
export function reportPage(report: LoadReport): string {
  const { settings, totals, per_second: rates, accepted_ms: accepted, sealed_ms: sealed, blocks } = report;
  const ended = report.ended === 'complete' ? '' : ` — ended early: ${report.ended.replace('_', ' ')}`;
  const latencyRow = (name: string, of: typeof accepted) =>
    row([name, number(of.count), ...[of.p50, of.p90, of.p99, of.p999, of.max].map(number)]);
  const refusals = Object.entries(report.refusals).map(([reason, count]) => row([reason, number(count)]));
  const outcomes = Object.entries(report.sampled_outcomes).map(([outcome, count]) =>
    row([outcome, number(count)]),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>heddle load: ${escapeHtml(settings.profile)}</title>
<style>${asset(import.meta.resolve('uplot/dist/uPlot.min.css'))}${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(settings.profile)}, ${number(settings.rate)} a second for ${number(settings.duration_s)} s${escapeHtml(ended)}</h1>
<p>${escapeHtml(report.description)}. ${escapeHtml(report.url)}, heddle ${escapeHtml(report.node_version)}, chain ${escapeHtml(report.chain_id)},
a block every ${number(report.block_time_ms)} ms; ${number(settings.accounts)} accounts with ${number(settings.lanes)} lanes,
${number(settings.connections)} connections; begun ${escapeHtml(report.started)}.</p>
<table>${row(['', 'sent', 'accepted', 'sealed', 'refused', 'held back', 'unsealed'], 'th')}
${row(['transactions', ...[totals.sent, totals.accepted, totals.sealed, totals.refused, totals.held_back, totals.unsealed].map(number)])}
${row(['a second', number(rates.sent), number(rates.accepted), number(rates.sealed), '', '', ''])}</table>
<table>${row(['latency, ms', 'count', 'p50', 'p90', 'p99', 'p99.9', 'max'], 'th')}
${latencyRow('until accepted', accepted)}
${latencyRow('until seen in a block', sealed)}</table>
<table>${row(['blocks', 'transactions, mean', 'most', 'fill, mean', 'most'], 'th')}
${row([number(blocks.count), number(blocks.transactions_mean), number(blocks.transactions_max), percent(blocks.fill_mean), percent(blocks.fill_max)])}</table>
${refusals.length === 0 ? '' : `<table>${row(['refused for', 'transactions'], 'th')}${refusals.join('')}</table>`}
${outcomes.length === 0 ? '' : `<table>${row(['outcome, of a sample', 'transactions'], 'th')}${outcomes.join('')}</table>`}
<div id="plots"></div>
<script type="application/json" id="report">${json(report)}</script>
<script type="application/json" id="charts">${json(CHARTS)}</script>
<script>${asset(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function asset(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}

/** JSON that cannot end its script element early. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function row(cells: readonly string[], tag: 'td' | 'th' = 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>\n`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

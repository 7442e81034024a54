import type { LoadReport } from './load-report.js';
import { escapeHtml, htmlPage, number, percent, row } from './page-parts.js';

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
      { label: 'accepted p50', member: 'accepted_p50_ms', color: '#2f6fde', gaps: true },
      { label: 'accepted p99', member: 'accepted_p99_ms', color: '#9dbdf2', gaps: true },
      { label: 'sealed p50', member: 'sealed_p50_ms', color: '#1d9a5b', gaps: true },
      { label: 'sealed p99', member: 'sealed_p99_ms', color: '#9ad8b7', gaps: true },
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

/** Draws the charts from the report. */
const SCRIPT = `
const report = dataOf('report');
const at = report.samples.map((sample) => sample.at_s);
for (const { title, lines } of dataOf('charts')) {
  addPlot({
    title,
    scales: { x: { time: false } },
    axes: [{ label: 'seconds' }, { size: 70 }],
    series: [
      { label: 's' },
      ...lines.map(({ label, color, gaps }) => ({
        label,
        stroke: color,
        width: 1.5,
        spanGaps: gaps !== true,
        points: { show: at.length < 3 },
        value: shown,
      })),
    ],
  }, [at, ...lines.map(({ member, scale }) => report.samples.map((sample) =>
    sample[member] === undefined ? null : sample[member] * (scale ?? 1)))]);
}
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
  return htmlPage({
    title: `heddle load: ${settings.profile}`,
    body: `<h1>${escapeHtml(settings.profile)}, ${number(settings.rate)} a second for ${number(settings.duration_s)} s${escapeHtml(ended)}</h1>
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
<div id="plots"></div>`,
    data: { report, charts: CHARTS },
    script: SCRIPT,
  });
}

import { escapeHtml, htmlPage, number, percent, row } from '../load/page-parts.js';
import { bucketRange, Histogram, type HistogramRecord } from './histogram.js';
import type { StatisticsRecord } from './statistics.js';

/** Summary of a run, finished or not. */
export interface RunSummary {
  readonly run: string;
  readonly kind: 'calls' | 'traces';
  readonly submitted_ms: number;
  /** Absent while the run is not at its end. */
  readonly finished_ms?: number;
  /** Where the calls come from, such as a file's name. */
  readonly source: string;
  /** The states that the calls ran on; the first ones, if there are many. */
  readonly pins: readonly { readonly height: string; readonly block_hash: string; readonly calls: number }[];
  readonly statistics: StatisticsRecord;
  readonly workers: readonly RunWorker[];
  /** A sample of the failed calls. */
  readonly failures: readonly { readonly line: number; readonly kind: string; readonly message: string }[];
  /** Jobs whose results differ between workers. */
  readonly disagreements: readonly RunDisagreement[];
}

export interface RunWorker {
  readonly name: string;
  readonly node: string;
  readonly jobs: number;
  readonly calls: number;
  /** Time spent on jobs. */
  readonly busy_ms: number;
}

export interface RunDisagreement {
  readonly job: number;
  /** The lines of the job, such as `1–500`. */
  readonly lines: string;
  readonly workers: readonly string[];
  readonly checksums: readonly string[];
}

/** A distribution, ready to draw. */
interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Edges of the steps. */
  readonly at: readonly number[];
  /** Number of calls from each edge to the next. */
  readonly counts: readonly number[];
  /** Percentage of calls below each edge. */
  readonly below: readonly number[];
}

/** Texts from nodes are cut, and rows left out, so that the page stays readable. */
const MAX_CHARACTERS = 300;
const MAX_ROWS = 100;
const MAX_LINES = 10;

const STYLE = `
h2 { font-size: 15px; margin: 0 0 4px; }
.texts td { text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.texts th { text-align: left; }
.bad { border-left: 4px solid #d64545; background: #fdf0f0; padding: 8px 12px; margin-bottom: 20px; }
.bad table { margin: 0; }
.bad h2, .bad th { color: #b02a2a; }
.bar { width: 320px; padding-right: 0; }
.bar div { height: 11px; background: #2f6fde; min-width: 1px; }
.bar .error { background: #d64545; }
`;

/** Draws each distribution as steps, and the share of calls below as a line. */
const SCRIPT = `
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
for (const { title, unit, at, counts, below } of dataOf('charts')) {
  addPlot({
    title,
    scales: { x: { time: false, distr: 3 }, '%': { range: [0, 100] } },
    axes: [
      { label: unit, values: (_, splits) => splits.map((value) => (value == null ? '' : compact.format(value))) },
      { size: 70, label: 'calls' },
      { scale: '%', side: 1, grid: { show: false }, label: '% below' },
    ],
    series: [
      { label: unit, value: shown },
      {
        label: 'calls',
        stroke: '#2f6fde',
        fill: '#2f6fde33',
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
        value: shown,
      },
      { label: '% below', scale: '%', stroke: '#b5652a', width: 1.5, points: { show: false }, value: shown },
    ],
  }, [at, counts, below]);
}
`;

/** Renders the summary as one self-contained HTML page. */
export function summaryPage(summary: RunSummary): string {
  const { run, statistics } = summary;
  const { gas, time_us: time } = statistics;
  const charts = [
    ...(gas.count === 0 ? [] : [chartOf('Gas used', 'gas', gas, 1)]),
    ...(time.count === 0 ? [] : [chartOf('Time of a call', 'ms', time, 1_000)]),
  ];
  return htmlPage({
    title: `heddle farm: ${run}`,
    body: [
      heading(summary),
      disagreements(summary),
      counts(summary),
      pins(summary),
      quantiles(statistics),
      bars('outcome', 'results', statistics.outcomes, statistics.calls, ''),
      bars('error', 'calls', statistics.errors, statistics.calls, 'error'),
      workers(summary),
      failures(summary),
      '<div id="plots"></div>',
    ].join('\n'),
    data: { charts },
    script: SCRIPT,
    style: STYLE,
  });
}

function heading({ run, kind, source, submitted_ms: submitted, finished_ms: finished }: RunSummary): string {
  const ended = finished === undefined ? ', not finished' : `, finished ${timeText(finished)}`;
  return `<h1>${escapeHtml(cut(run))}</h1>
<p>${kind} from ${escapeHtml(cut(source))}; submitted ${timeText(submitted)}${ended}.</p>`;
}

function counts({ statistics, submitted_ms: submitted, finished_ms: finished }: RunSummary): string {
  const { calls, answered, failed, undetermined } = statistics;
  const seconds = finished === undefined ? 0 : (finished - submitted) / 1_000;
  const [took, rate] = seconds > 0 ? [number(seconds), number(calls / seconds)] : ['', ''];
  return `<table>${row(['calls', 'answered', 'failed', 'undetermined', 'seconds', 'calls a second'], 'th')}
${row([...[calls, answered, failed, undetermined].map(number), took, rate])}</table>`;
}

function pins({ pins: all }: RunSummary): string {
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ height, block_hash: hash, calls }) => row([cut(height), cut(hash), number(calls)]));
  return tableOf(['state of height', 'block', 'calls'], rows, all.length, '');
}

function quantiles({ gas, time_us: time }: StatisticsRecord): string {
  const shares = [0.5, 0.9, 0.99, 0.999];
  const rowOf = (name: string, record: HistogramRecord, unit: number) => {
    const histogram = Histogram.of(record);
    return row([
      ...[name, number(histogram.count), number(histogram.min / unit), number(histogram.mean / unit)],
      ...shares.map((share) => quantileText(histogram.quantileRange(share), unit)),
      number(histogram.max / unit),
    ]);
  };
  return `<table>${row(['', 'calls', 'least', 'mean', 'p50', 'p90', 'p99', 'p99.9', 'most'], 'th')}
${rowOf('gas used', gas, 1)}${rowOf('time of a call, ms', time, 1_000)}</table>`;
}

/** A quantile with the digits that the buckets of the histogram support. */
function quantileText([least, most]: readonly [number, number], unit: number): string {
  const middle = (least + most) / 2 / unit;
  return least === most ? number(middle) : `≈ ${number(Number(middle.toPrecision(2)))}`;
}

/** Counts by name as a table with bars. */
function bars(
  name: string,
  unit: string,
  all: Readonly<Record<string, number>>,
  calls: number,
  style: string,
): string {
  const entries = Object.entries(all).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...entries.map(([, count]) => count));
  const rows = entries.map(([label, count]) => {
    const cells = [cut(label), number(count), percent(count / Math.max(1, calls))].map(
      (cell) => `<td>${escapeHtml(cell)}</td>`,
    );
    const width = ((count / most) * 100).toFixed(1);
    return `<tr>${cells.join('')}<td class="bar"><div class="${style}" style="width:${width}%"></div></td></tr>\n`;
  });
  return tableOf([name, unit, 'of all', ''], rows, entries.length, '');
}

function workers({ workers: all }: RunSummary): string {
  const rows = all.slice(0, MAX_ROWS).map(({ name, node, jobs, calls, busy_ms: busy }) => {
    const rate = busy > 0 ? number((calls / busy) * 1_000) : '';
    return row([cut(name), cut(node), ...[jobs, calls, busy / 1_000].map(number), rate]);
  });
  const head = ['worker', 'node', 'jobs', 'calls', 'busy, s', 'calls a busy second'];
  return tableOf(head, rows, all.length, '');
}

/** One row for each reason. */
function failures({ failures: all }: RunSummary): string {
  const reasons = new Map<string, { kind: string; message: string; lines: number[]; count: number }>();
  for (const failure of all) {
    const { line } = failure;
    const [kind, message] = [cut(failure.kind), cut(failure.message)];
    const key = JSON.stringify([kind, message]);
    const reason = reasons.get(key) ?? { kind, message, lines: [], count: 0 };
    reasons.set(key, reason);
    reason.count++;
    if (reason.lines.length < MAX_LINES) reason.lines.push(line);
  }
  const rows = [...reasons.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ROWS)
    .map(({ kind, message, lines, count }) =>
      row([kind, message, `${lines.join(', ')}${count > lines.length ? ', …' : ''}`]),
    );
  return tableOf(['failed for', 'message', 'lines, for example'], rows, reasons.size, 'texts');
}

function disagreements({ disagreements: all }: RunSummary): string {
  if (all.length === 0) return '';
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ job, lines, workers: names, checksums }) =>
      row([String(job), cut(lines), cut(names.join(', ')), cut(checksums.join(', '))]),
    );
  return `<div class="bad"><h2>Workers disagree about ${number(all.length)} ${all.length === 1 ? 'job' : 'jobs'}</h2>
${tableOf(['job', 'lines', 'workers', 'checksums'], rows, all.length, 'texts')}</div>`;
}

/** A table of at least one row; otherwise nothing. */
function tableOf(head: readonly string[], rows: readonly string[], all: number, style: string): string {
  if (rows.length === 0) return '';
  const more = all > rows.length ? `<p>${number(all - rows.length)} more are not shown.</p>` : '';
  return `<table class="${style}">${row(head, 'th')}${rows.join('')}</table>${more}`;
}

/** @param divisor units of the histogram to one of the chart */
function chartOf(title: string, unit: string, { count, buckets }: HistogramRecord, divisor: number): Chart {
  const at: number[] = [];
  const steps: number[] = [];
  const below: number[] = [];
  let seen = 0;
  const edge = (value: number, calls: number) => {
    // The axis is logarithmic, so 0 has no place on it.
    at.push((value === 0 ? 0.5 : value) / divisor);
    steps.push(calls);
    below.push((seen / count) * 100);
    seen += calls;
  };
  for (const [place, [bucket, calls]] of buckets.entries()) {
    const [first, last] = bucketRange(bucket);
    edge(first, calls);
    if (buckets[place + 1]?.[0] !== bucket + 1) edge(last + 1, 0);
  }
  return { title, unit, at, counts: steps, below };
}

/** Shortens a text. */
function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString();
}

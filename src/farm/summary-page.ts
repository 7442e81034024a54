import {
  card,
  cards,
  countBars,
  escapeHtml,
  htmlPage,
  number,
  plotGrid,
  shown,
  table,
  verdictCard,
} from '../load/page/html.js';
import type { Plot } from '../load/page/plot.js';
import { bucketRange, Histogram, type HistogramRecord } from './histogram.js';
import type { RunSummary } from './run-summary.js';
import { elapsedOf, verdictOfRun } from './run-summary.js';
import type { StatisticsRecord } from './statistics.js';

/** Rows are left out, so that the page stays readable. */
const MAX_ROWS = 100;
const MAX_LINES = 10;

/** Renders the summary as one self-contained HTML page. */
export function summaryPage(summary: RunSummary): string {
  const { run, statistics } = summary;
  const { gas, time_us: time, outcomes, errors, calls } = statistics;
  const { sentence, evidence } = verdictOfRun(summary);
  const plots = [
    ...(gas.count === 0 ? [] : distribution('Gas used', 'gas of a call', gas, 1)),
    ...(time.count === 0 ? [] : distribution('Time of a call', 'milliseconds', time, 1_000)),
  ];
  return htmlPage(
    `heddle farm: ${run}`,
    [
      heading(summary),
      verdictCard(`${sentence}.`, evidence),
      disagreements(summary),
      card('Calls', counts(summary)),
      cards([
        card('Outcomes', countBars(outcomes, calls, 'good')),
        card('Errors', countBars(errors, calls, 'bad')),
        card('Gas and time', quantiles(statistics)),
      ]),
      card('Failures, for example', failures(summary)),
      plotGrid(plots),
      card('Workers', workers(summary)),
      card('States', pins(summary)),
    ].join('\n'),
  );
}

function heading({ run, kind, source, submitted_ms: submitted, finished_ms: finished }: RunSummary): string {
  const ended = finished === undefined ? ', not finished' : `, finished ${timeText(finished)}`;
  return `<header><h1 class="break">${escapeHtml(shown(run))}</h1>
<p class="muted break">${kind} from ${escapeHtml(shown(source))}; submitted ${timeText(submitted)}${ended}.</p></header>`;
}

function counts(summary: RunSummary): string {
  const { calls, answered, failed, undetermined } = summary.statistics;
  const seconds = (elapsedOf(summary) ?? 0) / 1_000;
  const [took, rate] = seconds > 0 ? [number(seconds), number(calls / seconds)] : ['', ''];
  return table(
    ['calls', 'answered', 'failed', 'undetermined', 'seconds', 'calls a second'],
    [[...[calls, answered, failed, undetermined].map(number), took, rate]],
  );
}

function pins({ pins: all }: RunSummary): string {
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ height, block_hash: hash, calls }) => [shown(height), number(calls), shown(hash)]);
  return table(['height', 'calls', 'block'], rows, all.length);
}

/** One row for each share, because the columns of many shares do not fit a phone. */
function quantiles({ gas, time_us: time }: StatisticsRecord): string {
  const [ofGas, ofTime] = [Histogram.of(gas), Histogram.of(time)];
  const share = (name: string, part: number) => [
    name,
    quantileText(ofGas.quantileRange(part), 1),
    quantileText(ofTime.quantileRange(part), 1_000),
  ];
  const exact = (name: string, part: 'min' | 'mean' | 'max') => [
    ...[name, number(ofGas[part]), number(ofTime[part] / 1_000)],
  ];
  return table(
    ['', 'gas used', 'time, ms'],
    [
      ['calls', number(ofGas.count), number(ofTime.count)],
      exact('least', 'min'),
      exact('mean', 'mean'),
      ...([0.5, 0.9, 0.99, 0.999] as const).map((part) => share(`p${part * 100}`, part)),
      exact('most', 'max'),
    ],
  );
}

/** A quantile with the digits that the buckets of the histogram support. */
function quantileText([least, most]: readonly [number, number], unit: number): string {
  const middle = (least + most) / 2 / unit;
  return least === most ? number(middle) : `≈ ${number(Number(middle.toPrecision(2)))}`;
}

function workers({ workers: all }: RunSummary): string {
  const rows = all.slice(0, MAX_ROWS).map(({ name, node, jobs, calls, busy_ms: busy }) => {
    const rate = busy > 0 ? number((calls / busy) * 1_000) : '';
    return [shown(name), shown(node), ...[jobs, calls, busy / 1_000].map(number), rate];
  });
  const head = ['worker', 'node', 'jobs', 'calls', 'busy, s', 'calls a busy second'];
  return table(head, rows, all.length);
}

function failures({ failures: all }: RunSummary): string {
  const reasons = new Map<string, { kind: string; message: string; lines: number[]; count: number }>();
  for (const failure of all) {
    const { line } = failure;
    const [kind, message] = [shown(failure.kind), shown(failure.message)];
    const key = JSON.stringify([kind, message]);
    const reason = reasons.get(key) ?? { kind, message, lines: [], count: 0 };
    reasons.set(key, reason);
    reason.count++;
    if (reason.lines.length < MAX_LINES) reason.lines.push(line);
  }
  const rows = [...reasons.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ROWS)
    .map(({ kind, message, lines, count }) => [
      ...[kind, message, `${lines.join(', ')}${count > lines.length ? ', …' : ''}`],
    ]);
  return table(['failed for', 'message', 'lines, for example'], rows, reasons.size);
}

function disagreements({ disagreements: all }: RunSummary): string {
  if (all.length === 0) return '';
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ job, lines, workers: names, checksums }) => [
      String(job),
      ...[lines, names.join(', '), checksums.join(', ')].map(shown),
    ]);
  return `<section class="notice notice-bad"><h2>Workers disagree about ${number(all.length)} ${all.length === 1 ? 'job' : 'jobs'}</h2>
${table(['job', 'lines', 'workers', 'checksums'], rows, all.length)}</section>`;
}

/**
 * Two plots of a histogram: the calls in each of its buckets, and the share of calls below each edge.
 * @param divisor units of the histogram to one of the plot
 */
function distribution(
  title: string,
  unit: string,
  { count, buckets }: HistogramRecord,
  divisor: number,
): Plot[] {
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
  const x = { label: unit, isLogarithmic: true } as const;
  return [
    {
      title,
      x,
      y: { label: 'calls' },
      groups: [{ at, lines: [{ label: 'calls', tone: 'accent', shape: 'steps', values: steps }] }],
    },
    {
      title: `${title}: calls below`,
      x,
      y: { label: '% of the calls', most: 100 },
      groups: [{ at, lines: [{ label: 'below', tone: 'waiting', values: below }] }],
    },
  ];
}

function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString();
}

import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { errorMessage } from '../base/errors.js';
import { percent } from '../base/number-text.js';
import { shownLine } from '../base/shown-text.js';
import { LoadError } from './load-error.js';
import {
  type ComparedFigure,
  type EarlierReport,
  type LoadComparison,
  type LoadReport,
  REPORT_KIND,
  reportSchema,
} from './load-report.js';

/** A report of a day in spans of seconds has a few megabytes. */
const MAX_BYTES = 64 * 1_024 * 1_024;

/** Reads a report to compare with. @throws LoadError `bad_report` */
export function readEarlierReport(path: string): EarlierReport {
  const value = contentOf(path);
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (typeof kind === 'string' && kind !== REPORT_KIND && kind.startsWith('heddle load report ')) {
    throw bad(path, `it is a ${shownLine(kind.slice(0, 40))}, and this version reads ${REPORT_KIND}`);
  }
  const result = v.safeParse(reportSchema, value);
  if (result.success) return result.output;
  throw bad(path, `it is no report of "heddle load --report": ${problemOf(result.issues[0])}`);
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue);
  if (place === null) return issue.message;
  // JSON has no undefined: the member is not there.
  return issue.received === 'undefined' ? `${place} is missing` : `${place}: ${issue.message}`;
}

function contentOf(path: string): unknown {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw bad(path, `expected at most ${MAX_BYTES} bytes, got ${size}`);
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof LoadError) throw error;
    const why = errorMessage(error);
    if (error instanceof SyntaxError) throw bad(path, `expected JSON: ${why}`);
    throw new LoadError('bad_report', `--compare: cannot read ${path}: ${why}`, { cause: error });
  }
}

function bad(path: string, why: string): LoadError {
  return new LoadError('bad_report', `--compare ${path}: ${shownLine(why)}`);
}

/** How a figure changed, such as `+12.5 %`; a difference where the earlier value was 0. */
export function changeText({ before, now }: ComparedFigure): string {
  if (now === before) return '=';
  const sign = now > before ? '+' : '−';
  const size = Math.abs(now - before);
  if (before === 0) return `${sign}${size.toLocaleString('en', { maximumFractionDigits: 2 })}`;
  return `${sign}${percent(size / before)}`;
}

/** Settings that do not affect the figures: the seed only varies who pays whom. */
const HARMLESS = ['seed'];

export function compareLoads(now: LoadReport, before: EarlierReport): LoadComparison {
  return { started: before.started, warnings: warningsOf(now, before), figures: figuresOf(now, before) };
}

function figuresOf(now: EarlierReport, before: EarlierReport): ComparedFigure[] {
  const row = (name: string, unit: ComparedFigure['unit'], of: (report: EarlierReport) => number) => ({
    name,
    unit,
    before: of(before),
    now: of(now),
  });
  const reasons = new Set([...Object.keys(now.refusals), ...Object.keys(before.refusals)]);
  return [
    row('sent', '/s', ({ per_second: rates }) => rates.sent),
    row('accepted', '/s', ({ per_second: rates }) => rates.accepted),
    row('sealed', '/s', ({ per_second: rates }) => rates.sealed),
    ...(['p50', 'p90', 'p99', 'max'] as const).flatMap((part) => [
      row(`until accepted, ${part}`, 'ms', ({ accepted_ms: latencies }) => latencies[part]),
      row(`until in a block, ${part}`, 'ms', ({ sealed_ms: latencies }) => latencies[part]),
    ]),
    row('blocks', '', ({ blocks }) => blocks.count),
    row('transactions in a block, mean', '', ({ blocks }) => blocks.transactions_mean),
    row('fill of blocks, mean', '%', ({ blocks }) => blocks.fill_mean * 100),
    row('held back', '', ({ totals }) => totals.held_back),
    row('unsealed', '', ({ totals }) => totals.unsealed),
    row('refused', '', ({ totals }) => totals.refused),
    ...[...reasons]
      .sort()
      .map((reason) => row(`refused: ${reason}`, '', ({ refusals }) => refusals[reason] ?? 0)),
  ];
}

function warningsOf(now: LoadReport, before: EarlierReport): string[] {
  const facts = (report: EarlierReport): readonly (readonly [string, string])[] => [
    ...Object.entries(report.settings)
      .filter(([name]) => !HARMLESS.includes(name))
      .map(([name, value]) => [`--${flagOf(name)}`, String(value)] as const),
    ['block time', `${report.block_time_ms} ms`],
    ['version of the node', report.node_version],
    ['chain', report.chain_id],
    ['node', report.url],
  ];
  const current = new Map(facts(now));
  const differing = facts(before).flatMap(([what, old]) =>
    current.get(what) === old ? [] : [`${what}: ${old} before, ${current.get(what) ?? 'none'} now`],
  );
  return before.ended === 'complete'
    ? differing
    : [`the earlier load ended early: ${before.ended.replace('_', ' ')}`, ...differing];
}

function flagOf(setting: string): string {
  return setting === 'duration_s' ? 'duration' : setting.replaceAll('_', '-');
}

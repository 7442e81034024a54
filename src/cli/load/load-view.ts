import { count, percent } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { changeText } from '../../load/comparison.js';
import type {
  ComparedFigure,
  LoadComparison,
  LoadReport,
  LoadSample,
  LoadSettings,
} from '../../load/load-report.js';

/** The live figures of a load, one line each. */
export function renderLoad(
  settings: LoadSettings,
  sample: LoadSample,
  total: { readonly sealed: number },
): string[] {
  const done = Math.min(1, sample.at_s / settings.duration_s);
  const width = 30;
  const bar = '█'.repeat(Math.round(done * width)).padEnd(width, '░');
  return [
    `${settings.profile}, ${count(settings.rate)}/s  ${bar} ${Math.floor(sample.at_s)} of ${settings.duration_s} s`,
    '',
    `  rate        sent ${count(sample.sent)}/s   accepted ${count(sample.accepted)}/s   sealed ${count(sample.sealed)}/s   refused ${count(sample.refused)}/s`,
    `  accepted    p50 ${ms(sample.accepted_p50_ms)}   p99 ${ms(sample.accepted_p99_ms)}`,
    `  in a block  p50 ${ms(sample.sealed_p50_ms)}   p99 ${ms(sample.sealed_p99_ms)}`,
    `  waiting     pool ${count(sample.pool)}   unsealed ${count(sample.unsealed)}`,
    `  blocks      ${sample.blocks} new${sample.fill === undefined ? '' : `, ${percent(sample.fill)} full`}   sealed so far ${count(total.sealed)}`,
  ];
}

/** The same figures in one line, for output that is not a terminal. */
export function renderLoadLine(sample: LoadSample): string {
  return (
    `${sample.at_s.toFixed(0)} s: sent ${count(sample.sent)}/s, accepted ${count(sample.accepted)}/s, ` +
    `sealed ${count(sample.sealed)}/s, in a block p50 ${ms(sample.sealed_p50_ms)} p99 ${ms(sample.sealed_p99_ms)}, ` +
    `pool ${count(sample.pool)}`
  );
}

export function renderLoadSummary(report: LoadReport): string[] {
  const { totals, per_second: rates, accepted_ms: accepted, sealed_ms: sealed, blocks, settings } = report;
  const lines = [
    `${settings.profile}: ${report.description}`,
    `  verdict     ${report.verdict.sentence}`,
    ...report.verdict.evidence.map((each) => `              ${each}`),
    `  sent        ${count(totals.sent)} in ${report.sending_s.toFixed(1)} s, ${count(rates.sent)}/s of ${count(settings.rate)}/s`,
    `  accepted    ${count(totals.accepted)}, ${count(rates.accepted)}/s; p50 ${ms(accepted.p50)}, p99 ${ms(accepted.p99)}, max ${ms(accepted.max)}`,
    `  sealed      ${count(totals.sealed)}, ${count(rates.sealed)}/s; p50 ${ms(sealed.p50)}, p99 ${ms(sealed.p99)}, max ${ms(sealed.max)}`,
    `  blocks      ${blocks.count}, ${count(blocks.transactions_mean)} transactions each, ${percent(blocks.fill_mean)} full, the fullest ${percent(blocks.fill_max)}`,
  ];
  if (totals.unsealed > 0) lines.push(`  unsealed    ${count(totals.unsealed)} when the load ended`);
  for (const [reason, times] of Object.entries(report.refusals)) {
    lines.push(`  refused     ${count(times)}: ${reason}`);
  }
  const failed = Object.entries(report.sampled_outcomes).filter(([outcome]) => outcome !== 'success');
  for (const [outcome, times] of failed) {
    const errors = outcome === 'reverted' ? errorsText(report.sampled_errors) : '';
    lines.push(`  in a sample, ${times} ended: ${outcome}${errors}`);
  }
  return [...lines, ...(report.comparison === undefined ? [] : comparisonLines(report.comparison))].map(
    (line) => shownLine(line),
  );
}

function errorsText(errors: Readonly<Record<string, number>>): string {
  const each = Object.entries(errors).map(([name, times]) => `${name} ${count(times)}`);
  return each.length === 0 ? '' : ` (${each.join(', ')})`;
}

function comparisonLines({ started, warnings, figures }: LoadComparison): string[] {
  const rows = figures
    .filter(({ before, now }) => before !== 0 || now !== 0)
    .map((figure) => [
      figure.name,
      quantity(figure.before, figure.unit),
      quantity(figure.now, figure.unit),
      changeText(figure),
    ]);
  const head = ['', 'before', 'now', 'change'];
  const widths = head.map((name, place) =>
    Math.max(name.length, ...rows.map((row) => (row[place] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, place) => (place === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[place] ?? 0))).join('  ')}`;
  return [
    '',
    `compared with the load of ${started}`,
    ...warnings.map((each) => `  warning     ${each}`),
    line(head),
    ...rows.map(line),
  ];
}

function quantity(value: number, unit: ComparedFigure['unit']): string {
  switch (unit) {
    case 'ms':
      return ms(value);
    case '/s':
      return `${count(value)}/s`;
    case '%':
      return `${value.toFixed(1)} %`;
    case '':
      return count(value);
  }
}

function ms(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 10_000) return `${(value / 1_000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

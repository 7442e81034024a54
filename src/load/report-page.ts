import { percent } from '../base/number-text.js';
import { changeText } from './comparison.js';
import type { EarlierReport, LoadComparison, LoadReport } from './load-report.js';
import {
  card,
  cards,
  countBars,
  escapeHtml,
  figures,
  htmlPage,
  number,
  type PageFigure,
  plotGrid,
  shown,
  table,
  verdictCard,
} from './page/html.js';
import { loadPlots, usagePlots } from './report-plots.js';

const MIB = 1_024 * 1_024;

/** Renders the report as one self-contained HTML page. @param earlier the report that it is compared with */
export function reportPage(report: LoadReport, earlier?: EarlierReport): string {
  const { settings, verdict, comparison, samples } = report;
  return htmlPage(
    `heddle load: ${settings.profile}`,
    [
      heading(report),
      verdictCard(capital(verdict.sentence), verdict.evidence),
      figures(headFigures(report)),
      ...(comparison === undefined ? [] : [comparisonCard(comparison)]),
      plotGrid(loadPlots(samples, earlier?.samples)),
      cards([
        card('Latency', latencyTable(report)),
        card('Transactions and blocks', totalsTable(report)),
        card('Processor time and memory', usageTable(report)),
        card('Refused transactions', countBars(report.refusals, report.totals.sent, 'bad')),
        card('Outcomes', outcomes(report)),
      ]),
      plotGrid(usagePlots(samples, earlier?.samples)),
    ].join('\n'),
  );
}

function heading(report: LoadReport): string {
  const { settings } = report;
  const ended = report.ended === 'complete' ? '' : ` — ended early: ${report.ended.replace('_', ' ')}`;
  return `<header><h1>${escapeHtml(settings.profile)}, ${number(settings.rate)} a second for ${number(settings.duration_s)} s${escapeHtml(ended)}</h1>
<p class="muted break">${escapeHtml(shown(report.description))}. ${escapeHtml(shown(report.url))}, heddle ${escapeHtml(shown(report.node_version))}, chain ${escapeHtml(shown(report.chain_id))},
a block every ${number(report.block_time_ms)} ms; ${number(settings.accounts)} accounts with ${number(settings.lanes)} lanes,
${number(settings.connections)} connections; begun ${escapeHtml(shown(report.started))}.</p></header>`;
}

function headFigures({
  per_second: rates,
  settings,
  sealed_ms: sealed,
  blocks,
  totals,
}: LoadReport): PageFigure[] {
  return [
    { name: 'Sealed', value: `${number(rates.sealed)}/s`, note: `of ${number(settings.rate)}/s asked for` },
    { name: 'Sent', value: `${number(rates.sent)}/s`, note: `${number(totals.sent)} transactions` },
    {
      name: 'Until in a block, p50',
      value: `${number(sealed.p50)} ms`,
      note: `p99 ${number(sealed.p99)} ms`,
    },
    { name: 'Blocks', value: number(blocks.count), note: `${percent(blocks.fill_mean)} full on average` },
    {
      name: 'Refused',
      value: number(totals.refused),
      note: `${percent(totals.refused / Math.max(1, totals.sent))} of what was sent`,
    },
    { name: 'Held back', value: number(totals.held_back), note: 'due, but not sent' },
  ];
}

function comparisonCard({ started, warnings, figures: rows }: LoadComparison): string {
  const list = warnings.map((each) => `<li>${escapeHtml(shown(each))}</li>`).join('');
  const notice =
    list === ''
      ? ''
      : `<div class="notice"><p>The two loads differ in more than the node:</p><ul class="plain">${list}</ul></div>`;
  return card(
    `Compared with the load of ${shown(started)}`,
    `${notice}${table(
      ['', 'before', 'now', 'change'],
      rows.map((row) => [
        shown(row.name),
        withUnit(row.before, row.unit),
        withUnit(row.now, row.unit),
        changeText(row),
      ]),
    )}<p class="muted">The plots show the earlier load faint and dashed.</p>`,
  );
}

function withUnit(value: number, unit: string): string {
  return unit === '/s' ? `${number(value)}/s` : `${number(value)} ${unit}`.trimEnd();
}

function latencyTable({ accepted_ms: accepted, sealed_ms: sealed }: LoadReport): string {
  const parts = [
    ['p50', 'p50'],
    ['p90', 'p90'],
    ['p99', 'p99'],
    ['p99.9', 'p999'],
    ['max', 'max'],
    ['mean', 'mean'],
  ] as const;
  return table(
    ['milliseconds', 'until accepted', 'until in a block'],
    [
      ...parts.map(([name, part]) => [name, number(accepted[part]), number(sealed[part])]),
      ['transactions', number(accepted.count), number(sealed.count)],
    ],
  );
}

function totalsTable({ totals, per_second: rates, blocks }: LoadReport): string {
  return (
    table(
      ['transactions', 'all', 'a second'],
      [
        ['sent', number(totals.sent), number(rates.sent)],
        ['accepted', number(totals.accepted), number(rates.accepted)],
        ['sealed', number(totals.sealed), number(rates.sealed)],
        ['refused', number(totals.refused), ''],
        ['held back', number(totals.held_back), ''],
        ['accepted, but not sealed', number(totals.unsealed), ''],
      ],
    ) +
    table(
      [`${number(blocks.count)} blocks`, 'mean', 'most'],
      [
        ['transactions', number(blocks.transactions_mean), number(blocks.transactions_max)],
        ['fill', percent(blocks.fill_mean), percent(blocks.fill_max)],
      ],
    )
  );
}

function outcomes({ sampled_outcomes: all, sampled_errors: errors }: LoadReport): string {
  const count = Object.values(all).reduce((sum, value) => sum + value, 0);
  if (count === 0) return '';
  const reverted = Object.values(errors).reduce((sum, value) => sum + value, 0);
  return [
    `<p class="muted">Of a random sample of ${number(count)} accepted transactions.</p>`,
    countBars(all, count, 'good'),
    ...(reverted === 0 ? [] : ['<h3>Errors of the reverted ones</h3>', countBars(errors, reverted, 'bad')]),
  ].join('\n');
}

function usageTable({ resources }: LoadReport): string {
  const { node, node_problem: problem, generator, generator_cores: cores } = resources;
  const busy = (share: number | undefined) => (share === undefined ? '' : percent(share));
  const row = (name: string, used: number | undefined, share: number | undefined, bytes?: number) => [
    ...[name, used === undefined ? '' : number(used), busy(share)],
    bytes === undefined ? '' : number(bytes / MIB),
  ];
  const rows = [
    ...(node === undefined
      ? []
      : [
          row('node', node.cores, undefined, node.memory_bytes),
          row('  main thread', node.main?.cores, node.main?.busy),
          row('  busiest front thread', node.front?.cores, node.front?.busy),
          row('  block workers', undefined, node.block_workers),
          row('  sealing of blocks', undefined, node.seal),
          row('  state tree', undefined, node.roots),
          row('  store', undefined, node.commit),
        ]),
    ...(generator === undefined
      ? []
      : [row('load generator', generator.cores, generator.busy, generator.memory_bytes)]),
  ].filter((cells) => cells.slice(1).some((cell) => cell !== ''));
  const notes = [
    `Means over the time of sending; memory is the most. The load generator's machine has ${number(cores)} ${cores === 1 ? 'core' : 'cores'}.`,
    ...(problem === undefined ? [] : [`The node's metrics could not be read: ${shown(problem)}.`]),
  ];
  return `${table(['', 'cores in use', 'busy', 'memory, MiB'], rows)}<p class="muted">${notes.map(escapeHtml).join(' ')}</p>`;
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

import type { FigureSummary } from '../results/summary.js';
import type { Contents } from './contents.js';
import type { TextTable } from './lines.js';
import { measured } from './text.js';

/** Column of work whose name gives no number of connections. */
const OWN_LOAD = 'its own load';

/**
 * Rates relative to anvil: one line for each piece of work, one column for each number of connections.
 *
 * @returns undefined if the run has none
 */
export function besideAnvil({ parts }: Contents): TextTable | undefined {
  const lines = new Map<string, Map<string, string>>();
  const figures = parts.flatMap(({ benchmarks }) => benchmarks).flatMap(({ tables }) => tables);
  for (const { title, rows } of figures) {
    for (const row of rows) {
      const ratio = ratioToAnvil(row);
      if (ratio === undefined) continue;
      const [, work = title, connections = OWN_LOAD] = /^(.*), (\d[\d,]* connections)$/.exec(title) ?? [];
      const name = row.label === 'answers' ? work : `${work}, ${row.label}`;
      const line = lines.get(name) ?? new Map<string, string>();
      lines.set(name, line.set(connections, ratio));
    }
  }
  if (lines.size === 0) return undefined;
  const columns = [...new Set([...lines.values()].flatMap((line) => [...line.keys()]))];
  return [
    ['times the rate of anvil', ...columns],
    ...[...lines].map(([name, line]) => [name, ...columns.map((column) => line.get(column) ?? '')]),
  ];
}

function ratioToAnvil({ unit, baselines }: FigureSummary): string | undefined {
  const anvil = unit === '/s' ? baselines.find(({ name }) => name === 'anvil') : undefined;
  return anvil && measured(anvil.ratio, 'count');
}

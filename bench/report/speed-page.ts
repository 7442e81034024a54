import type { Benchmark } from '../catalogue/benchmark.js';
import type { BenchmarkRun } from '../results/run.js';
import { besideAnvil } from './beside-anvil.js';
import { contentsOf } from './contents.js';
import { machineRows, type TextTable } from './lines.js';
import { markdownTable, resultSections } from './markdown.js';

/** The text of docs/speed.md. Every number of it comes from the run. */
export function speedPage(run: BenchmarkRun, catalogue?: readonly Benchmark[]): string {
  // Not every benchmark records figures.
  const shown = run.benchmarks.filter(({ figures, series }) => figures.length + series.length > 0);
  const contents = contentsOf({ ...run, benchmarks: shown }, catalogue);
  const anvil = besideAnvil(contents);
  const names = shown.map(({ name }) => name).join(' ');
  return `${[
    '# Speed',
    `All measured figures of the project, from one run of its benchmarks. \`npm run docs\` writes this page from
[\`docs/speed.json\`](speed.json), the results of that run. [\`bench/README.md\`](../bench/README.md) describes the command and lists
further benchmarks, which this run may leave out.`,
    '## How to read it',
    `- A figure is the median of its rounds, and the range in brackets goes from the lowest round to the highest.
- A baseline was measured in the same rounds, in turn with the figure. The ratio is the median of the ratios of each round, so that
  both sides saw the same state of the machine.
- Compare ratios. Absolute figures of two machines, or of one rented machine on two days, differ by more than two builds do.
- The load generator and the baselines share the cores with the node.
- An aim names its bound, and whether this run met it.
- An exponent tells how cost grows: a cost with exponent 1 doubles when the size doubles, and with exponent 0 it stays. It is the
  slope of a line through the logarithms of all rounds, given with its standard error. R² is the share of the variance that the line
  explains.
- \`npm run bench -- NAME\` measures one benchmark on your machine. \`npm run bench -- --compare docs/speed.json\` compares your
  machine with this run.`,
    '## The run',
    markdownTable(machineRows(run)),
    ['```sh', `npm run bench -- ${names}${run.quick ? ' --quick' : ''}`, '```'].join('\n'),
    ...(anvil === undefined ? [] : anvilSection(anvil)),
    ...resultSections(contents),
  ].join('\n\n')}\n`;
}

function anvilSection(rows: TextTable): string[] {
  return [
    '## Beside anvil',
    `The node’s rate as a multiple of anvil’s, from the figures below: where it is less than one, anvil is ahead. Both served the same
work, in turn. \`npm run bench -- peers\` measures it again.`,
    markdownTable(rows),
  ];
}

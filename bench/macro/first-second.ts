import { recordFigure } from '../results/record.js';
import { median, roundRatios } from '../results/rounds.js';
import type { RequestLoad } from '../support/request-load.js';
import type { Comparison } from './comparison.js';
import type { EthereumProgram } from './ethereum/program.js';
import { ethereumContestant, heddleContestant, startNodes } from './nodes/contestant.js';

const MILLISECONDS = 1_000;

/**
 * Records the rate of one piece of work in the first second of load, without warm-up, on nodes started for
 * each round. Before that second, they have only deployed the contracts.
 */
export async function measureFirstSecond(
  name: string,
  comparison: Comparison,
  programs: readonly EthereumProgram[],
  load: RequestLoad,
): Promise<void> {
  const { rounds, nodeFlag } = comparison.options;
  const connections = Math.max(...comparison.options.connections);
  const rates = ['heddle', ...programs.map(({ kind }) => kind)].map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    const nodes = await startNodes(programs, nodeFlag);
    try {
      const work = (await comparison.prepareHeddle(nodes.heddle)).find((each) => each.name === name);
      if (work === undefined) throw new RangeError(`new nodes have no work ${name}`);
      for (const node of nodes.ethereum) await comparison.prepareEthereum(node);
      const entries = [
        { ...heddleContestant(nodes.heddle), body: work.heddle.body },
        ...nodes.ethereum.map((node) => ({ ...ethereumContestant(node), body: work.ethereum.body })),
      ];
      for (const [i, { url, path, body }] of entries.entries()) {
        rates[i]?.push(await load.measure({ url, path, body, connections, milliseconds: MILLISECONDS }));
      }
    } finally {
      await nodes.stop();
    }
  }
  const [heddle = [], ...others] = rates;
  const baselines = programs.map(({ kind }, i) => ({ name: kind, rounds: others[i] ?? [] }));
  const figure = `${name}, ${connections} connections: first second`;
  recordFigure({
    name: figure,
    unit: '/s',
    better: 'higher',
    rounds: heddle,
    ...(baselines.length > 0 && { baselines }),
  });
  const cells = baselines.map((each) => {
    const ratio = median(roundRatios(heddle, each.rounds) ?? [Number.NaN]);
    return `${each.name} ${shown(each.rounds)}/s, ratio ${ratio.toFixed(2)}`;
  });
  console.log([figure, `heddle ${shown(heddle)}/s`, ...cells].join('  '));
}

function shown(rates: readonly number[]): string {
  return Math.round(median(rates)).toLocaleString('en');
}

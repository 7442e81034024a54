import type { Aim, Baseline } from '../results/figure.js';
import { recordFigure } from '../results/record.js';
import { median, roundRatios } from '../results/rounds.js';
import type { Measured, Sample } from './in-turn.js';
import { BARE } from './nodes/contestant.js';
import type { Work } from './work/work.js';

/** Records and prints the rates and processor times of one piece of work. @param others anvil first, if installed */
export function recordWork(
  work: Work,
  connections: number,
  heddle: Measured,
  others: readonly Measured[],
): void {
  const name = `${work.name}, ${connections} connections`;
  const aim = others[0]?.name === 'anvil' ? work.aims?.[connections] : undefined;
  recordFigure({
    name: `${name}: answers`,
    unit: '/s',
    better: 'higher',
    ...roundsOf('rate', heddle, others),
    ...(aim !== undefined && { aim: ratioAim('least', aim) }),
  });
  const bare = others.find((each) => each.name === BARE);
  const bareAim = bare === undefined ? undefined : work.bare?.aim;
  // The aim of a figure is for its ratio to the first baseline.
  const byAim =
    bare === undefined || bareAim === undefined ? others : [bare, ...others.filter((e) => e !== bare)];
  recordFigure({
    name: `${name}: processor time`,
    unit: 'µs',
    better: 'lower',
    ...roundsOf('micros', heddle, byAim),
    ...(bareAim !== undefined && { aim: ratioAim('most', bareAim) }),
  });
  printWork(name, heddle, others, aim, bareAim);
}

function ratioAim(at: Aim['at'], bound: number): Aim {
  return { of: 'ratio', at, bound };
}

function roundsOf(
  of: keyof Sample,
  heddle: Measured,
  others: readonly Measured[],
): { readonly rounds: readonly number[]; readonly baselines?: readonly Baseline[] } {
  const rounds = roundsBy(of, heddle);
  if (others.length === 0) return { rounds };
  return { rounds, baselines: others.map((each) => ({ name: each.name, rounds: roundsBy(of, each) })) };
}

function roundsBy(of: keyof Sample, { samples }: Measured): readonly number[] {
  return samples.map((sample) => sample[of]);
}

/** Median of the ratios of Heddle to the other, round by round. */
function ratio(of: keyof Sample, heddle: Measured, other: Measured): number {
  return median(roundRatios(roundsBy(of, heddle), roundsBy(of, other)) ?? [Number.NaN]);
}

function printWork(
  name: string,
  heddle: Measured,
  others: readonly Measured[],
  aim: number | undefined,
  bareAim: number | undefined,
): void {
  const cells = [name.padEnd(46), figures(heddle)];
  for (const other of others) {
    const rates = ratio('rate', heddle, other);
    const micros = ratio('micros', heddle, other);
    cells.push(`${figures(other)}, ratio ${rates.toFixed(2)}, of processor time ${micros.toFixed(2)}`);
    if (other.name === 'anvil' && aim !== undefined) cells.push(verdict(aim, rates >= aim));
    if (other.name === BARE && bareAim !== undefined) cells.push(verdict(bareAim, micros <= bareAim));
  }
  console.log(cells.join('  '));
}

function figures(measured: Measured): string {
  const rate = median(roundsBy('rate', measured));
  const micros = median(roundsBy('micros', measured));
  const shown = rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en');
  return `${measured.name} ${shown}/s ${micros.toFixed(micros < 100 ? 1 : 0)} µs`;
}

function verdict(aim: number, isMet: boolean): string {
  return `(aim ${aim.toFixed(2)}${isMet ? '' : ', missed'})`;
}

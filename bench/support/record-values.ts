import type { Aim, Figure, Unit } from '../results/figure.js';
import { recordFigure } from '../results/record.js';

/** Records values, one per round; less is better. */
export function recordCost(name: string, unit: Unit, rounds: number | readonly number[], more?: More): void {
  record({ name, unit, better: 'lower' }, rounds, more);
}

/** Records rates or ratios, one per round; more is better. */
export function recordGain(name: string, unit: Unit, rounds: number | readonly number[], more?: More): void {
  record({ name, unit, better: 'higher' }, rounds, more);
}

type More = Pick<Figure, 'aim' | 'baselines'>;

function record(
  figure: Omit<Figure, 'rounds'>,
  rounds: number | readonly number[],
  more: More | undefined,
): void {
  recordFigure({ ...figure, rounds: typeof rounds === 'number' ? [rounds] : rounds, ...more });
}

export function atMost(bound: number): { readonly aim: Aim } {
  return { aim: { of: 'value', at: 'most', bound } };
}

export function atLeast(bound: number): { readonly aim: Aim } {
  return { aim: { of: 'value', at: 'least', bound } };
}

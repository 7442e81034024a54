import type { Series } from '../../results/figure.js';
import { recordSeries } from '../../results/record.js';
import { median } from '../../results/rounds.js';
import { textTable } from '../../support/text-table.js';

export type Quantity = Pick<Series, 'name' | 'unit' | 'better' | 'largestExponent'>;

/** Linear cost, with room for the noise of a measurement. */
export const LINEAR = 1.1;
/** Cost that must not grow, with room for noise and for the depth of trees. */
export const CONSTANT = 0.1;
/** One step more for each doubling: over a few powers of ten, that looks like a small power. */
export const LOGARITHMIC = 0.25;

/** Collects several quantities over one size, prints them as a table and records them as series. */
export class Growth {
  readonly #over: string;
  readonly #quantities: readonly Quantity[];
  readonly #rows = new Map<number, ReadonlyMap<string, readonly number[]>>();

  /** @param over the size, such as `accounts` */
  constructor(over: string, quantities: readonly Quantity[]) {
    this.#over = over;
    this.#quantities = quantities;
  }

  /** Adds the rounds of a size, by name of the quantity; a quantity may be missing at some sizes. */
  add(size: number, rounds: Readonly<Record<string, readonly number[]>>): void {
    for (const name of Object.keys(rounds)) {
      if (!this.#quantities.some((quantity) => quantity.name === name)) {
        throw new RangeError(`no quantity is named ${name}`);
      }
    }
    this.#rows.set(size, new Map(Object.entries(rounds)));
  }

  /** Prints and records everything that was added. */
  finish(): void {
    const sizes = [...this.#rows.keys()].sort((a, b) => a - b);
    const rows = this.#quantities.map(({ name, unit }) => [
      `${name}, ${unit}`,
      ...sizes.map((size) => shown(this.#rows.get(size)?.get(name) ?? [])),
    ]);
    console.log(textTable([[this.#over, ...sizes.map((size) => size.toLocaleString('en'))], ...rows]));
    for (const quantity of this.#quantities) {
      const points = sizes.flatMap((size) => {
        const rounds = this.#rows.get(size)?.get(quantity.name) ?? [];
        return rounds.length === 0 ? [] : [{ size, rounds }];
      });
      if (points.length > 0) recordSeries({ ...quantity, over: this.#over, points });
    }
  }
}

function shown(rounds: readonly number[]): string {
  if (rounds.length === 0) return '-';
  return median(rounds).toLocaleString('en', { maximumSignificantDigits: 3 });
}

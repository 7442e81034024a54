import type { BlockGroup, GroupOutcomes } from './group-outcomes.js';

/** The expected gas of the rest of a block, from any group on. */
export class ExpectedRest {
  readonly #outcomes: GroupOutcomes;
  /** By position, the predicted gas of a group and all later ones. */
  readonly #gas: Float64Array;
  /** By position, the number of calls without a prediction in a group and all later ones. */
  readonly #unforeseen: Uint32Array;

  constructor(groups: readonly BlockGroup[], outcomes: GroupOutcomes) {
    this.#outcomes = outcomes;
    this.#gas = new Float64Array(groups.length + 1);
    this.#unforeseen = new Uint32Array(groups.length + 1);
    for (let place = groups.length - 1; place >= 0; place--) {
      const group = groups[place];
      if (group === undefined) continue;
      this.#gas[place] = (this.#gas[place + 1] ?? 0) + outcomes.predictedGas(group);
      this.#unforeseen[place] = (this.#unforeseen[place + 1] ?? 0) + outcomes.unforeseenIn(group);
    }
  }

  /** @param place position of a group */
  gasFrom(place: number): number {
    return (this.#gas[place] ?? 0) + (this.#unforeseen[place] ?? 0) * this.#outcomes.unforeseenExcess;
  }
}

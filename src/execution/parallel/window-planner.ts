import type { AccessKeys } from './access-keys.js';
import { type BlockGroup, type GroupOutcomes, isAllPlain } from './group-outcomes.js';
import { clustersOf } from './plan.js';

/** How much a window may hold. */
export interface WindowLimits {
  /** Gas whose time may be lost. */
  readonly spare: number;
  /** Tasks that run at the same time. */
  readonly parallelism: number;
  /** Gas that tasks under way are expected to use. */
  readonly gasInFlight: number;
  readonly isInFlight: (group: BlockGroup) => boolean;
}

/** Groups for workers to try next. */
export interface Window {
  readonly groups: readonly BlockGroup[];
  /** The place of each group in the block. */
  readonly places: readonly number[];
  /** The cluster of each group. */
  readonly clusters: readonly number[];
  /** Gas that the groups are expected to use. */
  readonly gas: number;
}

/** Picks the groups that workers try next, in block order. Groups of one cluster are expected to conflict. */
export class WindowPlanner {
  readonly #groups: readonly BlockGroup[];
  readonly #tried: GroupOutcomes;
  /** The cluster of each group, by place; a plain group's is not used. */
  readonly #clusterOf: Int32Array;
  /** By cluster, the place of the last group that was in a window. */
  readonly #lastPicked = new Map<number, number>();
  /** Groups that are not plain. */
  readonly size: number;
  /** Their clusters. */
  readonly clusters: number;

  /** @param from the first group that is not in the block yet */
  constructor(groups: readonly BlockGroup[], tried: GroupOutcomes, from: number) {
    this.#groups = groups;
    this.#tried = tried;
    this.#clusterOf = new Int32Array(groups.length);
    const places: number[] = [];
    const accesses: AccessKeys[] = [];
    for (const [index, group] of groups.slice(from).entries()) {
      if (isAllPlain(group)) continue;
      places.push(from + index);
      accesses.push(tried.expectedAccesses(group));
    }
    const clusters = clustersOf(accesses);
    for (const [index, place] of places.entries()) this.#clusterOf[place] = clusters[index] ?? index;
    this.size = places.length;
    this.clusters = new Set(clusters).size;
  }

  /**
   * Picks the groups of the next window. If all of them turn out invalid, and everything under way too, the time lost is at
   * most that of `spare`.
   * @param cursor the place of the first group that is not in the block
   */
  next(cursor: number, { spare, parallelism, gasInFlight, isInFlight }: WindowLimits): Window {
    const groups: BlockGroup[] = [];
    const places: number[] = [];
    const clusters: number[] = [];
    const gasOf = new Map<number, number>();
    let total = gasInFlight;
    for (let place = cursor; place < this.#groups.length; place++) {
      const group = this.#groups[place];
      if (group === undefined || isAllPlain(group)) continue;
      if (isInFlight(group) || this.#tried.has(group)) continue;
      const cluster = this.#clusterOf[place] ?? place;
      const before = gasOf.get(cluster);
      if (place > cursor && before === undefined && this.#isBusy(cluster, cursor)) continue;
      // The group at the cursor will be valid: while it runs, others lose no time.
      const isFree = place === cursor;
      const gas = isFree ? 0 : this.#tried.expectedGas(group);
      const clusterGas = (before ?? 0) + gas;
      if (clusterGas > spare || (total + gas > spare * parallelism && !isFree)) break;
      total += gas;
      gasOf.set(cluster, clusterGas);
      groups.push(group);
      places.push(place);
      clusters.push(cluster);
    }
    return { groups, places, clusters, gas: total - gasInFlight };
  }

  /** Notes that the groups of a window are about to run. */
  begin({ places, clusters }: Window): void {
    for (const [index, place] of places.entries()) this.#lastPicked.set(clusters[index] ?? place, place);
  }

  /** Whether the group at a place was in a window. */
  wasPicked(place: number): boolean {
    return (this.#lastPicked.get(this.#clusterOf[place] ?? place) ?? -1) >= place;
  }

  /** Whether a cluster has groups from an earlier window that are not in the block: later ones would not see their writes. */
  #isBusy(cluster: number, cursor: number): boolean {
    const last = this.#lastPicked.get(cluster);
    return last !== undefined && last >= cursor;
  }
}

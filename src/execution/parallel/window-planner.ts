import type { AccessKeys } from './access-keys.js';
import { type BlockGroup, type GroupOutcomes, isAllPlain } from './group-outcomes.js';
import { clustersOf } from './plan.js';

export interface WindowLimits {
  /** Gas whose time may be lost. */
  readonly spare: number;
  readonly parallelism: number;
  readonly gasInFlight: number;
  /** Gas that may be at risk in tasks in flight and in the window. */
  readonly room: number;
  readonly isInFlight: (group: BlockGroup) => boolean;
}

/** The next groups for workers to try. */
export interface Window {
  readonly groups: readonly BlockGroup[];
  /** The position of each group in the block. */
  readonly places: readonly number[];
  readonly clusters: readonly number[];
  readonly gas: number;
}

/** Picks the next groups for workers to try, in block order. Groups of one cluster are expected to conflict. */
export class WindowPlanner {
  readonly #groups: readonly BlockGroup[];
  readonly #tried: GroupOutcomes;
  /** The cluster of each group, by position; unused for plain groups. */
  readonly #clusterOf: Int32Array;
  /** By cluster, the position of the last group that was in a window. */
  readonly #lastPicked = new Map<number, number>();
  /** Number of groups that are not plain. */
  readonly size: number;
  /** Number of clusters of groups that are not plain. */
  readonly clusters: number;

  /** @param from position of the first group that is not in the block yet */
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
   * Picks the groups of the next window. Even if all of them and everything in flight turn out invalid, the time lost
   * is at most that of `spare`, and the gas lost at most `room`. A group that was cut off waits for its turn, and its cluster
   * with it.
   * @param cursor position of the first group that is not in the block
   */
  next(cursor: number, { spare, parallelism, gasInFlight, room, isInFlight }: WindowLimits): Window {
    const groups: BlockGroup[] = [];
    const places: number[] = [];
    const clusters: number[] = [];
    const gasOf = new Map<number, number>();
    const waiting = new Set<number>();
    let total = gasInFlight;
    const most = Math.min(spare * parallelism, room);
    for (let place = cursor; place < this.#groups.length; place++) {
      const group = this.#groups[place];
      if (group === undefined || isAllPlain(group)) continue;
      if (isInFlight(group) || this.#tried.has(group)) continue;
      const cluster = this.#clusterOf[place] ?? place;
      const before = gasOf.get(cluster);
      if (place > cursor && before === undefined && this.#isBusy(cluster, cursor)) continue;
      if (place > cursor && this.#tried.isCutOff(group)) waiting.add(cluster);
      if (waiting.has(cluster)) continue;
      // The group at the cursor will be valid: while it runs, others lose no time.
      const isFree = place === cursor;
      const gas = isFree ? 0 : this.#tried.expectedGas(group);
      const clusterGas = (before ?? 0) + gas;
      if (clusterGas > spare || (total + gas > most && !isFree)) break;
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

  /** Lets groups that a task has not tried be picked again. @param isPending in flight, or has an outcome */
  release(untried: readonly BlockGroup[], cursor: number, isPending: (group: BlockGroup) => boolean): void {
    const released = new Set(untried);
    const pending = new Map<number, number>();
    for (let place = cursor; place < this.#groups.length; place++) {
      const group = this.#groups[place];
      const cluster = this.#clusterOf[place] ?? place;
      if (group === undefined || isAllPlain(group)) continue;
      if (isPending(group)) pending.set(cluster, place);
      else if (released.has(group)) this.#lastPicked.delete(cluster);
    }
    for (const [cluster, place] of pending) {
      if (!this.#lastPicked.has(cluster)) this.#lastPicked.set(cluster, place);
    }
  }

  wasPicked(place: number): boolean {
    return (this.#lastPicked.get(this.#clusterOf[place] ?? place) ?? -1) >= place;
  }

  /** Returns true if a cluster has groups in flight or unmerged: later ones would not see their writes. */
  #isBusy(cluster: number, cursor: number): boolean {
    const last = this.#lastPicked.get(cluster);
    return last !== undefined && last >= cursor;
  }
}

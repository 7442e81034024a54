import type { BlockGroup, GroupOutcomes } from './group-outcomes.js';
import { clustersOf, packTasks } from './plan.js';
import type { Task } from './task-queue.js';

/** Share of the block's gas above which a group counts as long: it occupies its worker until it ends. */
const LONG_GROUP = 1 / 64;

/** Groups, with each one's cluster number. */
export interface ClusteredGroups {
  readonly groups: readonly BlockGroup[];
  readonly clusters: readonly number[];
}

/** Divides groups into tasks for workers. */
export class TaskPlanner {
  readonly #outcomes: GroupOutcomes;
  readonly #workers: number;
  readonly #longGas: number;

  /** @param blockGas expected gas of all groups of the block */
  constructor(outcomes: GroupOutcomes, workers: number, blockGas: number) {
    this.#outcomes = outcomes;
    this.#workers = workers;
    this.#longGas = LONG_GROUP * blockGas;
  }

  /** @param minGas minimum gas of a task */
  tasksOf({ groups, clusters }: ClusteredGroups, minGas: number): Task[] {
    const gas = groups.map((group) => this.#outcomes.expectedGas(group));
    return packTasks(gas, clusters, this.#workers, minGas).map((places) => ({
      groups: pick(groups, places),
      gas: places.reduce((sum, place) => sum + (gas[place] ?? 0), 0),
      exact: false,
      isLast: false,
      isConflicting:
        places.length > 1 && places.every((place) => clusters[place] === clusters[places[0] ?? 0]),
      isFine: places.every((place) => (gas[place] ?? 0) <= this.#longGas),
    }));
  }

  /** Returns the clusters of tried groups that contain an invalid outcome; all their groups run again. */
  clustersWith(invalid: ReadonlySet<BlockGroup>, tried: readonly BlockGroup[]): ClusteredGroups {
    const clusters = clustersOf(tried.map((group) => this.#outcomes.expectedAccesses(group)));
    const dirty = new Set<number>();
    for (const [place, group] of tried.entries()) {
      if (invalid.has(group)) dirty.add(clusters[place] ?? place);
    }
    const isRetry = (place: number): boolean => dirty.has(clusters[place] ?? place);
    return {
      groups: tried.filter((_, place) => isRetry(place)),
      clusters: [...clusters].filter((_, place) => isRetry(place)),
    };
  }
}

/**
 * Returns the first of some groups that are expected to use at most `room` gas together.
 * @param free group that counts nothing and is always among them
 */
export function firstWithin(
  room: number,
  { groups, clusters }: ClusteredGroups,
  gasOf: (group: BlockGroup) => number,
  free: BlockGroup | undefined,
): ClusteredGroups {
  let left = room;
  const end = groups.findIndex((group) => {
    if (group !== free) left -= gasOf(group);
    return group !== free && left < 0;
  });
  return end < 0 ? { groups, clusters } : { groups: groups.slice(0, end), clusters: clusters.slice(0, end) };
}

function pick<T>(items: readonly T[], places: readonly number[]): T[] {
  return places.flatMap((place) => {
    const item = items[place];
    return item === undefined ? [] : [item];
  });
}

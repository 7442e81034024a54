import { type AccessKeys, accessKindOf, CHANGED, keyOf, READ, WRITTEN } from './access-keys.js';
import { DisjointSets } from './disjoint-sets.js';
import type { BlockGroup, GroupOutcomes } from './group-outcomes.js';
import type { Task } from './task-queue.js';

/** Tasks per worker: enough to even out errors in the expected gas, and to begin validation early. */
const TASKS_PER_WORKER = 4;

/**
 * Packs groups into tasks. The groups of a cluster share a task. A cluster of at least one portion is its own task;
 * these begin first, longest first. The others are packed in block order, so that a task's groups are close together
 * and can be validated as soon as it returns.
 * @param clusterOf cluster number of each group
 * @param minTaskGas minimum gas of a task, unless all groups together use less
 * @returns each task's groups in ascending order, the tasks in the order in which they should begin
 */
export function packTasks(
  gasOf: readonly number[],
  clusterOf: readonly number[],
  workers: number,
  minTaskGas: number,
): number[][] {
  const clusters = new Map<number, { readonly groups: number[]; gas: number }>();
  let totalGas = 0;
  for (const [group, gas] of gasOf.entries()) {
    const number = clusterOf[group] ?? group;
    const cluster = clusters.get(number);
    if (cluster === undefined) clusters.set(number, { groups: [group], gas });
    else {
      cluster.groups.push(group);
      cluster.gas += gas;
    }
    totalGas += gas;
  }
  const portion = Math.max(minTaskGas, totalGas / (workers * TASKS_PER_WORKER));
  const large: { readonly groups: number[]; readonly gas: number }[] = [];
  const small: number[][] = [];
  let filling: number[] = [];
  let filled = 0;
  for (const cluster of clusters.values()) {
    const { groups, gas } = cluster;
    if (gas >= portion) {
      large.push(cluster);
      continue;
    }
    if (filled > 0 && filled + gas > portion) {
      small.push(filling);
      filling = [];
      filled = 0;
    }
    filling.push(...groups);
    filled += gas;
  }
  if (filling.length > 0) small.push(filling);
  large.sort((a, b) => b.gas - a.gas);
  const tasks = [...large.map(({ groups }) => groups), ...small];
  for (const task of tasks) task.sort((a, b) => a - b);
  return tasks;
}

/** For each group the first of its cluster: groups share one if one accesses a key that another writes. */
export function clustersOf(accessesOf: readonly AccessKeys[]): Int32Array {
  const ways = new Map<number, number>();
  for (const accesses of accessesOf) {
    for (const key of accesses) {
      const name = keyOf(key);
      ways.set(name, (ways.get(name) ?? 0) | (1 << accessKindOf(key)));
    }
  }
  const sets = new DisjointSets(accessesOf.length);
  const firstOf = new Map<number, number>();
  for (const [group, accesses] of accessesOf.entries()) {
    for (const key of accesses) {
      const name = keyOf(key);
      if (!isContended(ways.get(name) ?? 0)) continue;
      const first = firstOf.get(name);
      if (first === undefined) firstOf.set(name, group);
      else sets.join(first, group);
    }
  }
  return sets.roots();
}

const READ_AND_CHANGED = (1 << READ) | (1 << CHANGED);

/** Returns true if these kinds of access to a key conflict. Reads alone do not, and changes alone do not. */
function isContended(ways: number): boolean {
  return (ways & (1 << WRITTEN)) !== 0 || (ways & READ_AND_CHANGED) === READ_AND_CHANGED;
}

/** Share of the block's gas above which a group counts as long: it occupies its worker until it ends. */
const LONG_GROUP = 1 / 64;

export interface ClusteredGroups {
  readonly groups: readonly BlockGroup[];
  readonly clusters: readonly number[];
}

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

/** The first groups expected to use at most `room` gas together; `free` counts nothing and is included. */
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

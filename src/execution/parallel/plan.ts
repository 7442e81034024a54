import { type AccessKeys, CHANGED, howOf, keyOf, READ, WRITTEN } from './access-keys.js';

/** A group of the block as far as the plan looks at it. */
export interface PlannedGroup {
  /** What it is expected to touch; undefined where nobody knows. */
  readonly accesses: AccessKeys | undefined;
  /** The gas that it is expected to use. */
  readonly gas: number;
}

/** Who runs what: each task's groups in ascending order, the tasks in the order in which they should begin. */
export interface Plan {
  readonly tasks: readonly (readonly number[])[];
  /** Of each group, the cluster of those that it has to do with, by the first of them. */
  readonly clusterOf: Int32Array;
  readonly clusters: number;
  /** The gas of the cluster with the most. */
  readonly largestGas: number;
  readonly totalGas: number;
}

/** So many portions for each worker even out what the gas says wrongly, and let validation begin early. */
const PORTIONS_A_WORKER = 4;
/** Some half a millisecond of work: less is not worth a task. */
const LEAST_TASK_GAS = 500_000;

/**
 * Cuts groups into clusters that are not expected to touch each other, and packs those into tasks. A cluster that alone is a
 * portion or more is a task of its own, and begins first, the longest before the others; the rest is dealt out in the
 * order of the block, so that the groups of a task lie close together and it can be validated as soon as it comes back.
 * A group of which nothing is known is a cluster of its own.
 */
export function planBlock(
  groups: readonly PlannedGroup[],
  workers: number,
  leastTaskGas: number = LEAST_TASK_GAS,
): Plan {
  const clusterOf = clustersOf(groups);
  const members = new Map<number, number[]>();
  const gasOf = new Map<number, number>();
  let totalGas = 0;
  for (const [group, { gas }] of groups.entries()) {
    const cluster = clusterOf[group] ?? group;
    const list = members.get(cluster);
    if (list === undefined) members.set(cluster, [group]);
    else list.push(group);
    gasOf.set(cluster, (gasOf.get(cluster) ?? 0) + gas);
    totalGas += gas;
  }
  const portion = Math.max(leastTaskGas, totalGas / (workers * PORTIONS_A_WORKER));
  const large: { readonly groups: number[]; readonly gas: number }[] = [];
  const small: number[][] = [];
  let filling: number[] = [];
  let filled = 0;
  let largestGas = 0;
  for (const [cluster, list] of members) {
    const gas = gasOf.get(cluster) ?? 0;
    largestGas = Math.max(largestGas, gas);
    if (gas >= portion) {
      large.push({ groups: list, gas });
      continue;
    }
    if (filled > 0 && filled + gas > portion) {
      small.push(filling);
      filling = [];
      filled = 0;
    }
    filling.push(...list);
    filled += gas;
  }
  if (filling.length > 0) small.push(filling);
  large.sort((a, b) => b.gas - a.gas);
  const tasks = [...large.map((task) => task.groups), ...small];
  for (const task of tasks) task.sort((a, b) => a - b);
  return { tasks, clusterOf, clusters: members.size, largestGas, totalGas };
}

/** Of each group, the first group of its cluster: groups share a cluster where one writes or reads what another writes. */
function clustersOf(groups: readonly PlannedGroup[]): Int32Array {
  const ways = new Map<number, number>();
  for (const { accesses } of groups) {
    if (accesses === undefined) continue;
    for (const key of accesses) {
      const name = keyOf(key);
      ways.set(name, (ways.get(name) ?? 0) | (1 << howOf(key)));
    }
  }
  const sets = new DisjointSets(groups.length);
  const firstOf = new Map<number, number>();
  for (const [group, { accesses }] of groups.entries()) {
    if (accesses === undefined) continue;
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

/** Whether those who touch a key in these ways have to take turns. Reads alone do not conflict, and changes alone do not. */
function isContended(ways: number): boolean {
  return (ways & (1 << WRITTEN)) !== 0 || (ways & READ_AND_CHANGED) === READ_AND_CHANGED;
}

/** Union-find over 0 to size − 1; the root of a set is its least member. */
class DisjointSets {
  readonly #parents: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, member) => member);
  }

  join(a: number, b: number): void {
    const [first, second] = [this.#root(a), this.#root(b)];
    if (first < second) this.#parents[second] = first;
    else this.#parents[first] = second;
  }

  roots(): Int32Array {
    return this.#parents.map((_, member) => this.#root(member));
  }

  #root(member: number): number {
    let at = member;
    for (;;) {
      const parent = this.#parents[at] ?? at;
      if (parent === at) return at;
      const above = this.#parents[parent] ?? parent;
      this.#parents[at] = above;
      at = above;
    }
  }
}

import { type AccessKeys, CHANGED, howOf, keyOf, READ, WRITTEN } from './access-keys.js';

/** A unit of the block as far as the plan looks at it. */
export interface PlannedUnit {
  /** What it is expected to touch; undefined where nobody knows. */
  readonly accesses: AccessKeys | undefined;
  /** The gas that it is expected to use. */
  readonly gas: number;
}

/** Who runs what: each task's units in ascending order, the tasks in the order in which they should begin. */
export interface Plan {
  readonly tasks: readonly (readonly number[])[];
  /** Of each unit, the group of those that it has to do with, by the first of them. */
  readonly groupOf: Int32Array;
  readonly groups: number;
  /** The gas of the group with the most. */
  readonly largestGas: number;
  readonly totalGas: number;
}

/** So many portions for each worker even out what the gas says wrongly, and let validation begin early. */
const PORTIONS_A_WORKER = 4;
/** Some half a millisecond of work: less is not worth a task. */
const LEAST_TASK_GAS = 500_000;

/**
 * Cuts units into groups that are not expected to touch each other, and packs those into tasks. A group that alone is a
 * portion or more is a task of its own, and begins first, the longest before the others; the rest is dealt out in the
 * order of the block, so that the units of a task lie close together and it can be validated as soon as it comes back.
 * A unit of which nothing is known is a group of its own.
 */
export function planBlock(
  units: readonly PlannedUnit[],
  workers: number,
  leastTaskGas: number = LEAST_TASK_GAS,
): Plan {
  const groupOf = groupUnits(units);
  const members = new Map<number, number[]>();
  const gasOf = new Map<number, number>();
  let totalGas = 0;
  for (const [unit, { gas }] of units.entries()) {
    const group = groupOf[unit] ?? unit;
    const list = members.get(group);
    if (list === undefined) members.set(group, [unit]);
    else list.push(unit);
    gasOf.set(group, (gasOf.get(group) ?? 0) + gas);
    totalGas += gas;
  }
  const portion = Math.max(leastTaskGas, totalGas / (workers * PORTIONS_A_WORKER));
  const large: { readonly units: number[]; readonly gas: number }[] = [];
  const small: number[][] = [];
  let filling: number[] = [];
  let filled = 0;
  let largestGas = 0;
  for (const [group, list] of members) {
    const gas = gasOf.get(group) ?? 0;
    largestGas = Math.max(largestGas, gas);
    if (gas >= portion) {
      large.push({ units: list, gas });
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
  const tasks = [...large.map((task) => task.units), ...small];
  for (const task of tasks) task.sort((a, b) => a - b);
  return { tasks, groupOf, groups: members.size, largestGas, totalGas };
}

/** Of each unit, the first unit of its group: units share a group where one writes or reads what another writes. */
function groupUnits(units: readonly PlannedUnit[]): Int32Array {
  const ways = new Map<number, number>();
  for (const { accesses } of units) {
    if (accesses === undefined) continue;
    for (const key of accesses) {
      const name = keyOf(key);
      ways.set(name, (ways.get(name) ?? 0) | (1 << howOf(key)));
    }
  }
  const sets = new DisjointSets(units.length);
  const firstOf = new Map<number, number>();
  for (const [unit, { accesses }] of units.entries()) {
    if (accesses === undefined) continue;
    for (const key of accesses) {
      const name = keyOf(key);
      if (!isContended(ways.get(name) ?? 0)) continue;
      const first = firstOf.get(name);
      if (first === undefined) firstOf.set(name, unit);
      else sets.join(first, unit);
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

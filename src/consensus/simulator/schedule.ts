export interface Scheduled {
  readonly atMs: number;
  /** Tie-breaker: the order of scheduling. */
  readonly order: number;
  /** Undefined once cancelled. */
  run: (() => void) | undefined;
}

/** Scheduled events, soonest first, in a binary heap. */
export class Schedule {
  readonly #heap: Scheduled[] = [];
  #order = 0;

  push(atMs: number, run: () => void): Scheduled {
    const heap = this.#heap;
    const added = { atMs, order: this.#order++, run };
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isSooner(parent, added)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = added;
    return added;
  }

  pop(): Scheduled | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      if (child === undefined) break;
      const other = heap[below + 1];
      if (other !== undefined && isSooner(other, child)) {
        child = other;
        below++;
      }
      if (isSooner(last, child)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isSooner(a: Scheduled, b: Scheduled): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

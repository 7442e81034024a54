import { Heap, HeapNode } from './heap.js';

export interface Step<V> {
  readonly value: V;
  readonly key: bigint;
}

/** True if a step comes before another in a walk with the highest first, ties by arrival. */
export function isBefore<V extends { readonly arrival: number }>(a: Step<V>, b: Step<V>): boolean {
  return a.key === b.key ? a.value.arrival < b.value.arrival : a.key > b.key;
}

/**
 * Iterates over a heap in order without changing it: k steps cost O(k log k), independent of the heap's size. Values
 * added on the way come out in order among the remaining ones.
 */
export class HeapWalk<T, V> {
  readonly #heap: Heap<T>;
  readonly #standsFor: (member: T) => V | undefined;
  readonly #frontier: Heap<Candidate<V>>;

  /** @param standsFor maps a heap member to its value; undefined to skip the member */
  constructor(heap: Heap<T>, standsFor: (member: T) => V | undefined) {
    this.#heap = heap;
    this.#standsFor = standsFor;
    this.#frontier = new Heap(heap.order);
    this.#reach(0);
  }

  peek(): Step<V> | undefined {
    const node = this.#frontier.first;
    return node === undefined ? undefined : { value: node.value.value, key: node.key };
  }

  next(): Step<V> | undefined {
    const node = this.#frontier.pop();
    if (node === undefined) return undefined;
    const { value, index } = node.value;
    if (index >= 0) {
      this.#reach(2 * index + 1);
      this.#reach(2 * index + 2);
    }
    return { value, key: node.key };
  }

  /** Adds a value that is not in the heap, with its rank. */
  add(value: V, key: bigint, tie: number): void {
    this.#frontier.put(new HeapNode({ value, index: -1 }), key, tie);
  }

  #reach(index: number): void {
    const member = this.#heap.at(index);
    if (member === undefined) return;
    const value = this.#standsFor(member.value);
    if (value === undefined) {
      this.#reach(2 * index + 1);
      this.#reach(2 * index + 2);
    } else {
      this.#frontier.put(new HeapNode({ value, index }), member.key, member.tie);
    }
  }
}

interface Candidate<V> {
  readonly value: V;
  /** Index in the walked heap; −1 for an added value. */
  readonly index: number;
}

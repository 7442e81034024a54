import { Heap, HeapNode } from './heap.js';

/** What a walk meets: a value under its key. */
export interface Step<V> {
  readonly value: V;
  readonly key: bigint;
}

/**
 * Goes through a heap from first to last without changing it: k steps cost O(k log k), however large the heap is.
 * Further values can be fed in on the way; each comes out in its place among what is left.
 */
export class HeapWalk<T, V> {
  readonly #heap: Heap<T>;
  readonly #standsFor: (member: T) => V | undefined;
  readonly #frontier: Heap<Candidate<V>>;

  /** @param standsFor what a member of the heap stands for; undefined for a member that the walk passes over */
  constructor(heap: Heap<T>, standsFor: (member: T) => V | undefined) {
    this.#heap = heap;
    this.#standsFor = standsFor;
    this.#frontier = new Heap(heap.order);
    this.#reach(0);
  }

  /** What comes next, left where it is. */
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

  /** Feeds in a value that is no member of the heap, with a rank as in the heap. */
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
  /** Where in the walked heap it stands; −1 where it was fed in. */
  readonly index: number;
}

/**
 * A place in a {@link Heap}. Its owner keeps it, so that the value can be found again without a search. The rank stands
 * in the node itself: comparing two looks at nothing else, which is most of what a heap does.
 */
export class HeapNode<T> {
  /** Index in the heap's array; −1 while it is in none. */
  index = -1;
  /** The rank: nodes come out by key, in the heap's order, then by tie, the lowest first. */
  key = 0n;
  tie = 0;
  /** The key, rounded: rounding keeps the order, so where two of these differ the keys need no look. */
  rounded = 0;

  constructor(readonly value: T) {}
}

/** Which key comes out first. */
export type HeapOrder = 'lowest' | 'highest';

/** A binary heap whose members can be ranked anew and removed, each in O(log n). Ties must differ among equal keys. */
export class Heap<T> {
  readonly #nodes: HeapNode<T>[] = [];
  readonly #lowestFirst: boolean;

  constructor(readonly order: HeapOrder) {
    this.#lowestFirst = order === 'lowest';
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** The node that comes out first. */
  get first(): HeapNode<T> | undefined {
    return this.#nodes[0];
  }

  /** The node at an index of the underlying array, whose children are at 2i + 1 and 2i + 2. */
  at(index: number): HeapNode<T> | undefined {
    return this.#nodes[index];
  }

  /** Puts a node in, or moves it to its place, with this rank. */
  put(node: HeapNode<T>, key: bigint, tie: number): void {
    if (node.index < 0) {
      node.index = this.#nodes.length;
      this.#nodes.push(node);
    } else if (node.tie === tie && node.key === key) {
      return;
    }
    node.tie = tie;
    node.key = key;
    node.rounded = Number(key);
    this.#settle(node);
  }

  /** Takes a node out; nothing happens where it is not in. */
  remove(node: HeapNode<T>): void {
    const { index } = node;
    if (index < 0) return;
    node.index = -1;
    const last = this.#nodes.pop();
    if (last === undefined || last === node) return;
    last.index = index;
    this.#nodes[index] = last;
    this.#settle(last);
  }

  /** Takes the first node out. */
  pop(): HeapNode<T> | undefined {
    const { first } = this;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Gives every node the key that its value has now, and restores the order, in O(n). */
  rekey(keyOf: (value: T) => bigint): void {
    for (const node of this.#nodes) {
      const key = keyOf(node.value);
      // Most keys are what they were, and a key that stays needs no new place in memory.
      if (key === node.key) continue;
      node.key = key;
      node.rounded = Number(key);
    }
    for (let index = (this.#nodes.length >> 1) - 1; index >= 0; index--) {
      const node = this.#nodes[index];
      if (node !== undefined) this.#sink(node);
    }
  }

  #before(a: HeapNode<T>, b: HeapNode<T>): boolean {
    if (a.rounded !== b.rounded) return a.rounded < b.rounded === this.#lowestFirst;
    if (!Number.isSafeInteger(a.rounded) && a.key !== b.key) return a.key < b.key === this.#lowestFirst;
    return a.tie < b.tie;
  }

  #settle(node: HeapNode<T>): void {
    if (!this.#rise(node)) this.#sink(node);
  }

  /** Whether the node moved. */
  #rise(node: HeapNode<T>): boolean {
    const nodes = this.#nodes;
    const from = node.index;
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = nodes[above];
      if (parent === undefined || !this.#before(node, parent)) break;
      nodes[index] = parent;
      parent.index = index;
      index = above;
    }
    nodes[index] = node;
    node.index = index;
    return index !== from;
  }

  #sink(node: HeapNode<T>): void {
    const nodes = this.#nodes;
    let { index } = node;
    for (;;) {
      let below = 2 * index + 1;
      let child = nodes[below];
      if (child === undefined) break;
      const right = nodes[below + 1];
      if (right !== undefined && this.#before(right, child)) {
        child = right;
        below++;
      }
      if (!this.#before(child, node)) break;
      nodes[index] = child;
      child.index = index;
      index = below;
    }
    nodes[index] = node;
    node.index = index;
  }
}

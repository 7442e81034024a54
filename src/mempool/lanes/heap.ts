/**
 * A node of a {@link Heap}, kept by its owner so that the value is found without a search. The node itself holds the
 * rank: comparing two nodes needs no other memory access, and comparisons dominate the cost of a heap.
 */
export class HeapNode<T> {
  /** Index in the heap's array; −1 while not in a heap. */
  index = -1;
  /** The rank: nodes come out by key in the heap's order, then by tie, lowest first. */
  key = 0n;
  tie = 0;
  /** The key as a number. Rounding keeps the order, so the keys need comparing only if these are equal. */
  rounded = 0;

  constructor(readonly value: T) {}
}

export type HeapOrder = 'lowest' | 'highest';

/** A binary heap with re-ranking and removal in O(log n). Nodes with equal keys must have different ties. */
export class Heap<T> {
  readonly #nodes: HeapNode<T>[] = [];
  readonly #lowestFirst: boolean;

  constructor(readonly order: HeapOrder) {
    this.#lowestFirst = order === 'lowest';
  }

  get size(): number {
    return this.#nodes.length;
  }

  get first(): HeapNode<T> | undefined {
    return this.#nodes[0];
  }

  /** The node at an index of the underlying array; its children are at 2i + 1 and 2i + 2. */
  at(index: number): HeapNode<T> | undefined {
    return this.#nodes[index];
  }

  /** Inserts a node, or moves it to its new rank. */
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

  /** Removes a node; does nothing if it is not in the heap. */
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

  pop(): HeapNode<T> | undefined {
    const { first } = this;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Updates the keys of all nodes and restores the order, in O(n). */
  rekey(keyOf: (value: T) => bigint): void {
    for (const node of this.#nodes) {
      const key = keyOf(node.value);
      // Most keys do not change; keeping the old bigint saves memory writes.
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

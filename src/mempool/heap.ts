/** A place in a {@link Heap}. Its owner keeps it, so that the value can be found again without a search. */
export class HeapNode<T> {
  /** Index in the heap's array; −1 while it is in none. */
  index = -1;

  constructor(readonly value: T) {}
}

/** A binary heap whose members can be moved and removed, each in O(log n). */
export class Heap<T> {
  readonly #nodes: HeapNode<T>[] = [];
  readonly #before: (a: T, b: T) => boolean;

  /** @param before whether `a` comes out before `b`: a strict order */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** The first value. */
  peek(): T | undefined {
    return this.#nodes[0]?.value;
  }

  /** The node at an index of the underlying array, whose children are at 2i + 1 and 2i + 2. */
  at(index: number): HeapNode<T> | undefined {
    return this.#nodes[index];
  }

  /** Puts a node in, or back in its place after its value's rank changed. */
  put(node: HeapNode<T>): void {
    if (node.index < 0) {
      node.index = this.#nodes.length;
      this.#nodes.push(node);
      this.#rise(node);
    } else {
      this.#sink(node);
      this.#rise(node);
    }
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
    this.#sink(last);
    this.#rise(last);
  }

  /** Takes the first value out. */
  pop(): T | undefined {
    const first = this.#nodes[0];
    if (first === undefined) return undefined;
    this.remove(first);
    return first.value;
  }

  /** Restores the order after the ranks of all values changed, in O(n). */
  rebuild(): void {
    for (let index = (this.#nodes.length >> 1) - 1; index >= 0; index--) {
      const node = this.#nodes[index];
      if (node !== undefined) this.#sink(node);
    }
  }

  #rise(node: HeapNode<T>): void {
    const nodes = this.#nodes;
    let { index } = node;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = nodes[above];
      if (parent === undefined || !this.#before(node.value, parent.value)) break;
      nodes[index] = parent;
      parent.index = index;
      index = above;
    }
    nodes[index] = node;
    node.index = index;
  }

  #sink(node: HeapNode<T>): void {
    const nodes = this.#nodes;
    let { index } = node;
    for (;;) {
      let below = 2 * index + 1;
      let child = nodes[below];
      if (child === undefined) break;
      const right = nodes[below + 1];
      if (right !== undefined && this.#before(right.value, child.value)) {
        child = right;
        below++;
      }
      if (!this.#before(child.value, node.value)) break;
      nodes[index] = child;
      child.index = index;
      index = below;
    }
    nodes[index] = node;
    node.index = index;
  }
}

/**
 * Goes through a heap from first to last without changing it: k steps cost O(k log k), however large the heap is.
 * Further values can be fed in on the way; each comes out in its place among what is left.
 */
export class HeapWalk<T, V> {
  readonly #heap: Heap<T>;
  readonly #standsFor: (member: T) => V | undefined;
  readonly #frontier: Heap<Candidate<V>>;

  /**
   * @param standsFor what a member of the heap stands for; undefined for a member that the walk has no use for
   * @param before the order of those values, which is the heap's order of their members
   */
  constructor(heap: Heap<T>, standsFor: (member: T) => V | undefined, before: (a: V, b: V) => boolean) {
    this.#heap = heap;
    this.#standsFor = standsFor;
    this.#frontier = new Heap((a, b) => before(a.value, b.value));
    this.#reach(0);
  }

  /** The value that comes next, left where it is. */
  peek(): V | undefined {
    return this.#frontier.peek()?.value;
  }

  next(): V | undefined {
    const candidate = this.#frontier.pop();
    if (candidate === undefined) return undefined;
    if (candidate.index >= 0) {
      this.#reach(2 * candidate.index + 1);
      this.#reach(2 * candidate.index + 2);
    }
    return candidate.value;
  }

  /** Feeds in a value that is no member of the heap. */
  add(value: V): void {
    this.#frontier.put(new HeapNode({ value, index: -1 }));
  }

  #reach(index: number): void {
    const member = this.#heap.at(index)?.value;
    if (member === undefined) return;
    const value = this.#standsFor(member);
    if (value === undefined) {
      this.#reach(2 * index + 1);
      this.#reach(2 * index + 2);
    } else {
      this.#frontier.put(new HeapNode({ value, index }));
    }
  }
}

interface Candidate<V> {
  readonly value: V;
  /** Where in the walked heap it stands; −1 where it was fed in. */
  readonly index: number;
}

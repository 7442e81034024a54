/** Union-find over 0 to size − 1; the root of a set is its least member. */
export class DisjointSets {
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

/**
 * Kinds of statements in a generated function; most repeat `count` times, with locals counted up from `from` and `to`.
 */
const KINDS = [
  'move',
  'rotate',
  'calculate',
  'repeat',
  'load',
  'store',
  'widen',
  'narrow',
  'divide',
  'select',
  'global',
  'bulk',
  'indirect',
  'helper',
  'recurse',
  'loop',
  'branch',
  'carry',
  'table',
  'pile',
  'leave',
] as const;
type Kind = (typeof KINDS)[number];
const NESTING: ReadonlySet<Kind> = new Set<Kind>(['loop', 'branch', 'carry', 'table', 'pile']);

export interface Gene {
  readonly kind: Kind;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** Selects a variant of the kind. */
  readonly variant: number;
  readonly body: readonly Gene[];
}

/** Description of a function. */
export interface Genes {
  /** Parameters besides the first, which counts the recursion. */
  readonly params: number;
  readonly results: number;
  /** Locals of both types. */
  readonly ints: number;
  readonly longs: number;
  readonly body: readonly Gene[];
}

/** Description of a module: a function that recurses, and helpers that it may call and V8 may inline. */
export interface Genome {
  readonly main: Genes;
  readonly helpers: readonly Genes[];
  /** Selects the type of the functions in the table. */
  readonly tableType: number;
}

const MOST_GENES = 40;
const MOST_NESTED = 4;

/** Creates and mutates random genomes. */
export class GenomeMutator {
  readonly #random: () => number;
  readonly #kinds: readonly Kind[];

  /** Picks a random subset of the statement kinds, so that breeding does not always converge on the same ones. */
  constructor(random: () => number) {
    this.#random = random;
    const share = 0.2 + 0.8 * random();
    const kinds = KINDS.filter(() => random() < share);
    this.#kinds = kinds.length === 0 ? KINDS : kinds;
  }

  get #nesting(): readonly Kind[] {
    const some = this.#kinds.filter((kind) => NESTING.has(kind));
    return some.length === 0 ? ['branch'] : some;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  genome(): Genome {
    const helpers = Array.from({ length: this.below(3) }, () => this.#genes());
    const main = this.#genes();
    return {
      main: { ...main, body: this.#insert(main.body, this.#gene(0, 'recurse')) },
      helpers,
      tableType: this.below(64),
    };
  }

  /** A genome that differs in one or a few places. */
  mutate(genome: Genome, other: Genome): Genome {
    let made = genome;
    for (let changes = 1 + this.below(3); changes > 0; changes--) {
      made = this.#mutateOnce(made, other);
    }
    return made;
  }

  #mutateOnce(genome: Genome, other: Genome): Genome {
    const { main, helpers, tableType } = genome;
    const choice = this.below(10);
    if (choice === 0) return { main, helpers: other.helpers, tableType: other.tableType };
    if (choice === 1)
      return { main, helpers: helpers.map((each) => this.#mutateGenes(each, other.main)), tableType };
    return { main: this.#mutateGenes(main, other.main), helpers, tableType };
  }

  #mutateGenes(genes: Genes, other: Genes): Genes {
    switch (this.below(8)) {
      case 0:
        return { ...genes, ints: this.#size(genes.ints) };
      case 1:
        return { ...genes, longs: this.#size(genes.longs) };
      case 2:
        return { ...genes, params: Math.min(120, this.#size(genes.params)) };
      case 3:
        return { ...genes, results: Math.min(60, this.#size(genes.results)) };
      case 4: {
        const gift = other.body[this.below(other.body.length)];
        return gift === undefined ? genes : { ...genes, body: this.#insert(genes.body, gift) };
      }
      default:
        return { ...genes, body: this.#mutateBody(genes.body, 0) };
    }
  }

  #mutateBody(body: readonly Gene[], depth: number): readonly Gene[] {
    const index = this.below(body.length);
    const gene = body[index];
    if (gene === undefined) return [this.#gene(depth)];
    switch (this.below(7)) {
      case 0:
        return body.length > MOST_GENES ? body : this.#insert(body, this.#gene(depth));
      case 1:
        return body.length > 1 ? body.toSpliced(index, 1) : body;
      case 2:
        return body.length > MOST_GENES ? body : this.#insert(body, gene);
      case 3: {
        const rest = body.toSpliced(index, 1);
        return this.#insert(rest, gene);
      }
      case 4:
        if (depth >= MOST_NESTED) return body;
        // Wraps the following statements: a loop matters only with a body.
        return body.toSpliced(index, 3, {
          ...this.#gene(depth, this.#pick(this.#nesting)),
          body: body.slice(index, index + 3),
        });
      default:
        return body.with(
          index,
          NESTING.has(gene.kind) && this.below(3) > 0
            ? { ...gene, body: this.#mutateBody(gene.body, depth + 1) }
            : this.#mutateGene(gene),
        );
    }
  }

  #mutateGene(gene: Gene): Gene {
    switch (this.below(4)) {
      case 0:
        return { ...gene, count: this.#size(gene.count) };
      case 1:
        return { ...gene, from: this.below(64) };
      case 2:
        return { ...gene, to: this.below(64) };
      default:
        return { ...gene, variant: this.below(64) };
    }
  }

  #size(size: number): number {
    const sizes = [size + 1, size - 1, size * 2, size >> 1, this.below(100), 0];
    return Math.min(400, Math.max(0, this.#pick(sizes)));
  }

  #genes(): Genes {
    return {
      params: this.below(4) === 0 ? this.below(40) : this.below(4),
      results: this.below(4) === 0 ? this.below(40) : this.below(3),
      ints: this.below(40),
      longs: this.below(40),
      body: Array.from({ length: 1 + this.below(6) }, () => this.#gene(0)),
    };
  }

  #gene(depth: number, kind: Kind = this.#pick(this.#kinds)): Gene {
    const body =
      NESTING.has(kind) && depth < MOST_NESTED
        ? Array.from({ length: 1 + this.below(4) }, () => this.#gene(depth + 1))
        : [];
    return {
      kind,
      count: 1 + this.below(this.below(2) === 0 ? 4 : 40),
      from: this.below(64),
      to: this.below(64),
      variant: this.below(64),
      body,
    };
  }

  #insert(body: readonly Gene[], gene: Gene): readonly Gene[] {
    return body.toSpliced(this.below(body.length + 1), 0, gene);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

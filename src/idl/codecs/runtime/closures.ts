import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { assertPlainDefinition, assertPlainType } from '../manifest-check.js';

/** A function that others may refer to before it is made, for types that hold themselves. */
export class Cell<F> {
  run!: F;
}

/**
 * Puts the functions of one direction together from closures, for types that are known only at run time. Each does what
 * the function that `heddle idl generate` writes for the same type does, with the same errors.
 */
export abstract class Closures<F> {
  protected readonly types: TypeTable;
  readonly #cells = new Map<unknown, Cell<F>>();
  /** Cells whose functions are still to be made: no recursion, for types may be nested deeply. */
  readonly #pending: (() => void)[] = [];

  constructor(types: TypeTable) {
    this.types = types;
  }

  /** @throws Error where the manifest holds something that is no name or no number */
  compile(root: TypeReference | StructDefinition): Cell<F> {
    try {
      for (const alias of this.types.aliases()) assertPlainDefinition(alias);
      const cell = typeof root === 'object' && 'fields' in root ? this.#composite(root) : this.#bare(root);
      for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
      return cell;
    } catch (error) {
      this.#cells.clear();
      this.#pending.length = 0;
      throw error;
    }
  }

  /** The function for a type, once {@link compile} has returned. */
  protected cell(type: TypeReference, max?: number): Cell<F> {
    const expanded = this.types.expand(type, max);
    switch (expanded.kind) {
      case 'primitive':
        return this.#made(this.primitive(expanded.name, expanded.max ?? 0xffff_ffff));
      case 'list':
        return this.#define(
          `list ${JSON.stringify([expanded.item, expanded.length ?? null, expanded.max ?? null])}`,
          () => this.list(expanded),
        );
      case 'option':
        return this.#define(`option ${JSON.stringify(expanded.item)}`, () => this.option(expanded.item));
      default:
        return this.#composite(expanded.definition);
    }
  }

  protected abstract primitive(name: string, max: number): F;
  protected abstract struct(definition: StructDefinition): F;
  protected abstract enumeration(definition: EnumDefinition): F;
  protected abstract list(type: ExpandedType & { readonly kind: 'list' }): F;
  protected abstract option(item: TypeReference): F;
  /** A function that may come back to itself, kept from exhausting the stack. */
  protected abstract guarded(inner: F): F;

  #bare(type: TypeReference): Cell<F> {
    assertPlainType(type);
    return this.cell(type);
  }

  #composite(definition: StructDefinition | EnumDefinition): Cell<F> {
    return this.#define(definition, () => {
      assertPlainDefinition(definition);
      const inner = 'fields' in definition ? this.struct(definition) : this.enumeration(definition);
      return this.types.isRecursive(definition) ? this.guarded(inner) : inner;
    });
  }

  #made(run: F): Cell<F> {
    const cell = new Cell<F>();
    cell.run = run;
    return cell;
  }

  #define(key: unknown, make: () => F): Cell<F> {
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = new Cell<F>();
    this.#cells.set(key, cell);
    this.#pending.push(() => {
      cell.run = make();
    });
    return cell;
  }
}

import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { assertPlainDefinition, assertPlainType } from '../manifest-check.js';

/** A forward reference to a function, for recursive types. */
export class Cell<F> {
  run!: F;
}

/** A member of a struct, with the function for its type. */
export interface StructField<F> {
  readonly name: string;
  /** The name in paths, after a dot. */
  readonly member: string;
  readonly optional: boolean;
  readonly cell: Cell<F>;
}

/**
 * Builds the functions of one direction from closures, for types known only at run time. Each behaves like the function
 * that `heddle idl generate` writes for the type, with the same errors.
 */
export abstract class Closures<F> {
  protected readonly types: TypeTable;
  #hasCheckedAliases = false;
  readonly #cells = new Map<unknown, Cell<F>>();
  /** Cells still to be filled. A work list, because types may be nested too deeply for recursion. */
  readonly #pending: (() => void)[] = [];

  constructor(types: TypeTable) {
    this.types = types;
  }

  /** @throws Error if the manifest holds an invalid name or number */
  compile(root: TypeReference | StructDefinition): Cell<F> {
    try {
      if (!this.#hasCheckedAliases) for (const alias of this.types.aliases()) assertPlainDefinition(alias);
      this.#hasCheckedAliases = true;
      const cell = typeof root === 'object' && 'fields' in root ? this.#composite(root) : this.#bare(root);
      for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
      return cell;
    } catch (error) {
      this.#cells.clear();
      this.#pending.length = 0;
      throw error;
    }
  }

  /** The function for a type, set once {@link compile} has returned. */
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

  protected fields({ fields }: StructDefinition): readonly StructField<F>[] {
    return fields.map(({ name, type, max, optional }) => ({
      name,
      member: `.${name}`,
      optional: optional === true,
      cell: this.cell(type, max),
    }));
  }

  protected abstract primitive(name: string, max: number): F;
  protected abstract struct(definition: StructDefinition): F;
  protected abstract enumeration(definition: EnumDefinition): F;
  protected abstract list(type: ExpandedType & { readonly kind: 'list' }): F;
  protected abstract option(item: TypeReference): F;
  /** Wraps a recursive function so that it cannot exhaust the stack. */
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

import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { joinPath } from '../codec-errors.js';
import { assertPlainDefinition, assertPlainType } from '../manifest-check.js';

/** Reads or writes a value. A reader of Borsh ignores `value`. */
export type Run<C> = (codec: C, value: unknown, path: string, member: string, index: number) => unknown;

/** A forward reference to a function, for recursive types. */
export class Cell<C> {
  run!: Run<C>;
}

/** A member of a struct, with the function for its type. */
export interface StructField<C> {
  readonly name: string;
  /** The name in paths, after a dot. */
  readonly member: string;
  readonly optional: boolean;
  readonly cell: Cell<C>;
}

/** A variant of an enum, with the function for its payload. */
interface Variant<C> {
  readonly tag: string;
  /** Its index in Borsh. */
  readonly place: number;
  /** The tag in paths, after a dot. */
  readonly member: string;
  readonly payload: Cell<C> | undefined;
}

/** Refuses values nested too deeply. */
interface DepthCounter {
  enter(path: string): void;
  leave(): void;
}

/**
 * Builds the functions of one direction from closures, for types known only at run time. Each behaves like the function
 * that `heddle idl generate` writes for the type, with the same errors.
 */
export abstract class Closures<C extends DepthCounter> {
  protected readonly types: TypeTable;
  #hasCheckedAliases = false;
  readonly #cells = new Map<unknown, Cell<C>>();
  /** Cells still to be filled. A work list, because types may be nested too deeply for recursion. */
  readonly #pending: (() => void)[] = [];

  constructor(types: TypeTable) {
    this.types = types;
  }

  /** @throws Error if the manifest holds an invalid name or number */
  compile(root: TypeReference | StructDefinition): Cell<C> {
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
  protected cell(type: TypeReference, max?: number): Cell<C> {
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

  protected fields({ fields }: StructDefinition): readonly StructField<C>[] {
    return fields.map(({ name, type, max, optional }) => ({
      name,
      member: `.${name}`,
      optional: optional === true,
      cell: this.cell(type, max),
    }));
  }

  /** The variants of an enum by their tags in JSON. */
  protected variants({ variants }: EnumDefinition): ReadonlyMap<unknown, Variant<C>> {
    return new Map(
      variants.map(({ tag, payload }, place) => [
        tag,
        { tag, place, member: `.${tag}`, payload: payload === undefined ? undefined : this.cell(payload) },
      ]),
    );
  }

  protected abstract primitive(name: string, max: number): Run<C>;
  protected abstract struct(definition: StructDefinition): Run<C>;
  protected abstract enumeration(definition: EnumDefinition): Run<C>;
  protected abstract list(type: ExpandedType & { readonly kind: 'list' }): Run<C>;
  protected abstract option(item: TypeReference): Run<C>;

  /** Wraps a recursive function so that it cannot exhaust the stack. */
  #guarded(inner: Run<C>): Run<C> {
    return (codec, value, path, member, index) => {
      codec.enter(joinPath(path, member, index));
      try {
        return inner(codec, value, path, member, index);
      } finally {
        codec.leave();
      }
    };
  }

  #bare(type: TypeReference): Cell<C> {
    assertPlainType(type);
    return this.cell(type);
  }

  #composite(definition: StructDefinition | EnumDefinition): Cell<C> {
    return this.#define(definition, () => {
      assertPlainDefinition(definition);
      const inner = 'fields' in definition ? this.struct(definition) : this.enumeration(definition);
      return this.types.isRecursive(definition) ? this.#guarded(inner) : inner;
    });
  }

  #made(run: Run<C>): Cell<C> {
    const cell = new Cell<C>();
    cell.run = run;
    return cell;
  }

  #define(key: unknown, make: () => Run<C>): Cell<C> {
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = new Cell<C>();
    this.#cells.set(key, cell);
    this.#pending.push(() => {
      cell.run = make();
    });
    return cell;
  }
}

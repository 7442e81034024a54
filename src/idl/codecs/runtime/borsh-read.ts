import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import type { BorshReader } from '../borsh-reader.js';
import { joinPath } from '../codec-errors.js';
import { Closures, type Run, type StructField } from './closures.js';

type BorshRead = Run<BorshReader>;

const PRIMITIVES: ReadonlyMap<string, BorshRead> = new Map<string, BorshRead>([
  ['bool', (r, _, path, member, index) => r.bool(path, member, index)],
  ['u8', (r, _, path, member, index) => r.u8(path, member, index)],
  ['u16', (r, _, path, member, index) => r.u16(path, member, index)],
  ['u32', (r, _, path, member, index) => r.u32(path, member, index)],
  ['u64', (r, _, path, member, index) => r.u64(path, member, index)],
  ['u128', (r, _, path, member, index) => r.u128(path, member, index)],
  ['i8', (r, _, path, member, index) => r.i8(path, member, index)],
  ['i16', (r, _, path, member, index) => r.i16(path, member, index)],
  ['i32', (r, _, path, member, index) => r.i32(path, member, index)],
  ['i64', (r, _, path, member, index) => r.i64(path, member, index)],
  ['i128', (r, _, path, member, index) => r.i128(path, member, index)],
  ['json', (r, _, path, member, index) => r.json(path, member, index)],
]);

/** Closures that read values through a BorshReader. */
export class BorshReadClosures extends Closures<BorshReader> {
  readonly #isForeign: boolean;

  /** @param isForeign whether the types are untrusted */
  constructor(types: TypeTable, isForeign: boolean) {
    super(types);
    this.#isForeign = isForeign;
  }

  protected override primitive(name: string, max: number): BorshRead {
    const length = fixedBytesLength(name);
    if (length !== undefined) return (r, _, path, member, index) => r.fixed(length, path, member, index);
    if (name === 'bytes') return (r, _, path, member, index) => r.bytes(max, path, member, index);
    if (name === 'string') return (r, _, path, member, index) => r.string(max, path, member, index);
    const read = PRIMITIVES.get(name);
    if (read === undefined) throw new Error(`no codec for ${name}`);
    return read;
  }

  protected override struct(definition: StructDefinition): BorshRead {
    const min = this.#bounded(
      definition.fields.reduce(
        (sum, { type, optional }) => sum + this.types.minValues(optional ? { option: type } : type),
        1,
      ),
    );
    const fields = this.fields(definition);
    if (fields.some(({ optional }) => optional)) return withOptions(fields, min);
    return (r, _, path, member, index) => {
      const here = joinPath(path, member, index);
      if (min > 0) r.value(min, here);
      const result: Record<string, unknown> = {};
      for (const field of fields) result[field.name] = field.cell.run(r, undefined, here, field.member, -1);
      return result;
    };
  }

  protected override enumeration(definition: EnumDefinition): BorshRead {
    const min = this.#bounded(this.types.minValues(definition.name));
    const tags = definition.variants.map(({ tag }) => tag);
    const variants = [...this.variants(definition).values()];
    return (r, _, path, member, index) => {
      const here = joinPath(path, member, index);
      if (min > 0) r.value(min, here);
      const place = r.variant(here);
      const variant = variants[place];
      if (variant === undefined) return r.unknownVariant(place, tags, here);
      const { tag, payload } = variant;
      if (payload === undefined) return { type: tag };
      return { type: tag, value: payload.run(r, undefined, here, variant.member, -1) };
    };
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): BorshRead {
    const { length, max = 0xffff_ffff } = type;
    const item = this.cell(type.item);
    const size = this.types.minSize(type.item);
    const min = this.#bounded(length === undefined ? 1 : 1 + length * this.types.minValues(type.item));
    return (r, _, path, member, index) => {
      const here = joinPath(path, member, index);
      if (min > 0) r.value(min, here);
      const count = length ?? r.count(size, max, here);
      if (length !== undefined) r.exactCount(size * length, here);
      const items: unknown[] = [];
      for (let i = 0; i < count; i++) items.push(item.run(r, undefined, here, '', i));
      return items;
    };
  }

  protected override option(item: TypeReference): BorshRead {
    const min = this.#bounded(1);
    const cell = this.cell(item);
    return (r, _, path, member, index) => {
      const here = joinPath(path, member, index);
      if (min > 0) r.value(min, here);
      return r.flag(here, '', -1) ? cell.run(r, undefined, here, '', -1) : null;
    };
  }

  /** @param min minimum number of composite values that a function reads; returns 0 if they are not counted */
  #bounded(min: number): number {
    return this.#isForeign ? Math.min(min, Number.MAX_SAFE_INTEGER) : 0;
  }
}

/** Puts optional members after the others, like generated functions. */
function withOptions(fields: readonly StructField<BorshReader>[], min: number): BorshRead {
  return (r, _, path, member, index) => {
    const here = joinPath(path, member, index);
    if (min > 0) r.value(min, here);
    const result: Record<string, unknown> = {};
    const options: Record<string, unknown> = {};
    for (const { name, member: at, optional, cell } of fields) {
      if (!optional) result[name] = cell.run(r, undefined, here, at, -1);
      else if (r.flag(here, at, -1)) options[name] = cell.run(r, undefined, here, at, -1);
    }
    return Object.assign(result, options);
  };
}

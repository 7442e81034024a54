import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { joinPath } from '../codec-errors.js';
import type { JsonWriter } from '../json-writer.js';
import { type Cell, Closures } from './closures.js';

/** Returns JSON text, or the number itself for a short integer. */
export type JsonWrite = (
  w: JsonWriter,
  v: unknown,
  path: string,
  member: string,
  index: number,
) => string | number;

const PRIMITIVES: ReadonlyMap<string, JsonWrite> = new Map<string, JsonWrite>([
  ['bool', (w, v, path, member, index) => w.bool(v, path, member, index)],
  ['u8', (w, v, path, member, index) => w.u8(v, path, member, index)],
  ['u16', (w, v, path, member, index) => w.u16(v, path, member, index)],
  ['u32', (w, v, path, member, index) => w.u32(v, path, member, index)],
  ['u64', (w, v, path, member, index) => w.u64(v, path, member, index)],
  ['u128', (w, v, path, member, index) => w.u128(v, path, member, index)],
  ['i8', (w, v, path, member, index) => w.i8(v, path, member, index)],
  ['i16', (w, v, path, member, index) => w.i16(v, path, member, index)],
  ['i32', (w, v, path, member, index) => w.i32(v, path, member, index)],
  ['i64', (w, v, path, member, index) => w.i64(v, path, member, index)],
  ['i128', (w, v, path, member, index) => w.i128(v, path, member, index)],
  ['hash', (w, v, path, member, index) => w.digest(v, path, member, index)],
  ['bytes32', (w, v, path, member, index) => w.digest(v, path, member, index)],
  ['json', (w, v, path, member, index) => w.json(v, path, member, index)],
]);

/** Closures that write values as JSON text through a JsonWriter. */
export class JsonWriteClosures extends Closures<JsonWrite> {
  readonly #isForeign: boolean;

  /** @param isForeign whether the types are untrusted */
  constructor(types: TypeTable, isForeign: boolean) {
    super(types);
    this.#isForeign = isForeign;
  }

  protected override primitive(name: string, max: number): JsonWrite {
    const write = PRIMITIVES.get(name);
    if (write !== undefined) return write;
    const length = fixedBytesLength(name);
    if (length !== undefined) return (w, v, path, member, index) => w.fixed(v, length, path, member, index);
    if (name === 'bytes') return (w, v, path, member, index) => w.bytes(v, max, path, member, index);
    if (name === 'string') return (w, v, path, member, index) => w.string(v, max, path, member, index);
    throw new Error(`no codec for ${name}`);
  }

  protected override struct(definition: StructDefinition): JsonWrite {
    const isForeign = this.#isForeign;
    const fields = this.fields(definition).map((field) => ({
      ...field,
      first: `{"${field.name}":`,
      next: `,"${field.name}":`,
    }));
    const type = definition.name;
    return (w: JsonWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      w.object(v, type, here);
      const members = v as Readonly<Record<string, unknown>>;
      let s = '';
      for (const field of fields) {
        const value = members[field.name];
        if (field.optional && (value === undefined || value === null)) continue;
        s += (s === '' ? field.first : field.next) + field.cell.run(w, value, here, field.member, -1);
      }
      s = s === '' ? '{}' : `${s}}`;
      return isForeign ? w.within(s, here) : s;
    };
  }

  protected override enumeration(definition: EnumDefinition): JsonWrite {
    const isForeign = this.#isForeign;
    const type = definition.name;
    const tags = definition.variants.map(({ tag }) => tag);
    const variants = new Map<unknown, { open: string; member: string; payload: Cell<JsonWrite> | undefined }>(
      definition.variants.map(({ tag, payload }) => [
        tag,
        {
          open: `{"type":"${tag}","value":`,
          member: `.${tag}`,
          payload: payload === undefined ? undefined : this.cell(payload),
        },
      ]),
    );
    return (w: JsonWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      w.object(v, type, here);
      const members = v as Readonly<Record<string, unknown>>;
      const variant = variants.get(members['type']);
      if (variant === undefined) return w.unknownVariant(members['type'], tags, here);
      const { open, payload } = variant;
      if (payload === undefined) {
        w.nothing(members['value'], here);
        return `${open}null}`;
      }
      const text = `${open}${payload.run(w, members['value'], here, variant.member, -1)}}`;
      return isForeign ? w.within(text, here) : text;
    };
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): JsonWrite {
    const isForeign = this.#isForeign;
    const { length, max = 0xffff_ffff } = type;
    const item = this.cell(type.item);
    return (w: JsonWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      if (length === undefined) w.list(v, max, here);
      else w.exactList(v, length, here);
      if (v.length === 0) return '[]';
      let s = '[';
      for (let i = 0; i < v.length; i++) {
        if (i !== 0) s += ',';
        s += item.run(w, v[i], here, '', i);
        if (isForeign) w.within(s, here);
      }
      return `${s}]`;
    };
  }

  protected override option(item: TypeReference): JsonWrite {
    const cell = this.cell(item);
    return (w, v, path, member, index) =>
      v === undefined || v === null ? 'null' : cell.run(w, v, joinPath(path, member, index), '', -1);
  }

  protected override guarded(inner: JsonWrite): JsonWrite {
    return (w: JsonWriter, v, path, member, index) => {
      w.enter(joinPath(path, member, index));
      try {
        return inner(w, v, path, member, index);
      } finally {
        w.leave();
      }
    };
  }
}

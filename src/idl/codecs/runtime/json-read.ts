import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType } from '../../type-table.js';
import { joinPath } from '../codec-errors.js';
import type { JsonReader } from '../json-reader.js';
import { type Cell, Closures } from './closures.js';

export type JsonRead = (r: JsonReader, v: unknown, path: string, member: string, index: number) => unknown;

const PRIMITIVES: ReadonlyMap<string, JsonRead> = new Map<string, JsonRead>([
  ['bool', (r, v, path, member, index) => r.bool(v, path, member, index)],
  ['u8', (r, v, path, member, index) => r.u8(v, path, member, index)],
  ['u16', (r, v, path, member, index) => r.u16(v, path, member, index)],
  ['u32', (r, v, path, member, index) => r.u32(v, path, member, index)],
  ['u64', (r, v, path, member, index) => r.u64(v, path, member, index)],
  ['u128', (r, v, path, member, index) => r.u128(v, path, member, index)],
  ['i8', (r, v, path, member, index) => r.i8(v, path, member, index)],
  ['i16', (r, v, path, member, index) => r.i16(v, path, member, index)],
  ['i32', (r, v, path, member, index) => r.i32(v, path, member, index)],
  ['i64', (r, v, path, member, index) => r.i64(v, path, member, index)],
  ['i128', (r, v, path, member, index) => r.i128(v, path, member, index)],
  ['address', (r, v, path, member, index) => r.address(v, path, member, index)],
  ['hash', (r, v, path, member, index) => r.digest(v, 'hash', path, member, index)],
  ['bytes32', (r, v, path, member, index) => r.digest(v, 'bytes32', path, member, index)],
  ['json', (r, v, path, member, index) => r.json(v, path, member, index)],
]);

/** Closures that read values from parsed JSON through a JsonReader. */
export class JsonReadClosures extends Closures<JsonRead> {
  protected override primitive(name: string, max: number): JsonRead {
    const read = PRIMITIVES.get(name);
    if (read !== undefined) return read;
    const length = fixedBytesLength(name);
    if (length !== undefined) return (r, v, path, member, index) => r.fixed(v, length, path, member, index);
    if (name === 'bytes') return (r, v, path, member, index) => r.bytes(v, max, path, member, index);
    if (name === 'string') return (r, v, path, member, index) => r.string(v, max, path, member, index);
    throw new Error(`no codec for ${name}`);
  }

  protected override struct(definition: StructDefinition): JsonRead {
    const fields = this.fields(definition);
    const type = definition.name;
    const members = fields.map(({ name }) => name);
    const known = new Set(members);
    const hasOptions = fields.some(({ optional }) => optional);
    return (r: JsonReader, v, path, member, index) => {
      const here = joinPath(path, member, index);
      r.object(v, type, here);
      if (r.refusesUnknown) {
        for (const name in v) if (!known.has(name)) r.unknownMember(name, members, here);
      }
      const result: Record<string, unknown> = {};
      // Optional members come after the others, as in generated functions.
      const options: Record<string, unknown> = hasOptions ? {} : result;
      for (const field of fields) {
        const value = v[field.name];
        if (!field.optional) result[field.name] = field.cell.run(r, value, here, field.member, -1);
        else if (value !== undefined && value !== null) {
          options[field.name] = field.cell.run(r, value, here, field.member, -1);
        }
      }
      return hasOptions ? Object.assign(result, options) : result;
    };
  }

  protected override enumeration(definition: EnumDefinition): JsonRead {
    const type = `${definition.name}: {"type": …, "value": …}`;
    const tags = definition.variants.map(({ tag }) => tag);
    const variants = new Map<unknown, { tag: string; member: string; payload: Cell<JsonRead> | undefined }>(
      definition.variants.map(({ tag, payload }) => [
        tag,
        { tag, member: `.${tag}`, payload: payload === undefined ? undefined : this.cell(payload) },
      ]),
    );
    return (r: JsonReader, v, path, member, index) => {
      const here = joinPath(path, member, index);
      r.object(v, type, here);
      if (r.refusesUnknown) {
        for (const name in v) {
          if (name !== 'type' && name !== 'value') r.unknownMember(name, ['type', 'value'], here);
        }
      }
      const variant = variants.get(v['type']);
      if (variant === undefined) return r.unknownVariant(v['type'], tags, here);
      const { tag, payload } = variant;
      if (payload !== undefined) {
        return { type: tag, value: payload.run(r, v['value'], here, variant.member, -1) };
      }
      r.nothing(v['value'], tag, here);
      return { type: tag };
    };
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): JsonRead {
    const { length, max = 0xffff_ffff } = type;
    const item = this.cell(type.item);
    return (r: JsonReader, v, path, member, index) => {
      const here = joinPath(path, member, index);
      if (length === undefined) r.list(v, max, here);
      else r.exactList(v, length, here);
      const items: unknown[] = [];
      for (let i = 0; i < v.length; i++) items.push(item.run(r, v[i], here, '', i));
      return items;
    };
  }

  protected override option(item: TypeReference): JsonRead {
    const cell = this.cell(item);
    return (r, v, path, member, index) =>
      v === undefined || v === null ? null : cell.run(r, v, joinPath(path, member, index), '', -1);
  }

  protected override guarded(inner: JsonRead): JsonRead {
    return (r: JsonReader, v, path, member, index) => {
      r.enter(joinPath(path, member, index));
      try {
        return inner(r, v, path, member, index);
      } finally {
        r.leave();
      }
    };
  }
}

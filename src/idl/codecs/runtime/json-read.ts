import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import { joinPath } from '../codec-errors.js';
import type { JsonReader } from '../json-reader.js';
import { Closures, type Run } from './closures.js';
import { primitive } from './primitives.js';

type JsonRead = Run<JsonReader>;

/** Primitives that JSON writes in a form of their own. */
const OWN: ReadonlyMap<string, JsonRead> = new Map<string, JsonRead>([
  ['address', (r, v, path, member, index) => r.address(v, path, member, index)],
  ['hash', (r, v, path, member, index) => r.digest(v, 'hash', path, member, index)],
  ['bytes32', (r, v, path, member, index) => r.digest(v, 'bytes32', path, member, index)],
  ['json', (r, v, path, member, index) => r.json(v, path, member, index)],
]);

/** Closures that read values from parsed JSON through a JsonReader. */
export class JsonReadClosures extends Closures<JsonReader> {
  protected override primitive(name: string, max: number): JsonRead {
    return OWN.get(name) ?? primitive(name, max);
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
    const variants = this.variants(definition);
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
}

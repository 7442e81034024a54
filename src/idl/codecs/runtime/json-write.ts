import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { joinPath } from '../codec-errors.js';
import type { JsonWriter } from '../json-writer.js';
import { Closures, type Run } from './closures.js';
import { primitive } from './primitives.js';

/** Returns JSON text, or the number itself for a short integer. */
type JsonWrite = Run<JsonWriter>;

/** Primitives that JSON writes in a form of their own. */
const OWN: ReadonlyMap<string, JsonWrite> = new Map<string, JsonWrite>([
  ['hash', (w, v, path, member, index) => w.digest(v, path, member, index)],
  ['bytes32', (w, v, path, member, index) => w.digest(v, path, member, index)],
  ['json', (w, v, path, member, index) => w.json(v, path, member, index)],
]);

/** Closures that write values as JSON text through a JsonWriter. */
export class JsonWriteClosures extends Closures<JsonWriter> {
  readonly #isForeign: boolean;

  /** @param isForeign whether the types are untrusted */
  constructor(types: TypeTable, isForeign: boolean) {
    super(types);
    this.#isForeign = isForeign;
  }

  protected override primitive(name: string, max: number): JsonWrite {
    return OWN.get(name) ?? primitive(name, max);
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
    const variants = this.variants(definition);
    return (w: JsonWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      w.object(v, type, here);
      const members = v as Readonly<Record<string, unknown>>;
      const variant = variants.get(members['type']);
      if (variant === undefined) return w.unknownVariant(members['type'], tags, here);
      const { tag, payload } = variant;
      if (payload === undefined) {
        w.nothing(members['value'], here);
        return `{"type":"${tag}","value":null}`;
      }
      const value = payload.run(w, members['value'], here, variant.member, -1);
      const text = `{"type":"${tag}","value":${value}}`;
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
}

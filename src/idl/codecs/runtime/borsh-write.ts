import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType } from '../../type-table.js';
import type { BorshWriter } from '../borsh-writer.js';
import { joinPath } from '../codec-errors.js';
import { type Cell, Closures } from './closures.js';

export type BorshWrite = (w: BorshWriter, v: unknown, path: string, member: string, index: number) => void;

const PRIMITIVES: ReadonlyMap<string, BorshWrite> = new Map<string, BorshWrite>([
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
  ['json', (w, _v, path, member, index) => w.json(path, member, index)],
]);

/** Closures that write values through a BorshWriter. */
export class BorshWriteClosures extends Closures<BorshWrite> {
  protected override primitive(name: string, max: number): BorshWrite {
    const length = fixedBytesLength(name);
    if (length !== undefined) return (w, v, path, member, index) => w.fixed(v, length, path, member, index);
    if (name === 'bytes') return (w, v, path, member, index) => w.bytes(v, max, path, member, index);
    if (name === 'string') return (w, v, path, member, index) => w.string(v, max, path, member, index);
    const write = PRIMITIVES.get(name);
    if (write === undefined) throw new Error(`no codec for ${name}`);
    return write;
  }

  protected override struct(definition: StructDefinition): BorshWrite {
    const fields = this.fields(definition);
    const type = definition.name;
    return (w: BorshWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      w.object(v, type, here);
      const members = v as Readonly<Record<string, unknown>>;
      for (const field of fields) {
        const value = members[field.name];
        if (field.optional) {
          const isAbsent = value === undefined || value === null;
          w.variant(isAbsent ? 0 : 1);
          if (isAbsent) continue;
        }
        field.cell.run(w, value, here, field.member, -1);
      }
    };
  }

  protected override enumeration(definition: EnumDefinition): BorshWrite {
    const type = definition.name;
    const tags = definition.variants.map(({ tag }) => tag);
    const variants = new Map<
      unknown,
      { place: number; member: string; payload: Cell<BorshWrite> | undefined }
    >(
      definition.variants.map(({ tag, payload }, place) => [
        tag,
        { place, member: `.${tag}`, payload: payload === undefined ? undefined : this.cell(payload) },
      ]),
    );
    return (w: BorshWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      w.object(v, type, here);
      const members = v as Readonly<Record<string, unknown>>;
      const variant = variants.get(members['type']);
      if (variant === undefined) return w.unknownVariant(members['type'], tags, here);
      w.variant(variant.place);
      if (variant.payload === undefined) w.nothing(members['value'], here);
      else variant.payload.run(w, members['value'], here, variant.member, -1);
    };
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): BorshWrite {
    const { length, max = 0xffff_ffff } = type;
    const item = this.cell(type.item);
    return (w: BorshWriter, v, path, member, index) => {
      const here = joinPath(path, member, index);
      if (length === undefined) w.count(v, max, here);
      else w.exactCount(v, length, here);
      for (let i = 0; i < v.length; i++) item.run(w, v[i], here, '', i);
    };
  }

  protected override option(item: TypeReference): BorshWrite {
    const cell = this.cell(item);
    return (w: BorshWriter, v, path, member, index) => {
      const isAbsent = v === undefined || v === null;
      w.variant(isAbsent ? 0 : 1);
      if (!isAbsent) cell.run(w, v, joinPath(path, member, index), '', -1);
    };
  }

  protected override guarded(inner: BorshWrite): BorshWrite {
    return (w: BorshWriter, v, path, member, index) => {
      w.enter(joinPath(path, member, index));
      try {
        inner(w, v, path, member, index);
      } finally {
        w.leave();
      }
    };
  }
}

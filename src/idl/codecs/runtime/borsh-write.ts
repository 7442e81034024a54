import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import type { BorshWriter } from '../borsh-writer.js';
import { joinPath } from '../codec-errors.js';
import { Closures, type Run } from './closures.js';
import { primitive } from './primitives.js';

type BorshWrite = Run<BorshWriter>;

/** Closures that write values through a BorshWriter. */
export class BorshWriteClosures extends Closures<BorshWriter> {
  protected override primitive(name: string, max: number): BorshWrite {
    if (name === 'json') return (w, _, path, member, index) => w.json(path, member, index);
    return primitive(name, max);
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
    const variants = this.variants(definition);
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
}

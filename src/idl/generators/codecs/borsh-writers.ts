import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import { CodecFunctions, HERE, ITEM, memberPlace, quoted, tagList } from './codec-functions.js';

/** Generates functions (v, path) that write a value through `w`, the module's BorshWriter. */
export class BorshWriters extends CodecFunctions {
  protected override readonly prefix = 'writeBorsh';
  protected override readonly leading = [];

  protected override head(valueType: string): string {
    return `(v: ${valueType}, path: string): void`;
  }

  protected override struct(definition: StructDefinition): string {
    const fields = definition.fields.map((field, i) => {
      const place = memberPlace(field.name);
      if (!field.optional) return `${this.code(field.type, `v.${field.name}`, place, field.max)};`;
      return `const x${i} = v.${field.name};
if (x${i} === undefined || x${i} === null) w.variant(0);
else {\n  w.variant(1);\n  ${this.code(field.type, `x${i}`, place, field.max)};\n}`;
    });
    return this.guarded(
      definition,
      'w',
      [`w.object(v, ${quoted(definition.name)}, path);`, ...fields].join('\n'),
    );
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }, index) => {
      const write =
        payload === undefined ? 'w.nothing(v.value, path)' : this.code(payload, 'v.value', memberPlace(tag));
      return `  case '${tag}':\n    w.variant(${index});\n    ${write};\n    break;`;
    });
    const body = `w.object(v, ${quoted(definition.name)}, path);
switch (v.type) {\n${cases.join('\n')}\n  default:\n    w.unknownVariant((v as { readonly type: unknown }).type, ${tagList(definition)}, path);\n}`;
    return this.guarded(definition, 'w', body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `w.count(v, ${type.max ?? 0xffff_ffff}, path);`
        : `w.exactCount(v, ${type.length}, path);`;
    const item = `v[i] as ${this.valueType(type.item)}`;
    return `${head}\nfor (let i = 0; i < v.length; i++) ${this.code(type.item, item, ITEM)};`;
  }

  protected override option(item: TypeReference): string {
    return `if (v === undefined || v === null) w.variant(0);\nelse {\n  w.variant(1);\n  ${this.code(item, 'v', HERE)};\n}`;
  }

  protected override primitive(type: ExpandedType & { readonly kind: 'primitive' }): string {
    return `${this.code(type.name, 'v', HERE, type.max)};`;
  }
}

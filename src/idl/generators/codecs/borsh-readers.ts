import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import { CodecFunctions, HERE, ITEM, memberPlace, quoted, structResult, tagList } from './codec-functions.js';

/** Body of a reader for a struct without fields. */
const EMPTY_STRUCT = 'return {};';

/** Generates functions (r, path) that read a value through a BorshReader. */
export class BorshReaders extends CodecFunctions {
  protected override readonly prefix = 'readBorsh';
  protected override readonly leading = ['r'];

  protected override head(valueType: string, body: string): string {
    const unused = body === EMPTY_STRUCT ? '_' : '';
    return `(${unused}r: $BorshReader, ${unused}path: string): ${valueType}`;
  }

  protected override struct(definition: StructDefinition, valueType: string): string {
    const reads = definition.fields.map((field, i) => {
      const read = this.code(field.type, undefined, memberPlace(field.name), field.max);
      return field.optional
        ? `const x${i} = r.flag(path, ${quoted(`.${field.name}`)}, -1) ? ${read} : undefined;`
        : `const x${i} = ${read};`;
    });
    return this.guarded(definition, 'r', [...reads, structResult(definition, valueType)].join('\n'));
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }, index) =>
      payload === undefined
        ? `  case ${index}: return { type: '${tag}' };`
        : `  case ${index}: return { type: '${tag}', value: ${this.code(payload, undefined, memberPlace(tag))} };`,
    );
    const body = `const index = r.variant(path);
switch (index) {\n${cases.join('\n')}\n  default: return r.unknownVariant(index, ${tagList(definition)}, path);\n}`;
    return this.guarded(definition, 'r', body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const min = this.types.minSize(type.item);
    const head =
      type.length === undefined
        ? `const n = r.count(${min}, ${type.max ?? 0xffff_ffff}, path);`
        : `const n = ${type.length};\nr.exactCount(${min * type.length}, path);`;
    return `${head}\nconst items: (${this.valueType(type.item)})[] = [];\nfor (let i = 0; i < n; i++) items.push(${this.code(type.item, undefined, ITEM)});\nreturn items;`;
  }

  protected override option(item: TypeReference): string {
    return `return r.flag(path, '', -1) ? ${this.code(item, undefined, HERE)} : null;`;
  }

  protected override primitive(type: ExpandedType & { readonly kind: 'primitive' }): string {
    return `return ${this.code(type.name, undefined, HERE, type.max)};`;
  }
}

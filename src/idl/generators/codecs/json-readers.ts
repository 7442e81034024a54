import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType } from '../../type-table.js';
import {
  CodecFunctions,
  HERE,
  ITEM,
  indented,
  memberPlace,
  type PathSuffix,
  payloadPlace,
  placeArguments,
  placePath,
  quoted,
  structResult,
  tagList,
} from './codec-functions.js';

/** Generates functions (r, v, path) that read a value from parsed JSON through a JsonReader. */
export class JsonReaders extends CodecFunctions {
  protected override readonly prefix = 'readJson';

  protected override head(valueType: string): string {
    return `(r: $JsonReader, v: unknown, path: string): ${valueType}`;
  }

  protected override struct(definition: StructDefinition, valueType: string): string {
    const { name, fields } = definition;
    const reads = fields.map((field, i) => {
      const member = `v['${field.name}']`;
      if (!field.optional)
        return `const x${i} = ${this.#read(field.type, member, memberPlace(field), field.max)};`;
      const read = this.#read(field.type, `y${i}`, memberPlace(field), field.max);
      return `const y${i} = ${member};\nconst x${i} = y${i} === undefined || y${i} === null ? undefined : ${read};`;
    });
    const body = [
      `r.object(v, ${quoted(name)}, path);`,
      memberCheck(fields.map((field) => field.name)),
      ...reads,
      structResult(definition, valueType),
    ].join('\n');
    return this.guarded(definition, 'r', body);
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }) =>
      payload === undefined
        ? `  case '${tag}':\n    r.nothing(v['value'], '${tag}', path);\n    return { type: '${tag}' };`
        : `  case '${tag}':\n    return { type: '${tag}', value: ${this.#read(payload, "v['value']", payloadPlace(tag))} };`,
    );
    const body = `r.object(v, ${quoted(`${definition.name}: {"type": …, "value": …}`)}, path);
${memberCheck(['type', 'value'])}
switch (v['type']) {\n${cases.join('\n')}\n  default:\n    return r.unknownVariant(v['type'], ${tagList(definition)}, path);\n}`;
    return this.guarded(definition, 'r', body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `r.list(v, ${type.max ?? 0xffff_ffff}, path);`
        : `r.exactList(v, ${type.length}, path);`;
    return `${head}\nconst items: (${this.valueType(type.item)})[] = [];\nfor (let i = 0; i < v.length; i++) items.push(${this.#read(type.item, 'v[i]', ITEM)});\nreturn items;`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? null : ${this.#read(item, 'v', HERE)};`;
  }

  protected override primitive(type: ExpandedType & { readonly kind: 'primitive' }): string {
    return `return ${this.#read(type.name, 'v', HERE, type.max)};`;
  }

  #read(type: TypeReference, value: string, place: PathSuffix, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive')
      return `${this.functionFor(expanded)}(r, ${value}, ${placePath(place)})`;
    const { name } = expanded;
    const where = placeArguments(place);
    const length = fixedBytesLength(name);
    if (name === 'address') return `r.address(${value}, ${where})`;
    if (name === 'hash' || name === 'bytes32') return `r.digest(${value}, '${name}', ${where})`;
    if (length !== undefined) return `r.fixed(${value}, ${length}, ${where})`;
    if (name === 'bytes' || name === 'string')
      return `r.${name}(${value}, ${expanded.max ?? 0xffff_ffff}, ${where})`;
    return `r.${name}(${value}, ${where})`;
  }
}

/** Code that rejects unknown members, unless the reader ignores them. */
function memberCheck(members: readonly string[]): string {
  const list = members.map((member) => `'${member}'`).join(', ');
  const known = members.map((member) => `case '${member}':`).join(' ');
  const cases = [
    ...(members.length === 0 ? [] : [`${known} break;`]),
    `default: r.unknownMember(k, [${list}], path);`,
  ];
  return `if (r.refusesUnknown) {\n  for (const k in v) {\n    switch (k) {\n${indented(indented(indented(cases.join('\n'))))}\n    }\n  }\n}`;
}

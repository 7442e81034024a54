import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import {
  CodecFunctions,
  HERE,
  ITEM,
  indented,
  memberPlace,
  quoted,
  structResult,
  tagList,
} from './codec-functions.js';

/** Generates functions (r, v, path) that read a value from parsed JSON through a JsonReader. */
export class JsonReaders extends CodecFunctions {
  protected override readonly prefix = 'readJson';
  protected override readonly leading = ['r'];

  protected override head(valueType: string): string {
    return `(r: $JsonReader, v: unknown, path: string): ${valueType}`;
  }

  protected override struct(definition: StructDefinition, valueType: string): string {
    const { name, fields } = definition;
    const reads = fields.map((field, i) => {
      const member = `v['${field.name}']`;
      if (!field.optional)
        return `const x${i} = ${this.code(field.type, member, memberPlace(field.name), field.max)};`;
      const read = this.code(field.type, `y${i}`, memberPlace(field.name), field.max);
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
        : `  case '${tag}':\n    return { type: '${tag}', value: ${this.code(payload, "v['value']", memberPlace(tag))} };`,
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
    return `${head}\nconst items: (${this.valueType(type.item)})[] = [];\nfor (let i = 0; i < v.length; i++) items.push(${this.code(type.item, 'v[i]', ITEM)});\nreturn items;`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? null : ${this.code(item, 'v', HERE)};`;
  }

  protected override primitive(type: ExpandedType & { readonly kind: 'primitive' }): string {
    return `return ${this.code(type.name, 'v', HERE, type.max)};`;
  }

  protected override method(name: string, max: number | undefined): readonly [string, ...string[]] {
    if (name === 'address') return ['address'];
    return name === 'hash' || name === 'bytes32' ? ['digest', `'${name}'`] : super.method(name, max);
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

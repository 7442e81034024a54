import type { EnumDefinition, StructDefinition, TypeReference } from '../manifest.js';
import { fixedBytesLength } from '../primitives.js';
import type { ExpandedType, TypeTable } from '../type-table.js';
import {
  CodeGenerator,
  HERE,
  ITEM,
  memberPlace,
  type Place,
  payloadPlace,
  placeArguments,
  placePath,
  structResult,
} from './code-generator.js';

/** Functions (value, path) that return the value of a type, by way of a {@link JsonReader}. */
export class JsonReaderGenerator extends CodeGenerator {
  protected override readonly parameters = 'v, path';
  readonly #refuseUnknown: boolean;

  /** @param refuseUnknown whether an unknown member is an error; otherwise it is passed over */
  constructor(types: TypeTable, refuseUnknown: boolean) {
    super(types);
    this.#refuseUnknown = refuseUnknown;
  }

  protected override root(type: TypeReference): string {
    return `(v, path) => ${this.#read(type, 'v', HERE)}`;
  }

  protected override struct(definition: StructDefinition): string {
    const { name, fields } = definition;
    const reads = fields.map((field, i) => {
      if (!field.optional)
        return `const x${i} = ${this.#read(field.type, `v.${field.name}`, memberPlace(field), field.max)};`;
      const read = this.#read(field.type, `y${i}`, memberPlace(field), field.max);
      return `const y${i} = v.${field.name};\nconst x${i} = y${i} === undefined || y${i} === null ? undefined : ${read};`;
    });
    const members = fields.map((field) => field.name);
    const body = [
      `r.object(v, ${JSON.stringify(name)}, path);`,
      this.#memberCheck(members),
      ...reads,
      structResult(definition),
    ].join('\n');
    return this.guarded(definition, body);
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }) =>
      payload === undefined
        ? `case '${tag}': r.nothing(v.value, '${tag}', path); return { type: '${tag}' };`
        : `case '${tag}': return { type: '${tag}', value: ${this.#read(payload, 'v.value', payloadPlace(tag))} };`,
    );
    const tags = this.constant(definition.variants.map(({ tag }) => tag));
    const body = `r.object(v, ${JSON.stringify(`${definition.name}: {"type": …, "value": …}`)}, path);
${this.#memberCheck(['type', 'value'])}
switch (v.type) {\n${cases.join('\n')}\ndefault: r.unknownVariant(v.type, ${tags}, path);\n}`;
    return this.guarded(definition, body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `r.list(v, ${type.max ?? 0xffff_ffff}, path);`
        : `r.exactList(v, ${type.length}, path);`;
    return `${head}\nconst items = [];\nfor (let i = 0; i < v.length; i++) items.push(${this.#read(type.item, 'v[i]', ITEM)});\nreturn items;`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? null : ${this.#read(item, 'v', HERE)};`;
  }

  #memberCheck(members: readonly string[]): string {
    if (!this.#refuseUnknown) return '';
    const known = this.constant(members);
    const cases = members.map((member) => `case '${member}':`).join(' ');
    const pass = members.length === 0 ? '' : `${cases} break; `;
    return `for (const k in v) switch (k) { ${pass}default: r.unknownMember(k, ${known}, path); }`;
  }

  #read(type: TypeReference, value: string, place: Place, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive') return `${this.functionFor(expanded)}(${value}, ${placePath(place)})`;
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

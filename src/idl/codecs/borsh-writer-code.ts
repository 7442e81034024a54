import type { EnumDefinition, StructDefinition, TypeReference } from '../manifest.js';
import { fixedBytesLength } from '../primitives.js';
import type { ExpandedType } from '../type-table.js';
import {
  CodeGenerator,
  HERE,
  ITEM,
  memberPlace,
  type Place,
  payloadPlace,
  placeArguments,
  placePath,
} from './code-generator.js';

/** Functions (value, path) that write through a {@link BorshWriter}. */
export class BorshWriterGenerator extends CodeGenerator {
  protected override readonly parameters = 'v, path';

  protected override root(type: TypeReference): string {
    return `(v, path) => { ${this.#write(type, 'v', HERE)}; }`;
  }

  protected override struct(definition: StructDefinition): string {
    const fields = definition.fields.map((field, i) => {
      const place = memberPlace(field);
      if (!field.optional) return `${this.#write(field.type, `v.${field.name}`, place, field.max)};`;
      return `const x${i} = v.${field.name};
if (x${i} === undefined || x${i} === null) r.variant(0); else { r.variant(1); ${this.#write(field.type, `x${i}`, place, field.max)}; }`;
    });
    return this.guarded(
      definition,
      [`r.object(v, ${JSON.stringify(definition.name)}, path);`, ...fields].join('\n'),
    );
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }, index) => {
      const write =
        payload === undefined
          ? 'r.nothing(v.value, path)'
          : this.#write(payload, 'v.value', payloadPlace(tag));
      return `case '${tag}': r.variant(${index}); ${write}; break;`;
    });
    const tags = this.constant(definition.variants.map(({ tag }) => tag));
    const body = `r.object(v, ${JSON.stringify(definition.name)}, path);
switch (v.type) {\n${cases.join('\n')}\ndefault: r.unknownVariant(v.type, ${tags}, path);\n}`;
    return this.guarded(definition, body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `r.count(v, ${type.max ?? 0xffff_ffff}, path);`
        : `r.exactCount(v, ${type.length}, path);`;
    return `${head}\nfor (let i = 0; i < v.length; i++) ${this.#write(type.item, 'v[i]', ITEM)};`;
  }

  protected override option(item: TypeReference): string {
    return `if (v === undefined || v === null) r.variant(0); else { r.variant(1); ${this.#write(item, 'v', HERE)}; }`;
  }

  #write(type: TypeReference, value: string, place: Place, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive') return `${this.functionFor(expanded)}(${value}, ${placePath(place)})`;
    const { name } = expanded;
    const where = placeArguments(place);
    const length = fixedBytesLength(name);
    if (length !== undefined) return `r.fixed(${value}, ${length}, ${where})`;
    if (name === 'json') return `r.json(${where})`;
    if (name === 'bytes' || name === 'string')
      return `r.${name}(${value}, ${expanded.max ?? 0xffff_ffff}, ${where})`;
    return `r.${name}(${value}, ${where})`;
  }
}

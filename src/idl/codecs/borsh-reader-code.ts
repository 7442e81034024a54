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

/** Functions (path) that read through a {@link BorshReader}. */
export class BorshReaderGenerator extends CodeGenerator {
  protected override readonly parameters = 'path';
  readonly #isForeign: boolean;

  /** @param isForeign whether the types come from strangers */
  constructor(types: TypeTable, isForeign: boolean) {
    super(types);
    this.#isForeign = isForeign;
  }

  protected override root(type: TypeReference): string {
    return `(path) => ${this.#read(type, HERE)}`;
  }

  protected override struct(definition: StructDefinition): string {
    const reads = definition.fields.map((field, i) => {
      const read = this.#read(field.type, memberPlace(field), field.max);
      return field.optional
        ? `const x${i} = r.flag(path, ${JSON.stringify(`.${field.name}`)}, -1) ? ${read} : undefined;`
        : `const x${i} = ${read};`;
    });
    return this.guarded(
      definition,
      `${this.#begin(definition.fields.reduce((sum, each) => sum + this.types.leastValues(each.optional ? { option: each.type } : each.type), 1))}${reads.join('\n')}\n${structResult(definition)}`,
    );
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }, index) =>
      payload === undefined
        ? `case ${index}: return { type: '${tag}' };`
        : `case ${index}: return { type: '${tag}', value: ${this.#read(payload, payloadPlace(tag))} };`,
    );
    const tags = this.constant(definition.variants.map(({ tag }) => tag));
    const body = `${this.#begin(this.types.leastValues(definition.name))}const index = r.variant(path);
switch (index) {\n${cases.join('\n')}\ndefault: r.unknownVariant(index, ${tags}, path);\n}`;
    return this.guarded(definition, body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const least = this.types.leastSize(type.item);
    const head =
      type.length === undefined
        ? `const n = r.count(${least}, ${type.max ?? 0xffff_ffff}, path);`
        : `const n = ${type.length}; r.exactCount(${least * type.length}, path);`;
    return `${this.#begin(type.length === undefined ? 1 : 1 + type.length * this.types.leastValues(type.item))}${head}\nconst items = [];\nfor (let i = 0; i < n; i++) items.push(${this.#read(type.item, ITEM)});\nreturn items;`;
  }

  protected override option(item: TypeReference): string {
    return `${this.#begin(1)}return r.flag(path, '', -1) ? ${this.#read(item, HERE)} : null;`;
  }

  /** At the begin of every function. @param least composite values that it reads at least */
  #begin(least: number): string {
    return this.#isForeign ? `r.value(${Math.min(least, Number.MAX_SAFE_INTEGER)}, path);\n` : '';
  }

  #read(type: TypeReference, place: Place, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive') return `${this.functionFor(expanded)}(${placePath(place)})`;
    const { name } = expanded;
    const where = placeArguments(place);
    const length = fixedBytesLength(name);
    if (length !== undefined) return `r.fixed(${length}, ${where})`;
    if (name === 'bytes' || name === 'string') return `r.${name}(${expanded.max ?? 0xffff_ffff}, ${where})`;
    return `r.${name}(${where})`;
  }
}

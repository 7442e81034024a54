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
} from './code-generator.js';

/** Functions (value, path) that return JSON text, by way of a {@link JsonWriter}. */
export class JsonWriterGenerator extends CodeGenerator {
  protected override readonly parameters = 'v, path';
  readonly #isForeign: boolean;

  /** @param isForeign whether the types come from strangers */
  constructor(types: TypeTable, isForeign: boolean) {
    super(types);
    this.#isForeign = isForeign;
  }

  protected override root(type: TypeReference): string {
    return `(v, path) => '' + ${this.#write(type, 'v', HERE)}`;
  }

  protected override struct(definition: StructDefinition): string {
    const { fields } = definition;
    const check = `r.object(v, ${JSON.stringify(definition.name)}, path);`;
    // Text between two values that are always there is one literal.
    const steps: string[] = [];
    let expression = '';
    let separator = '';
    fields.forEach((field, i) => {
      const name = `"${field.name}":`;
      const value = field.optional ? `x${i}` : `v.${field.name}`;
      const written = this.#write(field.type, value, memberPlace(field), field.max);
      if (field.optional) {
        if (expression !== '') steps.push(`s += ${expression};`);
        expression = '';
        const comma =
          separator === ','
            ? `'${separator}${name}'`
            : i === 0
              ? `'${name}'`
              : `(s === '{' ? '' : ',') + '${name}'`;
        steps.push(
          `const x${i} = v.${field.name};`,
          `if (x${i} !== undefined && x${i} !== null) s += ${comma} + ${written};`,
        );
      } else {
        const comma =
          separator === ',' || i === 0 ? `'${separator}${name}'` : `(s === '{' ? '' : ',') + '${name}'`;
        expression += `${expression === '' ? '' : ' + '}${comma} + ${written}`;
        separator = ',';
      }
    });
    if (steps.length === 0) {
      return this.guarded(
        definition,
        `${check}\nreturn ${this.#within(`'{' + ${expression === '' ? "''" : expression} + '}'`)};`,
      );
    }
    const rest = expression === '' ? '' : ` + ${expression}`;
    return this.guarded(
      definition,
      `${check}\nlet s = '{';\n${steps.join('\n')}\nreturn ${this.#within(`s${rest} + '}'`)};`,
    );
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }) =>
      payload === undefined
        ? `case '${tag}': r.nothing(v.value, path); return '{"type":"${tag}","value":null}';`
        : `case '${tag}': return ${this.#within(`'{"type":"${tag}","value":' + ${this.#write(payload, 'v.value', payloadPlace(tag))} + '}'`)};`,
    );
    const tags = this.constant(definition.variants.map(({ tag }) => tag));
    const body = `r.object(v, ${JSON.stringify(definition.name)}, path);
switch (v.type) {\n${cases.join('\n')}\ndefault: r.unknownVariant(v.type, ${tags}, path);\n}`;
    return this.guarded(definition, body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `r.list(v, ${type.max ?? 0xffff_ffff}, path);`
        : `r.exactList(v, ${type.length}, path);`;
    return `${head}
if (v.length === 0) return '[]';
let s = '[';
for (let i = 0; i < v.length; i++) { if (i !== 0) s += ','; s += ${this.#write(type.item, 'v[i]', ITEM)};${this.#isForeign ? ' r.within(s, path);' : ''} }
return s + ']';`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? 'null' : ${this.#write(item, 'v', HERE)};`;
  }

  /** The text of a value that is put together from others. */
  #within(text: string): string {
    return this.#isForeign ? `r.within(${text}, path)` : text;
  }

  #write(type: TypeReference, value: string, place: Place, max?: number): string {
    const expanded = this.types.expand(type, max);
    if (expanded.kind !== 'primitive') return `${this.functionFor(expanded)}(${value}, ${placePath(place)})`;
    const { name } = expanded;
    const where = placeArguments(place);
    const length = fixedBytesLength(name);
    if (name === 'hash' || name === 'bytes32') return `r.digest(${value}, ${where})`;
    if (length !== undefined) return `r.fixed(${value}, ${length}, ${where})`;
    if (name === 'bytes' || name === 'string')
      return `r.${name}(${value}, ${expanded.max ?? 0xffff_ffff}, ${where})`;
    return `r.${name}(${value}, ${where})`;
  }
}

import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import type { ExpandedType } from '../../type-table.js';
import { CodecFunctions, HERE, ITEM, memberPlace, quoted, tagList } from './codec-functions.js';

/** Generates functions (w, v, path) that return a value's JSON text through a JsonWriter. */
export class JsonWriters extends CodecFunctions {
  protected override readonly prefix = 'writeJson';
  protected override readonly leading = ['w'];

  protected override head(valueType: string): string {
    return `(w: $JsonWriter, v: ${valueType}, path: string): string`;
  }

  protected override struct(definition: StructDefinition): string {
    const { fields } = definition;
    // Merges the text between two required values into one literal.
    const steps: string[] = [];
    let expression = '';
    let separator = '';
    fields.forEach((field, i) => {
      const name = `"${field.name}":`;
      const value = field.optional ? `x${i}` : `v.${field.name}`;
      const written = this.code(field.type, value, memberPlace(field.name), field.max);
      const comma =
        separator === ','
          ? `',${name}'`
          : i === 0
            ? field.optional
              ? `'${name}'`
              : `'{${name}'`
            : `(s === '{' ? '' : ',') + '${name}'`;
      if (field.optional) {
        if (expression !== '')
          steps.push(steps.length === 0 ? `let s = ${expression};` : `s += ${expression};`);
        else if (steps.length === 0) steps.push(`let s = '{';`);
        expression = '';
        steps.push(
          `const x${i} = v.${field.name};`,
          `if (x${i} !== undefined && x${i} !== null) s += ${comma} + ${written};`,
        );
      } else {
        expression += `${expression === '' ? '' : ' + '}${comma} + ${written}`;
        separator = ',';
      }
    });
    const check = `w.object(v, ${quoted(definition.name)}, path);`;
    const open = steps.length === 0 ? (expression === '' ? "'{'" : expression) : 's';
    const rest = steps.length === 0 || expression === '' ? '' : ` + ${expression}`;
    return this.guarded(definition, 'w', [check, ...steps, `return ${open}${rest} + '}';`].join('\n'));
  }

  protected override enumeration(definition: EnumDefinition): string {
    const cases = definition.variants.map(({ tag, payload }) =>
      payload === undefined
        ? `  case '${tag}':\n    w.nothing(v.value, path);\n    return '{"type":"${tag}","value":null}';`
        : `  case '${tag}':\n    return '{"type":"${tag}","value":' + ${this.code(payload, 'v.value', memberPlace(tag))} + '}';`,
    );
    const body = `w.object(v, ${quoted(definition.name)}, path);
switch (v.type) {\n${cases.join('\n')}\n  default:\n    return w.unknownVariant((v as { readonly type: unknown }).type, ${tagList(definition)}, path);\n}`;
    return this.guarded(definition, 'w', body);
  }

  protected override list(type: ExpandedType & { readonly kind: 'list' }): string {
    const head =
      type.length === undefined
        ? `w.list(v, ${type.max ?? 0xffff_ffff}, path);`
        : `w.exactList(v, ${type.length}, path);`;
    const item = `v[i] as ${this.valueType(type.item)}`;
    return `${head}
if (v.length === 0) return '[]';
let s = '[';
for (let i = 0; i < v.length; i++) {
  if (i !== 0) s += ',';
  s += ${this.code(type.item, item, ITEM)};
}
return s + ']';`;
  }

  protected override option(item: TypeReference): string {
    return `return v === undefined || v === null ? 'null' : '' + ${this.code(item, 'v', HERE)};`;
  }

  protected override primitive(type: ExpandedType & { readonly kind: 'primitive' }): string {
    return `return '' + ${this.code(type.name, 'v', HERE, type.max)};`;
  }

  protected override method(name: string, max: number | undefined): readonly [string, ...string[]] {
    return name === 'hash' || name === 'bytes32' ? ['digest'] : super.method(name, max);
  }
}

import type {
  EnumDefinition,
  FieldDefinition,
  StructDefinition,
  TypeReference,
  VariantDefinition,
} from '../manifest.js';
import { fixedBytesLength, INTEGERS } from '../primitives.js';
import type { ExpandedType, TypeTable } from '../type-table.js';
import { docComment } from './typescript.js';

/** Reserved words of AssemblyScript that the IDL allows as names of parameters and fields. */
export const RESERVED: ReadonlySet<string> = new Set(
  `abstract as async await break case catch class const continue debugger declare default delete do else enum export
  extends false finally for function if implements import in instanceof interface let module namespace new null of
  package private protected public return static super switch this throw true try type typeof var void while with yield
  bool i8 i16 i32 i64 u8 u16 u32 u64 isize usize string`
    .split(/\s+/)
    .concat('Address Bytes EventWriter Hash I128 Option Reader U128 Writer none some'.split(' ')),
);

/** Converts an IDL name to an AssemblyScript identifier. */
export function identifier(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/**
 * Generates code that reads and writes values of a manifest's types, and the classes of its structs and enums. Also
 * collects a pair of functions for each list and option type that the generated code uses.
 */
export class AssemblyScriptCodecs {
  readonly #types: TypeTable;
  readonly #functions = new Map<string, string>();

  constructor(types: TypeTable) {
    this.#types = types;
  }

  /** The functions called by the code generated so far. */
  get functions(): readonly string[] {
    return [...this.#functions.values()];
  }

  /** The AssemblyScript name of the type. */
  typeName(type: TypeReference): string {
    const expanded = this.#types.expand(type);
    switch (expanded.kind) {
      case 'list':
        return `Array<${this.typeName(expanded.item)}>`;
      case 'option':
        return `Option<${this.typeName(expanded.item)}>`;
      case 'primitive':
        return primitiveName(expanded.name);
      default:
        return expanded.definition.name;
    }
  }

  /** An expression that reads a value. */
  read(reader: string, type: TypeReference, max?: number): string {
    const expanded = this.#types.expand(type, max);
    switch (expanded.kind) {
      case 'list':
      case 'option':
        return `read${this.#codecFunctions(type, expanded)}(${reader})`;
      case 'primitive':
        return readPrimitive(reader, expanded.name, expanded.max);
      default:
        return `${reader}.read<${expanded.definition.name}>()`;
    }
  }

  /** A statement that writes a value. */
  write(writer: string, value: string, type: TypeReference, max?: number): string {
    const expanded = this.#types.expand(type, max);
    switch (expanded.kind) {
      case 'list':
      case 'option':
        return `write${this.#codecFunctions(type, expanded)}(${writer}, ${value});`;
      case 'primitive':
        return writePrimitive(writer, value, expanded.name, expanded.max);
      default:
        return `${value}.encode(${writer});`;
    }
  }

  /** A field's type, including its option. */
  fieldType(field: FieldDefinition): TypeReference {
    return field.optional ? { option: field.type } : field.type;
  }

  readField(reader: string, field: FieldDefinition): string {
    return this.read(reader, this.fieldType(field), field.max);
  }

  writeField(writer: string, value: string, field: FieldDefinition): string {
    return this.write(writer, value, this.fieldType(field), field.max);
  }

  /** Bytes to reserve for the encoding of all fields. */
  capacity(fields: readonly FieldDefinition[]): number {
    const size = fields.reduce((sum, f) => {
      const type = this.fieldType(f);
      return sum + (this.#types.exactSize(type) ?? this.#types.minSize(type) + 60);
    }, 0);
    return Math.min(size, 4096);
  }

  structClass(definition: StructDefinition): string {
    const { name, fields } = definition;
    const parameters = fields.map(
      (f) =>
        `${docComment(f, '    ')}    public ${identifier(f.name)}: ${this.typeName(this.fieldType(f))},\n`,
    );
    const writes = fields.map((f) => `    ${this.writeField('$writer', `this.${identifier(f.name)}`, f)}\n`);
    const reads = fields.map((f) => `    this.${identifier(f.name)} = ${this.readField('$reader', f)};\n`);
    return `${docComment(definition, '')}@final
export class ${name} {
  constructor(${parameters.length === 0 ? '' : `\n${parameters.join('')}  `}) {}

  encode($writer: Writer): void {
${writes.join('')}  }

  decode($reader: Reader): void {
${reads.join('')}  }
}
`;
  }

  enumClass(definition: EnumDefinition): string {
    const { name, variants } = definition;
    const withPayload = variants.flatMap((v, i) => (v.payload === undefined ? [] : [{ ...v, index: i }]));
    const held = withPayload.map(({ index, payload }) => {
      const type = this.typeName(payload ?? '');
      return `  private held${index}: ${type} = ${zero(type)};\n`;
    });
    const members = variants.map((variant, index) => this.#variantMembers(name, variant, index));
    const writes = withPayload.map(
      ({ index, payload }) =>
        `    if (this.tag == ${index}) ${this.write('$writer', `this.held${index}`, payload ?? '')}\n`,
    );
    const reads = withPayload.map(
      ({ index, payload }) =>
        `    if (this.tag == ${index}) this.held${index} = ${this.read('$reader', payload ?? '')};\n`,
    );
    return `${docComment(definition, '')}@final
export class ${name} {
  private tag: u8;
${held.join('')}
  private constructor(tag: u8) {
    this.tag = tag;
  }

${members.join('\n')}
  @operator("==")
  private sameVariant(other: ${name}): bool {
    return this.tag == other.tag;
  }

  @operator("!=")
  private otherVariant(other: ${name}): bool {
    return this.tag != other.tag;
  }

  encode($writer: Writer): void {
    $writer.integer<u8>(this.tag);
${writes.join('')}  }

  decode($reader: Reader): void {
    this.tag = $reader.variant(${variants.length});
${reads.join('')}  }
}
`;
  }

  #variantMembers(owner: string, variant: VariantDefinition, index: number): string {
    const { name, payload } = variant;
    const test = `  get is${name}(): bool {
    return this.tag == ${index};
  }
`;
    const doc = docComment(variant, '  ');
    if (payload === undefined) {
      return `${doc}  static ${name}(): ${owner} {\n    return new ${owner}(${index});\n  }\n\n${test}`;
    }
    const type = this.typeName(payload);
    return `${doc}  static ${name}(value: ${type}): ${owner} {
    const made = new ${owner}(${index});
    made.held${index} = value;
    return made;
  }

${test}
  /** The payload; reverts if this is another variant. */
  get as${name}(): ${type} {
    require(this.tag == ${index}, "expected the variant ${name} of ${owner}");
    return this.held${index};
  }
`;
  }

  /** Adds the functions of a list or option unless already added. Returns the suffix of their names. */
  #codecFunctions(
    type: TypeReference,
    expanded: Extract<ExpandedType, { readonly kind: 'list' | 'option' }>,
  ): string {
    const max = expanded.kind === 'list' ? expanded.max : undefined;
    const key = `${this.#functionName(type)}${max === undefined ? '' : `Max${max}`}`;
    if (!this.#functions.has(key)) {
      // Reserves the key before the body is generated: a type may contain itself.
      this.#functions.set(key, '');
      const name = this.typeName(type);
      const body =
        expanded.kind === 'option' ? this.#optionBodies(expanded.item) : this.#listBodies(expanded, name);
      this.#functions.set(
        key,
        `function read${key}($reader: Reader): ${name} {
${body.read}}

function write${key}($writer: Writer, value: ${name}): void {
${body.write}}
`,
      );
    }
    return key;
  }

  #optionBodies(item: TypeReference): { read: string; write: string } {
    const name = this.typeName(item);
    return {
      read: `  return $reader.bool() ? some<${name}>(${this.read('$reader', item)}) : none<${name}>();\n`,
      write: `  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  ${this.write('$writer', 'item', item)}
`,
    };
  }

  #listBodies(
    { item, length, max }: Extract<ExpandedType, { readonly kind: 'list' }>,
    name: string,
  ): { read: string; write: string } {
    const min = this.#types.minSize(item);
    const count =
      length === undefined ? `$reader.listLength(${min}${max === undefined ? '' : `, ${max}`})` : `${length}`;
    const head =
      length === undefined
        ? `  $writer.listLength(length${max === undefined ? '' : `, ${max}`});\n`
        : `  $writer.expectLength(length, ${length});\n`;
    return {
      read: `  const length: i32 = ${count};
  const list = new ${name}(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = ${this.read('$reader', item)}));
  return list;
`,
      write: `  const length = value.length;
${head}  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    ${this.write('$writer', 'item', item)}
  }
`,
    };
  }

  #functionName(type: TypeReference): string {
    const expanded = this.#types.expand(type);
    switch (expanded.kind) {
      case 'list':
        return `${this.#functionName(expanded.item)}List${expanded.length ?? ''}`;
      case 'option':
        return `${this.#functionName(expanded.item)}Option`;
      case 'primitive':
        return `${expanded.name.charAt(0).toUpperCase()}${expanded.name.slice(1)}${expanded.max === undefined ? '' : `Max${expanded.max}`}`;
      default:
        return expanded.definition.name;
    }
  }
}

function primitiveName(name: string): string {
  if (name === 'u128' || name === 'i128') return name.toUpperCase();
  if (name === 'address') return 'Address';
  if (name === 'hash' || name === 'bytes32') return 'Hash';
  return name === 'bytes' || fixedBytesLength(name) !== undefined ? 'Bytes' : name;
}

function readPrimitive(reader: string, name: string, max: number | undefined): string {
  if (name === 'bool') return `${reader}.bool()`;
  if (name === 'string') return `${reader}.string(${max ?? ''})`;
  if (name === 'bytes') return `${reader}.bytes(${max ?? ''})`;
  const ours = primitiveName(name);
  if (ours === 'Bytes') return `${reader}.fixedBytes(${fixedBytesLength(name)})`;
  return INTEGERS.has(ours) ? `${reader}.integer<${ours}>()` : `${reader}.read<${ours}>()`;
}

function writePrimitive(writer: string, value: string, name: string, max: number | undefined): string {
  const limit = max === undefined ? '' : `, ${max}`;
  if (name === 'string') return `${writer}.string(${value}${limit});`;
  if (name === 'bytes') return `${writer}.bytes(${value}${limit});`;
  const ours = primitiveName(name);
  if (ours === 'Bytes') return `${writer}.fixedBytes(${value}, ${fixedBytesLength(name)});`;
  return `${writer}.${INTEGERS.has(ours) || ours === 'bool' ? 'integer' : 'write'}<${ours}>(${value});`;
}

function zero(type: string): string {
  if (type === 'bool') return 'false';
  return INTEGERS.has(type) ? '0' : `changetype<${type}>(0)`;
}

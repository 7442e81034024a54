import type {
  Documented,
  EnumDefinition,
  FieldDefinition,
  InterfaceDefinition,
  Manifest,
  MethodDefinition,
  StructDefinition,
  TypeReference,
} from '../manifest.js';
import { INTEGERS } from '../primitives.js';
import { TypeTable } from '../type-table.js';

/** TypeScript name for the IDL's `json`; no IDL type can have this name. */
export const JSON_VALUE = '$JsonValue';

/** The type of an object without members, written without names that the IDL may declare. */
export const EMPTY_RECORD = '{ readonly [name: string]: never }';

/** The import of {@link JSON_VALUE}. @param idlModule returns the path of a `src/idl` module by name */
export function importJsonValue(idlModule: (name: string) => string): string {
  return `import type { JsonValue as ${JSON_VALUE} } from '${idlModule('json-value')}';`;
}

/** Contents of one generated module. */
export interface TypeScriptModule {
  /** Names of the IDL files, for the module header. */
  readonly sources: readonly string[];
  readonly manifest: Manifest;
  /** Whether the module declares a struct or enum; others are imported. */
  readonly declares: (name: string) => boolean;
  /** The module that declares the other structs and enums. */
  readonly importsFrom?: string;
  /** Name of the interface that maps type names to types, such as `LedgerTypes`. */
  readonly typesName: string;
  /** Name of the manifest constant, such as `ledgerManifest`. */
  readonly manifestName: string;
  /** Returns the path of a `src/idl` module by name. */
  readonly idlModule: (name: string) => string;
}

/** Generates declarations of all types and method tables, and the manifest. Deterministic. */
export function generateTypeScript(module: TypeScriptModule): string {
  const { manifest } = module;
  const types = new TypeTable(manifest);
  const all = [...manifest.structs, ...manifest.enums];
  const declared = all.filter(({ name }) => module.declares(name));
  const body = [
    ...declared.map((d) => ('fields' in d ? structDeclaration(d, types) : enumDeclaration(d, types))),
    typesTable(module.typesName, all),
    ...manifest.interfaces.map((definition) => methodsTable(definition, types)),
  ].join('\n');
  const imported = all.filter(({ name }) => !module.declares(name)).map(({ name }) => name);
  const head = [
    `// Generated from ${module.sources.join(' and ')} by \`heddle idl generate\`. Do not edit.`,
    ...(body.includes(JSON_VALUE) ? [importJsonValue(module.idlModule)] : []),
    `import type { Manifest as $Manifest } from '${module.idlModule('manifest')}';`,
    ...(imported.length > 0 && module.importsFrom !== undefined
      ? [`import type {\n${imported.map((name) => `  ${name},\n`).join('')}} from '${module.importsFrom}';`]
      : []),
  ].join('\n');
  const constant = `/** Everything that the IDL declares. */\nexport const ${module.manifestName}: $Manifest = ${literal(manifest, 0)};\n`;
  return `${head}\n\n${body}\n${constant}`;
}

/** Input of {@link generateClient}. */
export interface ClientModule {
  readonly source: string;
  readonly manifest: Manifest;
  readonly definition: InterfaceDefinition;
  /** Module with the method table. */
  readonly typesFrom: string;
  /** A generic type of the methods' parameters: `Name<P>` instead of `P`. */
  readonly parameters?: { readonly name: string; readonly from: string };
}

/** Generates a class with a documented, typed method for each method of an interface. */
export function generateClient(module: ClientModule): string {
  const { definition, parameters } = module;
  const types = new TypeTable(module.manifest);
  const methodsName = `${definition.name}Methods`;
  const paramsOf = (method: string): string => {
    const plain = `${methodsName}[${method}]['params']`;
    return parameters === undefined ? plain : `$${parameters.name}<${plain}>`;
  };
  const methods = definition.methods.map((method) => {
    const noParams = method.params.length === 0;
    const members = types.soleStruct(method.params)?.fields ?? method.params;
    const optional = members.every((p) => p.optional);
    const parameter = noParams ? '' : `params: ${paramsOf(`'${method.name}'`)}${optional ? ' = {}' : ''}`;
    return `${docComment(method, '  ', [`Tier ${method.tier}, ${units(method.cost)}.`])}  ${method.name}(${parameter}): Promise<${methodsName}['${method.name}']['result']> {
    return this.#call('${method.name}', ${noParams ? '{}' : 'params'});
  }
`;
  });
  const imports =
    parameters === undefined
      ? ''
      : `import type { ${parameters.name} as $${parameters.name} } from '${parameters.from}';\n`;
  return `// Generated from ${module.source} by \`heddle idl generate\`. Do not edit.
${imports}import type { ${methodsName} } from '${module.typesFrom}';

/** Sends one call to the node and returns its result; rejects on failure. */
export type ${definition.name}Call = <M extends keyof ${methodsName}>(
  method: M,
  params: ${paramsOf('M')},
) => Promise<${methodsName}[M]['result']>;

${docComment(definition, '')}export class ${definition.name}Client {
  readonly #call: ${definition.name}Call;

  constructor(call: ${definition.name}Call) {
    this.#call = call;
  }

${methods.join('\n')}}
`;
}

function units(cost: number): string {
  return cost === 1 ? '1 compute unit' : `${cost} compute units`;
}

export function structDeclaration(definition: StructDefinition, types: TypeTable): string {
  const fields = definition.fields.map((f) => `${docComment(f, '  ', limitNote(f))}  ${member(f, types)};\n`);
  const empty = fields.length === 0;
  const head = `${docComment(definition, '')}export `;
  return empty
    ? `${head}type ${definition.name} = ${EMPTY_RECORD};\n`
    : `${head}interface ${definition.name} {\n${fields.join('')}}\n`;
}

export function enumDeclaration(definition: EnumDefinition, types: TypeTable): string {
  const variants = definition.variants.map((variant) => {
    const value =
      variant.payload === undefined
        ? 'readonly value?: null'
        : `readonly value: ${typeScriptType(variant.payload, types)}`;
    return `${docComment(variant, '  ')}  | { readonly type: '${variant.tag}'; ${value} }`;
  });
  return `${docComment(definition, '')}export type ${definition.name} =\n${variants.join('\n')};\n`;
}

function typesTable(name: string, all: readonly Documented[]): string {
  const lines = all.map((definition) => `  readonly ${definition.name}: ${definition.name};\n`);
  return `/** Every struct and enum by its name. */\nexport interface ${name} {\n${lines.join('')}}\n`;
}

function methodsTable(definition: InterfaceDefinition, types: TypeTable): string {
  const methods = definition.methods.map(
    (method) =>
      `${docComment(method, '  ')}  readonly ${method.name}: { readonly params: ${paramsType(method, types)}; readonly result: ${method.returns === undefined ? 'null' : typeScriptType(method.returns, types)} };\n`,
  );
  return `/** Parameters and result of every method of ${definition.name}, by its name. */\nexport interface ${definition.name}Methods {\n${methods.join('')}}\n`;
}

/** The TypeScript type of a method's `params`. */
export function paramsType(method: MethodDefinition, types: TypeTable): string {
  const sole = types.soleStruct(method.params);
  if (sole !== undefined) return sole.name;
  if (method.params.length === 0) return EMPTY_RECORD;
  return `{ ${method.params.map((p) => member(p, types)).join('; ')} }`;
}

/** A field as a member of an interface. */
export function member(field: FieldDefinition, types: TypeTable): string {
  return `readonly ${field.name}${field.optional ? '?' : ''}: ${typeScriptType(field.type, types)}`;
}

/**
 * The TypeScript type of a value: `Uint8Array` for bytes, `bigint` for integers of 64 bits or more.
 * @param named collects the names that the text uses
 */
export function typeScriptType(type: TypeReference, types: TypeTable, named?: Set<string>): string {
  const expanded = types.expand(type);
  switch (expanded.kind) {
    case 'list': {
      const item = typeScriptType(expanded.item, types, named);
      return `readonly ${/^[\w.$]+(\[\])*$/.test(item) ? item : `(${item})`}[]`;
    }
    case 'option':
      return `${typeScriptType(expanded.item, types, named)} | null`;
    case 'primitive': {
      const integer = INTEGERS.get(expanded.name);
      if (integer !== undefined) return integer.bits >= 64 ? 'bigint' : 'number';
      if (expanded.name === 'bool') return 'boolean';
      if (expanded.name === 'string') return 'string';
      if (expanded.name !== 'json') return 'Uint8Array';
      named?.add(JSON_VALUE);
      return JSON_VALUE;
    }
    default:
      named?.add(expanded.definition.name);
      return expanded.definition.name;
  }
}

function limitNote(field: FieldDefinition): readonly string[] {
  if (field.max === undefined) return [];
  const what = field.type === 'string' || field.type === 'bytes' ? 'bytes' : 'items';
  return [`At most ${field.max} ${what}.`];
}

/** A doc comment for generated code, or '' if there is nothing to say. */
export function docComment(definition: Documented, indent: string, notes: readonly string[] = []): string {
  const lines = [
    ...(definition.doc === undefined ? [] : definition.doc.split('\n')),
    ...notes,
    ...(definition.deprecated === undefined ? [] : [`@deprecated ${definition.deprecated}`]),
  ].map((line) => line.replaceAll('*/', '*\\/'));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Formats a manifest as a literal with one member, variant or method per line. */
function literal(value: unknown, depth: number): string {
  const isMember = depth >= 4;
  if (isMember || typeof value !== 'object' || value === null) return inline(value);
  const indent = '  '.repeat(depth + 1);
  const close = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${indent}${literal(item, depth + 1)},\n`).join('')}${close}]`;
  }
  const members = Object.entries(value).map(
    ([key, item]) => `${indent}${key}: ${literal(item, depth + 1)},\n`,
  );
  return `{\n${members.join('')}${close}}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${key}: ${inline(item)}`)
      .join(', ')} }`;
  }
  return JSON.stringify(value);
}

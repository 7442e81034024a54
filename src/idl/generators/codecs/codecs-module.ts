import { paramsForm } from '../../codecs/method-codecs.js';
import type { InterfaceDefinition, Manifest, MethodDefinition } from '../../manifest.js';
import { TypeTable } from '../../type-table.js';
import { importJsonValue, JSON_VALUE } from '../typescript.js';
import { BorshReaders } from './borsh-readers.js';
import { BorshWriters } from './borsh-writers.js';
import { type FunctionScope, ModuleImports, quoted } from './codec-functions.js';
import { JsonReaders } from './json-readers.js';
import { JsonWriters } from './json-writers.js';

/** A generated module that declares structs and enums, or their codec functions. */
interface ImportedModule {
  readonly from: string;
  readonly declares: (name: string) => boolean;
}

/** Input of a generated module of codecs. */
export interface CodecsModule {
  /** Names of the IDL files, for the module header. */
  readonly sources: readonly string[];
  readonly manifest: Manifest;
  readonly types: readonly ImportedModule[];
  /** Returns the path of a `src/idl` module by name. */
  readonly idlModule: (name: string) => string;
}

export interface CodecTableModule extends CodecsModule {
  /** Name and module of the interface that maps type names to types, such as `LedgerTypes`. */
  readonly typesName: string;
  readonly typesFrom: string;
  /** Prefix of the tables' names, such as `ledger`. */
  readonly stem: string;
  /** Codecs that another module declares. */
  readonly others?: ImportedModule;
}

/** Names of the types to generate code for, by direction. */
export interface CodecSelection {
  readonly readBorsh: readonly string[];
  readonly writeBorsh: readonly string[];
  readonly readJson: readonly string[];
}

/** Generates the codecs of all types and methods of a manifest as TypeScript. Deterministic. */
export function generateCodecs(module: CodecTableModule): string {
  const { manifest, others, stem, typesName } = module;
  const writer = new CodecsWriter(module, (name) => others?.declares(name) !== true);
  const names = [...manifest.structs, ...manifest.enums].map(({ name }) => name);
  const rows = names.map((name) => `  ${name}: ${writer.allOf(name)},\n`);
  const interfaces = manifest.interfaces.map((definition) => writer.methods(definition));
  const tables = `/** Functions of every struct and enum, by name; the input of \`bindCodecs\`. */
export const ${stem}Functions: $FunctionTable<${typesName}> = {
${rows.join('')}};

/** JSON and Borsh codecs by type name. */
export const ${stem}Codecs: $CodecTable<${typesName}> = /* @__PURE__ */ $bindCodecs<${typesName}>(${stem}Functions);
`;
  writer.codecImports.add('type CodecTable').add('type FunctionTable').add('bindCodecs');
  writer.typeImport(module.typesFrom, typesName);
  return writer.text([tables, ...interfaces]);
}

/** Generates only the selected functions, for programs that need no more. Deterministic. */
export function generateSelectedCodecs(module: CodecsModule, selection: CodecSelection): string {
  const writer = new CodecsWriter(module, () => true);
  for (const name of selection.readBorsh) writer.readBorsh.addType(name);
  for (const name of selection.writeBorsh) writer.writeBorsh.addType(name);
  for (const name of selection.readJson) writer.readJson.addType(name);
  return writer.text([]);
}

/** Collects the functions of a module and its imports. */
class CodecsWriter {
  readonly readBorsh: BorshReaders;
  readonly writeBorsh: BorshWriters;
  readonly readJson: JsonReaders;
  readonly writeJson: JsonWriters;
  readonly codecImports = new Set<string>();
  readonly #methodImports = new Set<string>();
  readonly #module: CodecsModule & { readonly others?: ImportedModule };
  readonly #imports = new ModuleImports();
  readonly #typeImports = new Map<string, Set<string>>();
  readonly #types: TypeTable;

  constructor(
    module: CodecsModule & { readonly others?: ImportedModule },
    declares: (name: string) => boolean,
  ) {
    this.#module = module;
    this.#types = new TypeTable(module.manifest);
    const scope: FunctionScope = { types: this.#types, declares, imports: this.#imports };
    this.readBorsh = new BorshReaders(scope);
    this.writeBorsh = new BorshWriters(scope);
    this.readJson = new JsonReaders(scope);
    this.writeJson = new JsonWriters(scope);
  }

  typeImport(from: string, name: string): void {
    const names = this.#typeImports.get(from) ?? new Set();
    this.#typeImports.set(from, names.add(name));
  }

  /** The `TypeFunctions` literal of a struct or enum. */
  allOf(name: string): string {
    const members = [
      `writeBorsh: ${this.writeBorsh.addType(name)}`,
      `readBorsh: ${this.readBorsh.addType(name)}`,
      `writeJson: ${this.writeJson.addType(name)}`,
      `readJson: ${this.readJson.addType(name)}`,
    ];
    return `{ ${members.join(', ')} }`;
  }

  /** The tables of an interface, for servers and for clients. */
  methods(definition: InterfaceDefinition): string {
    const { name } = definition;
    const stem = name.charAt(0).toLowerCase() + name.slice(1);
    const methodsName = `${name}Methods`;
    const [types] = this.#module.types.filter(({ declares }) => declares(methodsName));
    if (types === undefined) throw new Error(`no module declares ${methodsName}`);
    this.typeImport(types.from, methodsName);
    const described = definition.methods.map((method) => this.#method(methodsName, method));
    this.#methodImports.add('type CallFunctions').add('bindMethods').add('type MethodCodec');
    return `/** The client functions of every method of ${name}, by plain name. */
export const ${stem}Calls: {
  readonly [M in keyof ${methodsName}]: $CallFunctions<${methodsName}[M]['params'], ${methodsName}[M]['result']>;
} = {
${described.map(({ method, call }) => `  ${method}: ${call},\n`).join('')}};

/** Codecs of every method of ${name}, by plain name. */
export const ${stem}MethodCodecs: ReadonlyMap<string, $MethodCodec> = /* @__PURE__ */ $bindMethods('${name}', [
${described.map(({ server }) => `  ${server},\n`).join('')}]);
`;
  }

  text(tables: readonly string[]): string {
    const parts = [this.readBorsh, this.writeBorsh, this.readJson, this.writeJson].map((functions) =>
      functions.text(),
    );
    const [, borshWrites] = parts;
    if (borshWrites !== '') {
      this.codecImports.add('borshWriter').add('type BorshWriter');
      parts.unshift('const w: $BorshWriter = $borshWriter;\n');
    }
    const body = [...parts.filter((text) => text !== ''), ...tables].join('\n');
    return `${this.#head(body)}\n\n${body}`;
  }

  #method(methodsName: string, method: MethodDefinition) {
    const params = this.#params(methodsName, method);
    const result =
      method.returns === undefined
        ? { readResult: '$readJsonNothing', writeResult: '$writeJsonNothing' }
        : {
            readResult: this.readJson.addType(method.returns),
            writeResult: this.writeJson.addType(method.returns),
          };
    if (method.returns === undefined) this.#methodImports.add('readJsonNothing').add('writeJsonNothing');
    const { members, wrapper } = paramsForm(method, this.#types);
    const call = `isRepeatable: ${method.once !== true}, writeParams: ${params.write}, readResult: ${result.readResult}`;
    const form = `members: [${members.map(quoted).join(', ')}]${wrapper === undefined ? '' : `, wrapper: ${quoted(wrapper)}`}`;
    return {
      method: method.name,
      call: `{ ${call} }`,
      server: `{ name: '${method.name}', tier: '${method.tier}', cost: ${method.cost}, ${method.immutable === true ? 'isImmutable: true, ' : ''}${form}, readParams: ${params.read}, writeResult: ${result.writeResult}, ${call} }`,
    };
  }

  #params(methodsName: string, method: MethodDefinition): { readonly read: string; readonly write: string } {
    const sole = this.#types.soleStruct(method.params);
    if (sole !== undefined) {
      return { read: this.readJson.addType(sole.name), write: this.writeJson.addType(sole.name) };
    }
    const record = { name: `parameters of ${method.name}`, fields: method.params };
    const hint = `ParamsOf_${method.name}`;
    const valueType = `${methodsName}['${method.name}']['params']`;
    return {
      read: this.readJson.addRecord(record, hint, valueType),
      write: this.writeJson.addRecord(record, hint, valueType),
    };
  }

  #head(body: string): string {
    const { sources, idlModule, types, others } = this.#module;
    const codecImports = new Set(this.codecImports);
    for (const name of ['BorshReader', 'JsonReader', 'JsonWriter', 'Writable']) {
      if (body.includes(`: $${name}`)) codecImports.add(`type ${name}`);
    }
    const lines = [
      `// Generated from ${sources.join(' and ')} by \`heddle idl generate\`. Do not edit.`,
      importLine(aliased(codecImports), idlModule('codecs/codec')),
      ...(this.#methodImports.size === 0
        ? []
        : [importLine(aliased(this.#methodImports), idlModule('codecs/method-codecs'))]),
    ];
    for (const name of this.#imports.types) {
      if (name === JSON_VALUE) lines.push(importJsonValue(idlModule));
      else {
        const module = types.find(({ declares }) => declares(name));
        if (module === undefined) throw new Error(`no module declares ${name}`);
        this.typeImport(module.from, name);
      }
    }
    for (const [from, names] of this.#typeImports) {
      lines.push(
        importLine(
          [...names].map((name) => `type ${name}`),
          from,
        ),
      );
    }
    if (others !== undefined && this.#imports.functions.size > 0) {
      lines.push(importLine([...this.#imports.functions], others.from));
    }
    return lines.join('\n');
  }
}

/** Aliases imports to names that no IDL type can have. */
function aliased(names: ReadonlySet<string>): readonly string[] {
  return [...names].map((name) => `${name} as $${name.replace(/^type /, '')}`);
}

function importLine(names: readonly string[], from: string): string {
  const plain = (name: string): string => name.replace(/^type /, '');
  const sorted = names.toSorted((a, b) => (plain(a) < plain(b) ? -1 : 1));
  const onlyTypes = sorted.every((name) => name.startsWith('type '));
  const list = onlyTypes ? sorted.map(plain) : sorted;
  const keyword = onlyTypes ? 'import type' : 'import';
  if (list.join(', ').length < 80) return `${keyword} { ${list.join(', ')} } from '${from}';`;
  return `${keyword} {\n${list.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
}

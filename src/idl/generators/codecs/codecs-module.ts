import { paramsForm } from '../../codecs/method-codecs.js';
import type {
  EnumDefinition,
  InterfaceDefinition,
  Manifest,
  MethodDefinition,
  StructDefinition,
} from '../../manifest.js';
import { TypeTable } from '../../type-table.js';
import { importJsonValue, JSON_VALUE } from '../typescript.js';
import { BorshReaders } from './borsh-readers.js';
import { BorshWriters } from './borsh-writers.js';
import {
  type CodecFunctions,
  type CodecSelection,
  DIRECTIONS,
  type Direction,
  type FunctionScope,
  ModuleImports,
  quoted,
} from './codec-functions.js';
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
  /** The functions to generate beside those of methods; default all. Functions that these call are generated too. */
  readonly selection?: CodecSelection;
}

export interface GeneratedCodecs {
  readonly text: string;
  /** Functions that the module imports. */
  readonly imported: CodecSelection;
}

/** Generates codecs of types, and those of all methods of a manifest, as TypeScript. Deterministic. */
export function generateCodecs(module: CodecTableModule): GeneratedCodecs {
  const { manifest, others, stem, typesName, selection } = module;
  const writer = new CodecsWriter(module, (name) => others?.declares(name) !== true);
  const definitions = [...manifest.structs, ...manifest.enums];
  const names = definitions.map(({ name }) => name);
  writer.add(selection ?? Object.fromEntries(DIRECTIONS.map((direction) => [direction, names])));
  const interfaces = manifest.interfaces.map((definition) => writer.methods(definition));
  const functions = writer.functions();
  const rows = definitions.map((definition) => writer.row(definition)).join('');
  const table = `${stem}Functions`;
  const isWhole = selection === undefined;
  const types = isWhole ? typesName : `${typesName}, typeof ${table}`;
  const tableType = isWhole ? `: $FunctionTable<${typesName}>` : '';
  const codecsType = isWhole ? 'CodecTable' : 'BoundCodecs';
  writer.codecImports.add(`type ${codecsType}`).add('bindCodecs');
  if (isWhole) writer.codecImports.add('type FunctionTable');
  writer.typeImport(module.typesFrom, typesName);
  const tables = `/** Functions ${isWhole ? 'of every struct and enum' : 'of structs and enums'}, by name; the input of \`bindCodecs\`. */
export const ${table}${tableType} = {
${rows}};

/** JSON and Borsh codecs by type name. */
export const ${stem}Codecs: $${codecsType}<${types}> = /* @__PURE__ */ $bindCodecs<${types}>(${table});
`;
  return { text: writer.text([...functions, tables, ...interfaces]), imported: writer.imported };
}

/** Generates only the selected functions, for programs that need no more. Deterministic. */
export function generateSelectedCodecs(module: CodecsModule, selection: CodecSelection): string {
  const writer = new CodecsWriter(module, () => true);
  writer.add(selection);
  return writer.text(writer.functions());
}

/** Collects the functions of a module and its imports. */
class CodecsWriter {
  readonly #directions: { readonly [D in Direction]: CodecFunctions };
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
    this.#directions = {
      readBorsh: new BorshReaders(scope),
      writeBorsh: new BorshWriters(scope),
      readJson: new JsonReaders(scope),
      writeJson: new JsonWriters(scope),
    };
  }

  get imported(): CodecSelection {
    return this.#imports.functions;
  }

  add(selection: CodecSelection): void {
    for (const direction of DIRECTIONS) {
      for (const name of selection[direction] ?? []) this.#directions[direction].addType(name);
    }
  }

  typeImport(from: string, name: string): void {
    const names = this.#typeImports.get(from) ?? new Set();
    this.#typeImports.set(from, names.add(name));
  }

  /** The row of a struct or enum in the table of functions, once {@link functions} has added them all. */
  row(definition: StructDefinition | EnumDefinition): string {
    const members = (['writeBorsh', 'readBorsh', 'writeJson', 'readJson'] as const).flatMap((direction) => {
      const name = this.#directions[direction].nameOf(definition);
      return name === undefined ? [] : [`${direction}: ${name}`];
    });
    return members.length === 0 ? '' : `  ${definition.name}: { ${members.join(', ')} },\n`;
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

  /** The functions of each direction. */
  functions(): readonly string[] {
    const parts = DIRECTIONS.map((direction) => this.#directions[direction].text());
    const [, borshWrites] = parts;
    if (borshWrites !== '') {
      this.codecImports.add('borshWriter').add('type BorshWriter');
      parts.unshift('const w: $BorshWriter = $borshWriter;\n');
    }
    return parts.filter((text) => text !== '');
  }

  text(parts: readonly string[]): string {
    const body = parts.join('\n');
    return `${this.#head(body)}\n\n${body}`;
  }

  #method(methodsName: string, method: MethodDefinition) {
    const params = this.#params(methodsName, method);
    const result =
      method.returns === undefined
        ? { readResult: '$readJsonNothing', writeResult: '$writeJsonNothing' }
        : {
            readResult: this.#directions.readJson.addType(method.returns),
            writeResult: this.#directions.writeJson.addType(method.returns),
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
    const { readJson, writeJson } = this.#directions;
    const sole = this.#types.soleStruct(method.params);
    if (sole !== undefined) return { read: readJson.addType(sole.name), write: writeJson.addType(sole.name) };
    const record = { name: `parameters of ${method.name}`, fields: method.params };
    const hint = `ParamsOf_${method.name}`;
    const valueType = `${methodsName}['${method.name}']['params']`;
    return {
      read: readJson.addRecord(record, hint, valueType),
      write: writeJson.addRecord(record, hint, valueType),
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
      const typeNames = [...names].map((name) => `type ${name}`);
      lines.push(importLine(typeNames, from));
    }
    const functions = DIRECTIONS.flatMap((direction) =>
      [...this.#imports.functions[direction]].map((name) => direction + name),
    );
    if (others !== undefined && functions.length > 0) lines.push(importLine(functions, others.from));
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

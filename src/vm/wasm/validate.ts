import { BinaryReader } from '../../wasm/binary-reader.js';
import { decodeModule } from '../../wasm/decode.js';
import {
  type ExportKind,
  type FunctionImport,
  type FunctionType,
  typeOfFunction,
  type WasmModule,
} from '../../wasm/module.js';
import { ModuleRefused, type RefusalRule } from '../../wasm/module-refused.js';
import { I32 } from '../../wasm/opcodes.js';
import { type EngineLimits, PAGE_BYTES } from './engine-limits.js';
import { HOST_FUNCTIONS, HOST_MODULE } from './host-interface.js';
import { moduleCode } from './machine-code-bound.js';
import { ENTRY_POINTS, type EntryPoint, RESERVED_PREFIX } from './metered-interface.js';
import { type BodyFacts, BodyValidator } from './validate-body.js';

/** A `contract` must export its memory and entry points; for `any` module, only the rules of the subset apply. */
export type ModuleProfile = 'contract' | 'any';

export interface ValidatedModule {
  readonly module: WasmModule;
  /** Facts of each defined function, in order. */
  readonly facts: readonly BodyFacts[];
  /** Function index of each entry point that the module exports. */
  readonly entryPoints: ReadonlyMap<EntryPoint, number>;
  /** Upper bound of the module's compiled machine code, in bytes. */
  readonly machineCode: number;
}

/**
 * Checks a module against the deterministic subset: WebAssembly 1.0 with sign extension, multiple values, mutable
 * globals and bulk memory, but without floating point or anything else that could differ between machines.
 * @throws ModuleRefused naming the first broken rule, and where
 */
export function validateModule(
  bytes: Uint8Array,
  limits: EngineLimits,
  profile: ModuleProfile,
): ValidatedModule {
  const module = decodeModule(bytes, limits);
  for (const entry of module.imports) checkImport(module, entry);
  checkExports(module);
  checkSegments(module);
  const facts = checkBodies(module, limits);
  const machineCode = moduleCode(module, facts);
  if (machineCode > limits.machineCode) {
    throw new ModuleRefused(
      'limit',
      `the module may become ${machineCode} bytes of machine code; the limit is ${limits.machineCode}`,
      { offset: bytes.length },
    );
  }
  const entryPoints = profile === 'contract' ? findEntryPoints(module) : new Map<EntryPoint, number>();
  return { module, facts, entryPoints, machineCode };
}

function checkImport(module: WasmModule, entry: FunctionImport): void {
  const place = { offset: entry.offset };
  const known = entry.module === HOST_MODULE ? HOST_FUNCTIONS.get(entry.name) : undefined;
  if (known === undefined) {
    const name = `${JSON.stringify(entry.module)}.${JSON.stringify(entry.name)}`;
    throw new ModuleRefused('import', `${name} is not in the host interface`, place);
  }
  const type = module.types[entry.type];
  if (type === undefined || describeType(type) !== describeType(known)) {
    const got = type === undefined ? 'none' : describeType(type);
    throw new ModuleRefused('import', `${entry.name} has type ${describeType(known)}, got ${got}`, place);
  }
}

function checkExports(module: WasmModule): void {
  const sizes: Readonly<Record<ExportKind, number>> = {
    function: module.imports.length + module.functions.length,
    table: module.table === undefined ? 0 : 1,
    memory: module.memory === undefined ? 0 : 1,
    global: module.globals.length,
  };
  const names = new Set<string>();
  for (const { name, kind, index, offset } of module.exports) {
    const shown = JSON.stringify(name);
    const refusal = (rule: RefusalRule, detail: string) => new ModuleRefused(rule, detail, { offset });
    if (index >= sizes[kind]) throw refusal('unknown_index', `${shown}: there is no ${kind} ${index}`);
    if (names.has(name)) throw refusal('export', `${shown} is exported twice`);
    if (name.startsWith(RESERVED_PREFIX)) {
      throw refusal('export', `${shown}: names with this prefix are reserved`);
    }
    names.add(name);
  }
}

/** Segment offsets are constant and the sizes of memory and table are known, so that bounds are checked here. */
function checkSegments({ bytes, imports, functions, elements, data, table, memory }: WasmModule): void {
  const refusal = (rule: RefusalRule, detail: string) =>
    new ModuleRefused(rule, detail, { offset: bytes.length });
  const known = imports.length + functions.length;
  for (const [index, { at, functions: entries }] of elements.entries()) {
    const segment = `element segment ${index}`;
    const unknown = entries.find((entry) => entry !== undefined && entry >= known);
    if (unknown !== undefined) throw refusal('unknown_index', `${segment}: there is no function ${unknown}`);
    if (at === undefined) continue;
    if (table === undefined) throw refusal('unknown_index', `${segment}: there is no table`);
    if (at + entries.length > table.min)
      throw refusal('segment_out_of_bounds', `${segment} leaves the table`);
  }
  for (const [index, { at, bytes: contents }] of data.entries()) {
    const segment = `data segment ${index}`;
    if (at === undefined) continue;
    if (memory === undefined) throw refusal('unknown_index', `${segment}: there is no memory`);
    if (at + contents.length > memory.min * PAGE_BYTES) {
      throw refusal('segment_out_of_bounds', `${segment} leaves the memory`);
    }
  }
}

function checkBodies(module: WasmModule, limits: EngineLimits): BodyFacts[] {
  const reader = new BinaryReader(module.bytes);
  const validator = new BodyValidator(module, reader, limits);
  return module.bodies.map((body, defined) => {
    const index = module.imports.length + defined;
    reader.functionIndex = index;
    const type = typeOfFunction(module, index);
    if (type === undefined) throw reader.refusal('unknown_index', 'the function has no type', body.start);
    try {
      return validator.validate(body, type);
    } catch (error) {
      throw withFunctionName(error, module);
    }
  });
}

function withFunctionName(error: unknown, module: WasmModule): unknown {
  if (!(error instanceof ModuleRefused) || error.place.functionIndex === undefined) return error;
  const functionName = module.functionNames.get(error.place.functionIndex);
  return functionName === undefined
    ? error
    : new ModuleRefused(error.rule, error.detail, { ...error.place, functionName });
}

function findEntryPoints(module: WasmModule): ReadonlyMap<EntryPoint, number> {
  const end = { offset: module.bytes.length };
  const exported = new Map(module.exports.map((entry) => [entry.name, entry]));
  const memory = exported.get('memory');
  if (memory?.kind !== 'memory') {
    throw new ModuleRefused('export', 'a contract exports its memory as "memory"', end);
  }
  const found = new Map<EntryPoint, number>();
  for (const name of ENTRY_POINTS) {
    const entry = exported.get(name);
    if (entry === undefined) continue;
    const type = entry.kind === 'function' ? typeOfFunction(module, entry.index) : undefined;
    if (type === undefined || describeType(type) !== ENTRY_TYPE) {
      const got = type === undefined ? `a ${entry.kind}` : describeType(type);
      const detail = `${name} must be a function of type ${ENTRY_TYPE}, got ${got}`;
      throw new ModuleRefused('export', detail, { offset: entry.offset });
    }
    found.set(name, entry.index);
  }
  if (!found.has('invoke')) {
    throw new ModuleRefused('export', `a contract exports invoke, a function of type ${ENTRY_TYPE}`, end);
  }
  return found;
}

const ENTRY_TYPE = describeType({ params: [], results: [I32] });

/** Formats a type for messages and comparison: `(i32, i64) → i32`. */
function describeType(type: FunctionType): string {
  const list = (types: readonly number[]): string =>
    types.map((value) => (value === I32 ? 'i32' : 'i64')).join(', ');
  return `(${list(type.params)}) → (${list(type.results)})`;
}

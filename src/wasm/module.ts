/** A decoded module of the subset. Code and data are not copied. */
export interface WasmModule {
  readonly bytes: Uint8Array;
  readonly types: readonly FunctionType[];
  readonly imports: readonly FunctionImport[];
  /** Type index of each function that the module defines. Function indices count imports first. */
  readonly functions: readonly number[];
  readonly table: SizeLimits | undefined;
  readonly memory: SizeLimits | undefined;
  readonly globals: readonly GlobalDefinition[];
  readonly exports: readonly ModuleExport[];
  readonly elements: readonly ElementSegment[];
  readonly bodies: readonly FunctionBody[];
  readonly data: readonly DataSegment[];
  /** The count in the data count section; without it, code cannot refer to data segments. */
  readonly dataCount: number | undefined;
  /** Names from the `name` section by function index; empty if it is missing or damaged. */
  readonly functionNames: ReadonlyMap<number, string>;
}

export interface FunctionType {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

export interface FunctionImport {
  readonly module: string;
  readonly name: string;
  readonly type: number;
  readonly offset: number;
}

/** Limits of a table in entries, or of a memory in pages of 64 KiB. */
export interface SizeLimits {
  readonly min: number;
  readonly max: number | undefined;
}

export interface GlobalDefinition {
  readonly type: number;
  readonly mutable: boolean;
  readonly initial: bigint;
}

export type ExportKind = 'function' | 'table' | 'memory' | 'global';

export interface ModuleExport {
  readonly name: string;
  readonly kind: ExportKind;
  readonly index: number;
  readonly offset: number;
}

export interface ElementSegment {
  /** Offset in the table of an active segment; undefined for a passive one. */
  readonly at: number | undefined;
  /** Function indices; undefined means a null reference. */
  readonly functions: readonly (number | undefined)[];
}

export interface DataSegment {
  /** Unsigned memory address of an active segment; undefined for a passive one. */
  readonly at: number | undefined;
  readonly bytes: Uint8Array;
}

export interface FunctionBody {
  /** Offsets in the module of the first instruction and of the byte after the last. */
  readonly start: number;
  readonly end: number;
  /** Types of the parameters, then of the locals. */
  readonly locals: readonly number[];
}

/** The type of a function by index, imports first. */
export function typeOfFunction(module: WasmModule, index: number): FunctionType | undefined {
  const type = module.imports[index]?.type ?? module.functions[index - module.imports.length];
  return type === undefined ? undefined : module.types[type];
}

/** Limits that {@link decodeModule} enforces. */
export interface ModuleLimits {
  /** Maximum module size in bytes. */
  readonly codeBytes: number;
  /** Maximum memory of one instance, in pages of 64 KiB. */
  readonly memoryPages: number;
  readonly tableEntries: number;
  readonly types: number;
  readonly functions: number;
  readonly globals: number;
  readonly exports: number;
  /** Maximum number of data segments; also of element segments. */
  readonly segments: number;
  /** Maximum number of parameters of a type; also of results. */
  readonly parameters: number;
  /** Whether any function type is allowed: see `decode-types.ts`. */
  readonly anyTypes: boolean;
  /** Maximum parameters and locals of one function. */
  readonly locals: number;
  /** Maximum parameters and locals of all functions together. */
  readonly moduleLocals: number;
}

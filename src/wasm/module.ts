/** A decoded module of the subset: what the sections say, without any copy of code or data. */
export interface WasmModule {
  readonly bytes: Uint8Array;
  readonly types: readonly FunctionType[];
  readonly imports: readonly FunctionImport[];
  /** Type index of each function that the module defines; function indices count the imports first. */
  readonly functions: readonly number[];
  readonly table: TableType | undefined;
  readonly memory: MemoryType | undefined;
  readonly globals: readonly GlobalDefinition[];
  readonly exports: readonly ModuleExport[];
  readonly elements: readonly ElementSegment[];
  readonly bodies: readonly FunctionBody[];
  readonly data: readonly DataSegment[];
  /** What the data count section announces; without it, code cannot name data segments. */
  readonly dataCount: number | undefined;
  /** From the `name` section, by function index; empty where there is none or it is damaged. */
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

/** Entries. */
export interface TableType {
  readonly min: number;
  readonly max: number | undefined;
}

/** Pages of 64 KiB. */
export interface MemoryType {
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
  /** Where an active segment goes; undefined in a passive one. */
  readonly at: number | undefined;
  /** Function indices; undefined is a null reference. */
  readonly functions: readonly (number | undefined)[];
}

export interface DataSegment {
  /** Where an active segment goes, an unsigned address; undefined in a passive one. */
  readonly at: number | undefined;
  readonly bytes: Uint8Array;
}

export interface FunctionBody {
  /** Offsets in the module of the first instruction and of the byte after the last. */
  readonly start: number;
  readonly end: number;
  /** Types of the parameters and then of the locals. */
  readonly locals: readonly number[];
}

/** The type of a function by its index, imports first. */
export function typeOfFunction(module: WasmModule, index: number): FunctionType | undefined {
  const type = module.imports[index]?.type ?? module.functions[index - module.imports.length];
  return type === undefined ? undefined : module.types[type];
}

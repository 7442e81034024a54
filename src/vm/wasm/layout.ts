import type { BinaryWriter } from '../../wasm/binary-writer.js';
import type { CodeWriter } from '../../wasm/code-writer.js';
import type { FunctionType, WasmModule } from '../../wasm/module.js';
import { EMPTY_BLOCK } from '../../wasm/opcodes.js';
import { type HostFunctionName, hostFunction } from './host-interface.js';

/** A function that the instrumenter adds. */
export interface AddedFunction {
  readonly type: number;
  /** Types of its locals, excluding parameters. */
  readonly locals: readonly number[];
  readonly code: CodeWriter;
}

/**
 * The index spaces of the resulting module: the original's, with the added types, globals and functions at the end.
 * Each host function is imported once, however often the original does so, followed by the observer's imports.
 */
export class Layout {
  /** Imported host functions, each once, in order of first mention. */
  readonly hostImports: readonly HostFunctionName[];
  readonly gasGlobal: number;
  readonly stackGlobal: number;
  readonly pagesGlobal: number;
  /** Index of the global with the bytes of stack that the call may still use but has not paid for. */
  readonly unpaidStackGlobal: number;
  /** Index of the global (i64) with the surcharge on each memory access; undefined if the surcharge is constant. */
  readonly accessGlobal: number | undefined;
  readonly types: FunctionType[];
  readonly #typeIndices = new Map<string, number>();
  readonly added: AddedFunction[] = [];
  /** Index of the wrapper that replaces each host function. */
  readonly #wrappers = new Map<string, number>();

  constructor(
    readonly module: WasmModule,
    /** Number of imports added for the observer. */
    readonly addedImports: number,
    changesAccessGas: boolean,
  ) {
    this.hostImports = [...new Set(module.imports.map(({ name }) => hostFunction(name).name))];
    this.gasGlobal = module.globals.length;
    this.stackGlobal = this.gasGlobal + 1;
    this.pagesGlobal = this.gasGlobal + 2;
    this.unpaidStackGlobal = this.gasGlobal + 3;
    this.accessGlobal = changesAccessGas ? this.gasGlobal + 4 : undefined;
    this.types = [...module.types];
    for (const [index, type] of module.types.entries()) {
      this.#typeIndices.set(typeKey(type.params, type.results), index);
    }
  }

  /** Shift of the indices of functions that the module defines; negative if imports were merged. */
  get functionShift(): number {
    return this.hostImports.length + this.addedImports - this.module.imports.length;
  }

  typeIndex(params: readonly number[], results: readonly number[]): number {
    const key = typeKey(params, results);
    const known = this.#typeIndices.get(key);
    if (known !== undefined) return known;
    const index = this.types.push({ params, results }) - 1;
    this.#typeIndices.set(key, index);
    return index;
  }

  add(
    params: readonly number[],
    results: readonly number[],
    locals: readonly number[],
    code: CodeWriter,
  ): number {
    const type = this.typeIndex(params, results);
    const defined = this.added.push({ type, locals, code }) - 1;
    return this.hostImports.length + this.addedImports + this.module.functions.length + defined;
  }

  wrap(host: HostFunctionName, wrapper: number): void {
    this.#wrappers.set(host, wrapper);
  }

  /** Returns the new index of a function of the original module. */
  functionIndex(index: number): number {
    const imported = this.module.imports[index];
    if (imported === undefined) return index + this.functionShift;
    const wrapper = this.#wrappers.get(imported.name);
    if (wrapper === undefined) throw new TypeError(`${imported.name} has no wrapper`);
    return wrapper;
  }

  /** Writes the type of a block without parameters. */
  writeBlockType(writer: BinaryWriter, results: readonly number[]): void {
    if (results.length > 1) writer.s33(this.typeIndex([], results));
    else writer.byte(results[0] ?? EMPTY_BLOCK);
  }
}

function typeKey(params: readonly number[], results: readonly number[]): string {
  return `${params.join()}:${results.join()}`;
}

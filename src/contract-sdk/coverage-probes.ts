import type { EngineLimits } from '../vm/wasm/engine-limits.js';
import { BinaryReader } from '../wasm/binary-reader.js';
import { BinaryWriter } from '../wasm/binary-writer.js';
import { CodeWriter } from '../wasm/code-writer.js';
import { decodeModule } from '../wasm/decode.js';
import { InstructionReader } from '../wasm/instruction-reader.js';
import { type FunctionBody, typeOfFunction, type WasmModule } from '../wasm/module.js';
import { OP } from '../wasm/opcodes.js';
import { moduleOf, SECTION, sectionsOf, writeLocals, writeTypes } from '../wasm/sections.js';
import { isOwnSource, SourceLines } from './source-lines.js';

/** A line of a contract's own sources that has code. */
export interface CoverableLine {
  readonly source: string;
  /** From 1. */
  readonly line: number;
}

export interface ProbedModule {
  readonly code: Uint8Array;
  /** Index of the function of the first probe; the others follow. */
  readonly firstProbe: number;
  /** Line of each probe. */
  readonly lines: readonly CoverableLine[];
}

/** Instructions after which the next one may be reached from elsewhere, or not at all. */
const SPLITS: ReadonlySet<number> = new Set([
  OP.block,
  OP.loop,
  OP.if,
  OP.else,
  OP.end,
  OP.br,
  OP.brIf,
  OP.brTable,
  OP.return,
  OP.unreachable,
]);

/**
 * Adds an empty function for each line of the contract's own sources, and calls it wherever the line's code begins.
 * Observed code reports these calls. Existing functions keep their indices.
 * @throws ModuleRefused, ContractError `bad_source_map`
 */
export function addProbes(code: Uint8Array, sourceMap: string, limits: EngineLimits): ProbedModule {
  return new Prober(decodeModule(code, limits), new SourceLines(sourceMap), limits).run();
}

class Prober {
  readonly #module: WasmModule;
  readonly #limits: EngineLimits;
  readonly #firstProbe: number;
  readonly #lineAt = new Map<number, CoverableLine>();
  readonly #lines: CoverableLine[] = [];
  readonly #probeByLine = new Map<string, number>();

  constructor(module: WasmModule, sources: SourceLines, limits: EngineLimits) {
    this.#module = module;
    this.#limits = limits;
    this.#firstProbe = module.imports.length + module.functions.length;
    for (const [offset, { source, line }] of sources.entries()) {
      if (isOwnSource(source)) this.#lineAt.set(offset, { source, line });
    }
  }

  run(): ProbedModule {
    const { types, functions, bodies, bytes } = this.#module;
    const rewritten = bodies.map((body, defined) => this.#rewrite(body, defined));
    const known = types.findIndex(({ params, results }) => params.length + results.length === 0);
    const probeType = known === -1 ? types.length : known;
    const contents = new Map<number, Uint8Array>();
    if (known === -1) {
      const writer = new BinaryWriter();
      writeTypes(writer, [...types, { params: [], results: [] }]);
      contents.set(SECTION.types, writer.finish());
    }
    const declared = new BinaryWriter().u32(functions.length + this.#lines.length);
    for (const type of functions) declared.u32(type);
    for (const _ of this.#lines) declared.u32(probeType);
    contents.set(SECTION.functions, declared.finish());
    const all = new BinaryWriter(bytes.length * 2).u32(rewritten.length + this.#lines.length);
    for (const body of rewritten) all.sized(body);
    for (const _ of this.#lines) all.sized(Uint8Array.of(0, OP.end));
    contents.set(SECTION.code, all.finish());
    const sections = sectionsOf(bytes).map((section) => ({
      id: section.id,
      contents: contents.get(section.id) ?? section.contents,
    }));
    return { code: moduleOf(sections), firstProbe: this.#firstProbe, lines: this.#lines };
  }

  #rewrite({ start, end, locals }: FunctionBody, defined: number): Uint8Array {
    const { bytes, imports } = this.#module;
    const parameters = typeOfFunction(this.#module, imports.length + defined)?.params.length ?? 0;
    const out = new CodeWriter((end - start) * 2);
    writeLocals(out, locals.slice(parameters));
    const instructions = new InstructionReader(
      new BinaryReader(bytes, start, end),
      this.#limits.branchTargets,
    );
    let last: string | undefined;
    while (!instructions.reader.atEnd) {
      instructions.next();
      const line = this.#lineAt.get(instructions.start);
      if (line !== undefined) {
        const key = `${line.line} ${line.source}`;
        if (key !== last) out.call(this.#probeOf(key, line));
        last = key;
      }
      out.bytes(instructions.encoded());
      if (SPLITS.has(instructions.opcode)) last = undefined;
    }
    return out.finish();
  }

  #probeOf(key: string, line: CoverableLine): number {
    const known = this.#probeByLine.get(key);
    if (known !== undefined) return known;
    const probe = this.#firstProbe + this.#lines.push(line) - 1;
    this.#probeByLine.set(key, probe);
    return probe;
  }
}

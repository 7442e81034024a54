import type { EngineLimits } from '../vm/wasm/engine-limits.js';
import { BinaryReader } from '../wasm/binary-reader.js';
import { BinaryWriter } from '../wasm/binary-writer.js';
import { CodeWriter } from '../wasm/code-writer.js';
import { decodeModule } from '../wasm/decode.js';
import { InstructionReader } from '../wasm/instruction-reader.js';
import { typeOfFunction, type WasmModule } from '../wasm/module.js';
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
  ...[OP.block, OP.loop, OP.if, OP.else, OP.end, OP.br, OP.brIf, OP.brTable, OP.return, OP.unreachable],
]);

/**
 * Adds an empty function for each line of the contract's own sources, and calls it wherever the line's code begins.
 * Observed code reports these calls. Existing functions keep their indices.
 * @throws ModuleRefused, ContractError `bad_source_map`
 */
export function addProbes(code: Uint8Array, sourceMap: string, limits: EngineLimits): ProbedModule {
  const module = decodeModule(code, limits);
  const { functions, bodies, bytes, imports } = module;
  const firstProbe = imports.length + functions.length;
  const lines: CoverableLine[] = [];
  const probes = new Map<string, number>();
  const probeOf = (key: string, line: CoverableLine): number => {
    const probe = probes.get(key) ?? firstProbe + lines.push(line) - 1;
    probes.set(key, probe);
    return probe;
  };
  const lineAt = new Map<number, CoverableLine>();
  for (const [offset, { source, line }] of new SourceLines(sourceMap).entries()) {
    if (isOwnSource(source)) lineAt.set(offset, { source, line });
  }
  const rewritten = bodies.map(({ start, end, locals }, defined) => {
    const parameters = typeOfFunction(module, imports.length + defined)?.params.length ?? 0;
    const out = new CodeWriter((end - start) * 2);
    writeLocals(out, locals.slice(parameters));
    const instructions = new InstructionReader(new BinaryReader(bytes, start, end), limits.branchTargets);
    let last: string | undefined;
    while (!instructions.reader.atEnd) {
      instructions.next();
      const line = lineAt.get(instructions.start);
      if (line !== undefined) {
        const key = `${line.line} ${line.source}`;
        if (key !== last) out.call(probeOf(key, line));
        last = key;
      }
      out.bytes(instructions.encoded());
      if (SPLITS.has(instructions.opcode)) last = undefined;
    }
    return out.finish();
  });
  const contents = probedSections(module, rewritten, lines.length);
  const sections = sectionsOf(bytes).map((section) => ({
    id: section.id,
    contents: contents.get(section.id) ?? section.contents,
  }));
  return { code: moduleOf(sections), firstProbe, lines };
}

/** The sections that change: types, functions and code. */
function probedSections(
  { types, functions, bytes }: WasmModule,
  bodies: readonly Uint8Array[],
  probes: number,
): ReadonlyMap<number, Uint8Array> {
  const known = types.findIndex(({ params, results }) => params.length + results.length === 0);
  const probeType = known === -1 ? types.length : known;
  const contents = new Map<number, Uint8Array>();
  if (known === -1) {
    const writer = new BinaryWriter();
    writeTypes(writer, [...types, { params: [], results: [] }]);
    contents.set(SECTION.types, writer.finish());
  }
  const declared = new BinaryWriter().u32(functions.length + probes);
  for (const type of functions) declared.u32(type);
  for (let probe = 0; probe < probes; probe++) declared.u32(probeType);
  contents.set(SECTION.functions, declared.finish());
  const all = new BinaryWriter(bytes.length * 2).u32(bodies.length + probes);
  for (const body of bodies) all.sized(body);
  for (let probe = 0; probe < probes; probe++) all.sized(Uint8Array.of(0, OP.end));
  contents.set(SECTION.code, all.finish());
  return contents;
}

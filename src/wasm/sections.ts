import { BinaryReader } from './binary-reader.js';
import { BinaryWriter } from './binary-writer.js';
import type { FunctionType } from './module.js';

/** Magic number and version of a module. */
export const MODULE_HEADER = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

/** Ids of sections, except those that only the decoder reads. */
export const SECTION = Object.freeze({
  custom: 0,
  types: 1,
  imports: 2,
  functions: 3,
  tables: 4,
  memories: 5,
  globals: 6,
  exports: 7,
  elements: 9,
  code: 10,
  data: 11,
  dataCount: 12,
});

/** A section of a module. */
export interface WasmSection {
  readonly id: number;
  readonly contents: Uint8Array;
  /** Offset of the contents in the module. */
  readonly offset: number;
}

/** Splits a module into its sections. @throws ModuleRefused if one is longer than the module */
export function sectionsOf(code: Uint8Array): readonly WasmSection[] {
  const reader = new BinaryReader(code, MODULE_HEADER.length);
  const sections: WasmSection[] = [];
  while (!reader.atEnd) {
    const id = reader.byte();
    const length = reader.u32();
    sections.push({ id, offset: reader.offset, contents: reader.take(length) });
  }
  return sections;
}

/** Makes a module of sections. */
export function moduleOf(sections: readonly Omit<WasmSection, 'offset'>[]): Uint8Array {
  const out = new BinaryWriter(65_536).bytes(MODULE_HEADER);
  for (const { id, contents } of sections) out.byte(id).sized(contents);
  return out.finish();
}

export function writeSection(out: BinaryWriter, id: number, write: (contents: BinaryWriter) => void): void {
  const contents = new BinaryWriter(1024);
  write(contents);
  out.byte(id).sized(contents.view());
}

/** Writes the contents of a section of types. */
export function writeTypes(out: BinaryWriter, types: readonly FunctionType[]): void {
  out.u32(types.length);
  for (const { params, results } of types) {
    out.byte(0x60).sized(Uint8Array.from(params)).sized(Uint8Array.from(results));
  }
}

/** Writes the locals of a body, grouped into runs of one type. */
export function writeLocals(out: BinaryWriter, types: readonly number[]): void {
  const runs: { type: number; count: number }[] = [];
  for (const type of types) {
    const last = runs.at(-1);
    if (last?.type === type) last.count += 1;
    else runs.push({ type, count: 1 });
  }
  out.u32(runs.length);
  for (const { type, count } of runs) out.u32(count).byte(type);
}

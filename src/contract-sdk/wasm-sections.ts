import { BinaryReader } from '../wasm/binary-reader.js';
import { BinaryWriter } from '../wasm/binary-writer.js';

const HEADER_BYTES = 8;
const CODE_SECTION = 10;
const SOURCE_MAPPING_URL = 'sourceMappingURL';

/** A section of a module. */
export interface WasmSection {
  readonly id: number;
  readonly contents: Uint8Array;
  /** Offset of the contents in the module. */
  readonly offset: number;
}

/** Splits a module into its sections. @throws ModuleRefused if one is longer than the module */
export function sectionsOf(code: Uint8Array): readonly WasmSection[] {
  const reader = new BinaryReader(code, HEADER_BYTES);
  const sections: WasmSection[] = [];
  while (!reader.atEnd) {
    const id = reader.byte();
    const length = reader.u32();
    sections.push({ id, offset: reader.offset, contents: reader.take(length) });
  }
  return sections;
}

/** Makes a module of sections. */
export function moduleOf(
  code: Uint8Array,
  sections: readonly Pick<WasmSection, 'id' | 'contents'>[],
): Uint8Array {
  const out = new BinaryWriter(code.length);
  out.bytes(code.subarray(0, HEADER_BYTES));
  for (const { id, contents } of sections) out.byte(id).sized(contents);
  return out.finish();
}

/** Offset of the contents of the code section; 0 if there is none. */
export function codeSectionOffset(code: Uint8Array): number {
  return sectionsOf(code).find(({ id }) => id === CODE_SECTION)?.offset ?? 0;
}

/** Removes the section with the name of the source map: contracts cannot have one. */
export function withoutSourceMappingUrl(code: Uint8Array): Uint8Array {
  return moduleOf(
    code,
    sectionsOf(code).filter(
      ({ id, contents }) =>
        id !== 0 || new BinaryReader(contents).name(contents.length) !== SOURCE_MAPPING_URL,
    ),
  );
}

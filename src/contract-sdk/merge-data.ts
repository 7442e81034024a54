import { LIMITS } from '../vm/wasm/engine-limits.js';
import { BinaryWriter } from '../wasm/binary-writer.js';
import { decodeModule } from '../wasm/decode.js';
import { OP } from '../wasm/opcodes.js';
import { moduleOf, SECTION, sectionsOf } from '../wasm/sections.js';

/** Maximum gap, in zero bytes, at which one larger segment is cheaper to load than two. */
const MAX_PADDING = 256;

interface Segment {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * Merges nearby active data segments of a module: compilers emit one for each constant, and every contract call pays
 * for each.
 * @returns the same module if it has passive segments
 * @throws ModuleRefused if the module is malformed
 */
export function mergeDataSegments(code: Uint8Array): Uint8Array {
  const segments: Segment[] = [];
  for (const { at, bytes } of decodeModule(code, LIMITS).data) {
    if (at === undefined) return code;
    segments.push({ at, bytes });
  }
  const data = dataSection(merge(segments));
  return moduleOf(
    sectionsOf(code)
      .filter(({ id }) => id !== SECTION.dataCount)
      .map(({ id, contents }) => ({ id, contents: id === SECTION.data ? data : contents })),
  );
}

function merge(segments: readonly Segment[]): readonly Segment[] {
  const merged: { at: number; parts: Segment[]; end: number }[] = [];
  for (const segment of segments.toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    const end = segment.at + segment.bytes.length;
    // The order of overlapping segments decides the contents of memory.
    if (last !== undefined && segment.at < last.end) return segments;
    if (last !== undefined && segment.at - last.end <= MAX_PADDING) {
      last.parts.push(segment);
      last.end = end;
    } else merged.push({ at: segment.at, parts: [segment], end });
  }
  return merged.map(({ at, parts, end }) => {
    const bytes = new Uint8Array(end - at);
    for (const part of parts) bytes.set(part.bytes, part.at - at);
    return { at, bytes };
  });
}

function dataSection(segments: readonly Segment[]): Uint8Array {
  const out = new BinaryWriter().u32(segments.length);
  for (const { at, bytes } of segments) {
    out.u32(0).byte(OP.i32Const).s64(BigInt(at)).byte(OP.end).sized(bytes);
  }
  return out.finish();
}

/**
 * A list of byte strings in one buffer, so that a block is sent to the proof worker in one piece: u32le lengths, one
 * per entry (0xffffffff for an absent one), then the concatenated bytes.
 */
import { ProofError } from './proof-error.js';

const ABSENT = 0xffff_ffff;

/** Packs a list into a new, transferable buffer. */
export function packByteList(entries: readonly (Uint8Array | undefined)[]): Uint8Array<ArrayBuffer> {
  let total = entries.length * 4;
  for (const entry of entries) total += entry?.length ?? 0;
  const packed = new Uint8Array(total);
  const lengths = new DataView(packed.buffer);
  let at = entries.length * 4;
  let index = 0;
  for (const entry of entries) {
    lengths.setUint32(index++ * 4, entry === undefined ? ABSENT : entry.length, true);
    if (entry === undefined) continue;
    packed.set(entry, at);
    at += entry.length;
  }
  return packed;
}

/** Unpacks the `count` entries of a packed list, as views into it. */
export function unpackByteList(packed: Uint8Array, count: number): (Uint8Array | undefined)[] {
  const lengths = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const entries: (Uint8Array | undefined)[] = [];
  let at = count * 4;
  for (let index = 0; index < count; index++) {
    const length = lengths.getUint32(index * 4, true);
    if (length === ABSENT) {
      entries.push(undefined);
      continue;
    }
    entries.push(packed.subarray(at, at + length));
    at += length;
  }
  if (at !== packed.length) {
    throw new ProofError('invalid_input', `packed list: expected ${at} bytes, got ${packed.length}`);
  }
  return entries;
}

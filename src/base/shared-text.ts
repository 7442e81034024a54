/** Bytes of a text in memory that threads share. */
export interface SharedBytes {
  readonly bytes: Uint8Array;
  /** Whether all characters are below 128, so that Latin-1, which is cheaper to read, gives the same text. */
  readonly isAscii: boolean;
}

/** A text on its way between threads. A long one is in shared memory, so that a thread that relays it copies nothing. */
export type CrossingText = string | SharedBytes;

/** Longer texts are shared. Below, a copy costs less than the memory. */
const MAX_COPIED = 16 * 1024;

export function toCrossing(text: string): CrossingText {
  if (text.length <= MAX_COPIED) return text;
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text, 'utf8');
  return { bytes, isAscii: bytes.length === text.length };
}

export function fromCrossing(text: CrossingText): string {
  if (typeof text === 'string') return text;
  const { buffer, byteOffset, byteLength } = text.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(text.isAscii ? 'latin1' : 'utf8');
}

/** Memory that a text takes while it waits, in bytes. */
export function crossingBytes(text: CrossingText): number {
  return typeof text === 'string' ? text.length : text.bytes.length;
}

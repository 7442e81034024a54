/** A text in UTF-8, in memory that threads share. */
export interface SharedBytes {
  readonly bytes: Uint8Array;
  /** Whether all characters are below 128, so that Latin-1, which is cheaper to read, gives the same text. */
  readonly isAscii: boolean;
}

/** A text as threads post it to each other. A long one is in shared memory, so that a thread that relays it copies nothing. */
export type SharedText = string | SharedBytes;

/** Longer texts are shared. Below, a copy costs less than the memory. */
const MAX_COPIED = 16 * 1024;

/** Makes a text ready to be posted. @param text without unpaired surrogates, which UTF-8 cannot express */
export function shareText(text: string): SharedText {
  if (text.length <= MAX_COPIED) return text;
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text, 'utf8');
  return { bytes, isAscii: bytes.length === text.length };
}

/** Returns the text that {@link shareText} was given, in this thread or another. */
export function readSharedText(text: SharedText): string {
  if (typeof text === 'string') return text;
  const { buffer, byteOffset, byteLength } = text.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(text.isAscii ? 'latin1' : 'utf8');
}

/** Memory that a text takes while it waits, in bytes. */
export function sharedTextBytes(text: SharedText): number {
  return typeof text === 'string' ? text.length : text.bytes.length;
}

/** Lowercase hex digits. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** An address or input as in JSON: hex digits after 0x. */
export function text(bytes: Uint8Array): string {
  return `0x${hex(bytes)}`;
}

/** The inverse of {@link text}. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex');
}

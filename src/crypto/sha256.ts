import { hash } from 'node:crypto';

/**
 * SHA-256 of `data`: 32 bytes. Node's one-shot hash is the fastest for single messages on every platform (0.7 µs for
 * 64 bytes, bench/crypto.bench.ts), so the native and the pure set share it.
 */
export function sha256(data: Uint8Array): Uint8Array {
  const digest = hash('sha256', data, 'buffer');
  // A plain array: a Buffer differs in `slice` and in deep equality.
  return new Uint8Array(digest.buffer, digest.byteOffset, 32);
}

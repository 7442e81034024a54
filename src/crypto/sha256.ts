import { hash } from 'node:crypto';

/**
 * SHA-256 of `data`: 32 bytes. Node's one-shot hash is the fastest for single messages on every platform, so the native
 * and the pure set share it. A binary string as digest takes half the CPU time of a Buffer, whose memory is off-heap
 * (0.3 µs against 0.65 for 65 bytes, bench/micro/hashes.bench.ts).
 */
export function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(32);
  sha256Into(data, digest, 0);
  return digest;
}

/** {@link sha256} written to `output` at offset `at`. */
export function sha256Into(data: Uint8Array, output: Uint8Array, at: number): void {
  const digest = hash('sha256', data, 'binary');
  for (let i = 0; i < 32; i++) output[at + i] = digest.charCodeAt(i);
}

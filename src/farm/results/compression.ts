import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { errorMessage } from '../../base/errors.js';
import type { ByteTarget, Compression } from './result-writer.js';
import { ResultsError } from './result-writer.js';

type Compress = (bytes: Uint8Array) => Uint8Array;

/** The part of Node's zstd interface in use; its types describe an older Node. */
interface Zstd {
  createZstdCompress(): Transform;
  zstdCompressSync(bytes: Uint8Array): Uint8Array;
}

/** @throws ResultsError `no_zstd` */
export function checkCompression(compress: Compression): void {
  if (compress === 'zstd') zstd();
}

/** A target that compresses before it passes bytes on. @throws ResultsError `no_zstd` */
export function compressed(target: ByteTarget, compress: Compression): ByteTarget {
  if (compress === 'none') return target;
  return new CompressedTarget(target, compress === 'gzip' ? zlib.createGzip() : zstd().createZstdCompress());
}

/** @throws ResultsError `no_zstd` */
export function compressFunction(compress: Exclude<Compression, 'none'>): Compress {
  return compress === 'gzip' ? (bytes) => zlib.gzipSync(bytes) : zstd().zstdCompressSync;
}

function zstd(): Zstd {
  const module: object = zlib;
  if (hasZstd(module)) return module;
  throw new ResultsError(
    'no_zstd',
    `zstd needs Node 22.15 or 23.8 and later; this is ${process.version}: use gzip or a later Node`,
  );
}

function hasZstd(module: object): module is Zstd {
  return 'createZstdCompress' in module && 'zstdCompressSync' in module;
}

/** Compresses on Node's thread pool with bounded buffers. */
class CompressedTarget implements ByteTarget {
  readonly #target: ByteTarget;
  readonly #transform: Transform;
  readonly #passing: Promise<void>;
  #failure: { readonly reason: unknown } | undefined;
  /** Ends the wait of a write, since a destroyed stream may leave it without an answer. */
  #wake: () => void = () => undefined;

  constructor(target: ByteTarget, transform: Transform) {
    this.#target = target;
    this.#transform = transform;
    this.#passing = this.#pass();
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#check();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#transform.write(bytes, () => resolve());
    });
    this.#check();
  }

  async close(): Promise<void> {
    this.#transform.end();
    await this.#passing;
    this.#check();
    await this.#target.close();
  }

  async abort(): Promise<void> {
    this.#transform.destroy();
    await this.#passing;
    await this.#target.abort();
  }

  /** Passes the output on. Never rejects. */
  async #pass(): Promise<void> {
    try {
      for await (const bytes of this.#transform) await this.#target.write(bytes as Uint8Array);
    } catch (error) {
      this.#failure = { reason: error };
    }
    this.#wake();
  }

  #check(): void {
    if (this.#failure === undefined) return;
    const { reason } = this.#failure;
    if (reason instanceof ResultsError) throw reason;
    throw new ResultsError('unwritable', `cannot compress: ${errorMessage(reason)}`, { cause: reason });
  }
}

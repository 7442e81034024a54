import { createReadStream } from 'node:fs';
import { pipeline, Transform, type TransformCallback, type Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { errorMessage } from '../base/errors.js';
import type { ImportSnapshotChunkArgs } from '../generated/node-rpc-v1.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { type ArchiveHead, badArchive, chunkName, decodeHead, HEAD_NAME } from './archive-format.js';
import { SnapshotError } from './snapshot-error.js';

/** Maximum size of a file in an archive. A chunk holds about a mebibyte, or a single larger entry with its blobs. */
const MAX_FILE_BYTES = 8 * 1_048_576;
/**
 * Maximum bytes into or out of the decompressor between the ends of two files: one file with headers, padding and
 * stream read-ahead. An archive that exceeds this limit is refused.
 */
const MAX_GAP_BYTES = MAX_FILE_BYTES + 1_048_576;

export interface OpenArchive {
  readonly head: ArchiveHead;
  /** All chunks, ascending by index; consumers read to the end or abandon the iteration. */
  readonly chunks: AsyncIterable<ImportSnapshotChunkArgs>;
  /** Closes the file; must be called on success and failure. */
  close(): Promise<void>;
}

/**
 * Opens a snapshot archive (see archive-format.ts). Its contents are untrusted, and may even be endless.
 * @throws SnapshotError `bad_archive`, also while chunks are read
 */
export async function openArchive(path: string): Promise<OpenArchive> {
  const files = readFiles(path);
  const close = async () => void (await files.return(undefined));
  try {
    const first = await files.next();
    if (first.done === true || first.value.name !== HEAD_NAME) {
      throw badArchive(`${path} is not a snapshot archive: it does not begin with ${HEAD_NAME}`);
    }
    const head = decodeHead(first.value.content.toString('utf8'));
    return { head, chunks: readChunks(path, head, files), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* readChunks(
  path: string,
  { light: { checkpoint } }: ArchiveHead,
  files: AsyncGenerator<ArchiveFile, void>,
): AsyncGenerator<ImportSnapshotChunkArgs, void> {
  let index = 0;
  for await (const { name, content } of files) {
    if (index >= checkpoint.chunk_count || name !== chunkName(index)) {
      const expected = index < checkpoint.chunk_count ? chunkName(index) : 'no more files';
      throw badArchive(`${path}: expected ${expected}, got ${name}`);
    }
    yield decodeChunk(path, name, content);
    index++;
  }
  if (index < checkpoint.chunk_count) {
    throw badArchive(`${path} ends after ${index} of ${checkpoint.chunk_count} chunks`);
  }
}

function decodeChunk(path: string, name: string, content: Uint8Array): ImportSnapshotChunkArgs {
  try {
    return rpcTypes.ImportSnapshotChunkArgs.decode(content);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw badArchive(`${path}: ${name}: ${error.message}`, { cause: error });
  }
}

interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer;
}

async function* readFiles(path: string): AsyncGenerator<ArchiveFile, void> {
  const tar = extract();
  const source = createReadStream(path);
  const packed = new GapGuard();
  const unpacked = new GapGuard();
  let failure: Error | undefined;
  // tar-stream uses another stream library, whose streams differ from Node's only in their types.
  pipeline(source, packed, createGunzip(), unpacked, tar as unknown as Writable, (error) => {
    if (error !== null && error !== undefined) failure = error;
  });
  try {
    for await (const entry of tar) {
      const content = await contentOf(path, entry);
      packed.reset();
      unpacked.reset();
      yield { name: entry.header.name, content };
    }
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw badArchive(`${path}${badFile(failure ?? error)}`, { cause: error });
  } finally {
    source.destroy();
  }
}

/** Passes bytes through, but fails once too many have arrived since the last file. */
class GapGuard extends Transform {
  #since = 0;

  reset(): void {
    this.#since = 0;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.#since += piece.length;
    if (this.#since <= MAX_GAP_BYTES) done(null, piece);
    else done(new Error(`no file ends within ${MAX_GAP_BYTES} bytes`));
  }
}

/** Describes a read error in words that follow the file's path. */
function badFile(error: unknown): string {
  const reason = errorMessage(error);
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
      return ': no such file';
    case 'Z_BUF_ERROR':
      return ' is cut off: the compressed archive ends too early';
    case 'Z_DATA_ERROR':
      return `: expected a gzipped tar, as heddle snapshot export writes it: ${reason}`;
    default:
      return `: ${reason}`;
  }
}

async function contentOf(
  path: string,
  entry: AsyncIterable<unknown> & { readonly header: Header },
): Promise<Buffer> {
  const { name, size, type } = entry.header;
  if (type !== 'file' || size > MAX_FILE_BYTES) {
    const expected = `expected a file of at most ${MAX_FILE_BYTES} bytes`;
    throw badArchive(`${path}: ${name}: ${expected}, got ${String(type)} of ${size}`);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of entry) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

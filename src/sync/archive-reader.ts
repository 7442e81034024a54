import { createReadStream } from 'node:fs';
import { pipeline, type Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import type { ImportSnapshotChunkArgs } from '../generated/node-rpc-v1.js';
import { BorshError } from '../idl/codec-errors.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { type ArchiveHead, chunkName, decodeHead, HEAD_NAME } from './archive-format.js';
import { SnapshotError } from './snapshot-error.js';

/** No file of an archive is longer: a chunk has a mebibyte, or one entry with its blobs. */
const MAX_FILE_BYTES = 8 * 1_048_576;

/** An archive that is being read. */
export interface OpenArchive {
  readonly head: ArchiveHead;
  /** All chunks, ascending by index; to be read to the end or abandoned. */
  readonly chunks: AsyncIterable<ImportSnapshotChunkArgs>;
}

/**
 * Opens a snapshot's archive (see archive-format.ts). Nothing in it is trusted yet, not even that it ends.
 * @throws SnapshotError `bad_archive`, also while its chunks are read
 */
export async function openArchive(path: string): Promise<OpenArchive> {
  const files = readFiles(path);
  const first = await files.next();
  if (first.done === true || first.value.name !== HEAD_NAME) {
    await files.return(undefined);
    throw new SnapshotError(
      'bad_archive',
      `${path} is not the archive of a snapshot: it does not begin with ${HEAD_NAME}`,
    );
  }
  const head = decodeHead(first.value.content.toString('utf8'));
  return { head, chunks: readChunks(path, head, files) };
}

async function* readChunks(
  path: string,
  { light: { checkpoint } }: ArchiveHead,
  files: AsyncGenerator<ArchiveFile, void>,
): AsyncGenerator<ImportSnapshotChunkArgs, void> {
  let index = 0;
  for await (const { name, content } of files) {
    if (index >= checkpoint.chunk_count || name !== chunkName(index)) {
      throw new SnapshotError(
        'bad_archive',
        `${path}: expected ${expectedName(index, checkpoint.chunk_count)}, got ${name}`,
      );
    }
    yield decodeChunk(path, name, content);
    index++;
  }
  if (index < checkpoint.chunk_count) {
    throw new SnapshotError('bad_archive', `${path} ends after ${index} of ${checkpoint.chunk_count} chunks`);
  }
}

function expectedName(index: number, count: number): string {
  return index < count ? chunkName(index) : 'no more files';
}

function decodeChunk(path: string, name: string, content: Uint8Array): ImportSnapshotChunkArgs {
  try {
    return rpcTypes.ImportSnapshotChunkArgs.decode(content);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw new SnapshotError('bad_archive', `${path}: ${name}: ${error.message}`, { cause: error });
  }
}

interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer;
}

async function* readFiles(path: string): AsyncGenerator<ArchiveFile, void> {
  const tar = extract();
  const source = createReadStream(path);
  let failure: Error | undefined;
  // Its streams are of another library, and close to Node's but for their types.
  pipeline(source, createGunzip(), tar as unknown as Writable, (error) => {
    if (error !== null && error !== undefined) failure = error;
  });
  try {
    for await (const entry of tar) yield { name: entry.header.name, content: await contentOf(path, entry) };
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw new SnapshotError('bad_archive', `${path}${badFile(failure ?? error)}`, { cause: error });
  } finally {
    source.destroy();
  }
}

/** What is wrong with the file, as it goes on after its name. */
function badFile(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
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
    throw new SnapshotError(
      'bad_archive',
      `${path}: ${name}: expected a file of at most ${MAX_FILE_BYTES} bytes, got ${String(type)} of ${size}`,
    );
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of entry) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

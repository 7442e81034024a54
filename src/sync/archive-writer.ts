import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { toError } from '../base/errors.js';
import type { ArchiveDescriptor, ImportSnapshotChunkArgs } from '../generated/node-rpc-v1.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { ARCHIVE_FORMAT, type ArchiveHead, chunkName, encodeHead, HEAD_NAME } from './archive-format.js';
import { SnapshotError } from './snapshot-error.js';

/** Most of a snapshot is hashes and numbers, so higher levels gain little. */
const GZIP_LEVEL = 1;

/**
 * Writes an archive (see archive-format.ts) to a temporary file, which is renamed once it is complete and synced.
 * @param chunks ascending by index
 * @throws SnapshotError `bad_archive` if the file cannot be written; any error from reading the chunks
 */
export async function writeArchive(
  path: string,
  head: ArchiveHead,
  chunks: AsyncIterable<ImportSnapshotChunkArgs> | Iterable<ImportSnapshotChunkArgs>,
  onChunk: (index: number) => void = () => undefined,
): Promise<ArchiveDescriptor> {
  const part = `${path}.part`;
  const tar = pack();
  const digest = createHash('sha256');
  let bytes = 0n;
  const measured = new Transform({
    transform(piece: Buffer, _encoding, done) {
      digest.update(piece);
      bytes += BigInt(piece.length);
      done(null, piece);
    },
  });
  const written = pipeline(
    Readable.from(tar),
    createGzip({ level: GZIP_LEVEL }),
    measured,
    createWriteStream(part),
  );
  try {
    const filled = fill(tar, head, chunks, onChunk).catch((error: unknown) => {
      tar.destroy(toError(error));
      throw error;
    });
    // The first failure determines the error.
    await Promise.all([filled, written]);
    const file = await open(part, 'r+');
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await written.catch(() => undefined);
    await rm(part, { force: true });
    throw isSystemError(error)
      ? new SnapshotError('bad_archive', `${path} cannot be written: ${error.message}`, { cause: error })
      : error;
  }
  return { format: ARCHIVE_FORMAT, file: basename(path), bytes, sha256: new Uint8Array(digest.digest()) };
}

async function fill(
  tar: Pack,
  head: ArchiveHead,
  chunks: AsyncIterable<ImportSnapshotChunkArgs> | Iterable<ImportSnapshotChunkArgs>,
  onChunk: (index: number) => void,
): Promise<void> {
  const mtime = new Date(Number(head.light.header.timestamp_ms));
  const put = (name: string, content: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      tar.entry({ name, mtime, mode: 0o644, uid: 0, gid: 0 }, content, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  await put(HEAD_NAME, new TextEncoder().encode(encodeHead(head)));
  for await (const chunk of chunks) {
    await put(chunkName(chunk.index), rpcTypes.ImportSnapshotChunkArgs.encode(chunk));
    onChunk(chunk.index);
  }
  tar.finalize();
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

/**
 * A snapshot archive: a gzipped tar that any tool can list.
 *
 * 1. `snapshot.json` comes first: {"format": "heddle-snapshot/3", "light": GetLightSnapshotResult, "origin":
 *    {"header": BlockHeader, "path": [hash]}} in the JSON form of `idl/node_rpc_v1.idl`. `origin` is block 0 and its
 *    path into the history of the checkpoint's block. `path` may be missing; then trusting the archive requires the
 *    genesis.
 * 2. `chunks/NNNNNNNN.borsh` follow, one per chunk, ascending by index: borsh(ImportSnapshotChunkArgs).
 * 3. Files carry the timestamp of the checkpoint's block and no owner, so all archives of a checkpoint have the same
 *    contents.
 */
import type { GetLightSnapshotResult } from '../generated/node-rpc-v1.js';
import { describe, JsonDecodeError } from '../idl/codecs/codec-errors.js';
import { fromHex, toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import type { SnapshotOrigin } from './light-snapshot.js';
import { SnapshotError } from './snapshot-error.js';

/** Value of ArchiveDescriptor.format. */
export const ARCHIVE_FORMAT = 'tar+gzip';
export const HEAD_NAME = 'snapshot.json';

const VERSION = 'heddle-snapshot/3';

/** Contents of `snapshot.json` (rule 1). */
export interface ArchiveHead {
  readonly light: GetLightSnapshotResult;
  readonly origin: SnapshotOrigin;
}

export function chunkName(index: number): string {
  return `chunks/${String(index).padStart(8, '0')}.borsh`;
}

export function encodeHead({ light, origin }: ArchiveHead): string {
  const path = origin.path === undefined ? '' : `,"path":${JSON.stringify(origin.path.map(toHex))}`;
  const header = ledger.BlockHeader.toJson(origin.header);
  return `{"format":"${VERSION}","light":${rpcTypes.GetLightSnapshotResult.toJson(light)},"origin":{"header":${header}${path}}}\n`;
}

/** @throws SnapshotError `bad_archive` */
export function decodeHead(text: string): ArchiveHead {
  try {
    const head: unknown = JSON.parse(text);
    const { format, light, origin } = members(head);
    if (format !== VERSION) {
      throw badArchive(`${HEAD_NAME}: expected format ${VERSION}, got ${describe(format)}`);
    }
    const { header, path } = members(origin);
    return {
      light: rpcTypes.GetLightSnapshotResult.fromJson(light, 'light'),
      origin: {
        header: ledger.BlockHeader.fromJson(header, 'origin.header'),
        ...(path === undefined ? {} : { path: hashes(path) }),
      },
    };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof JsonDecodeError)) throw error;
    throw badArchive(`${HEAD_NAME}: ${error.message}`, { cause: error });
  }
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw badArchive(`${HEAD_NAME}: expected an object`);
}

function hashes(value: unknown): Uint8Array[] {
  if (!Array.isArray(value)) throw badArchive(`${HEAD_NAME}: origin.path: expected an array of hashes`);
  return value.map((text: unknown) => {
    const hash = typeof text === 'string' && text.length === 64 ? fromHex(text, 0) : undefined;
    if (hash !== undefined) return hash;
    throw badArchive(`${HEAD_NAME}: origin.path: expected 64 hex digits, got ${describe(text)}`);
  });
}

export function badArchive(message: string, options?: ErrorOptions): SnapshotError {
  return new SnapshotError('bad_archive', message, options);
}

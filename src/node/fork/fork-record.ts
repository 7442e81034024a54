import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { errorMessage, hasCode } from '../../base/errors.js';
import type { BlockHeader } from '../../generated/ledger.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { replaceFile } from '../../storage/replace-file.js';
import { ForkError } from './fork-error.js';

const FILE = 'fork.json';

const schema = v.object({
  /** A node of the forked chain. */
  url: v.string(),
  /** borsh(BlockHeader) of the block whose state is forked, as hex digits. */
  header: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/)),
});

/** The fork that a data directory holds. */
export interface ForkRecord {
  readonly url: string;
  readonly header: BlockHeader;
}

export async function writeForkRecord(dataDirectory: string, { url, header }: ForkRecord): Promise<void> {
  const path = join(dataDirectory, FILE);
  const text = JSON.stringify({ url, header: toHex(ledger.BlockHeader.encode(header)) });
  await replaceFile(path, `${text}\n`, `${path}.new`, 0o644);
}

/** @returns undefined if the directory holds no fork. @throws ForkError if the file is damaged */
export async function readForkRecord(dataDirectory: string): Promise<ForkRecord | undefined> {
  const path = join(dataDirectory, FILE);
  try {
    const { url, header } = v.parse(v.pipe(v.string(), v.parseJson(), schema), await readFile(path, 'utf8'));
    return { url, header: ledger.BlockHeader.decode(fromHex(header, 0) ?? new Uint8Array(0)) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new ForkError(`${path}: expected the record of a fork: ${errorMessage(error)}`, { cause: error });
  }
}

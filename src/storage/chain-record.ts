import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { hasCode } from '../base/errors.js';
import { replaceFile } from './replace-file.js';

const FILE = 'chain.json';

const schema = v.object({
  chain_id: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
  /** Hash of block 0, 64 hex digits. */
  genesis_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** 96 hex digits. */
  group_public_key: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)),
});

/**
 * Names the chain of a data directory, for tools that inspect it while the node has its store open. The store is
 * authoritative: the node writes this file at each start and never reads it.
 */
export type ChainRecord = v.InferOutput<typeof schema>;

export async function writeChainRecord(dataDirectory: string, record: ChainRecord): Promise<void> {
  const path = join(dataDirectory, FILE);
  await replaceFile(path, `${JSON.stringify(record)}\n`, `${path}.new`, 0o644);
}

/** @returns undefined if no node has opened a chain in the directory, or if the file is invalid */
export async function readChainRecord(dataDirectory: string): Promise<ChainRecord | undefined> {
  let text: string;
  try {
    text = await readFile(join(dataDirectory, FILE), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : undefined;
}

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../base/errors.js';
import type { BlockRef } from '../../generated/node-rpc-v1.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import { type BadLine, type CallLine, readCallLine } from '../../load/calls/call-line.js';
import { fileLines } from '../../load/calls/file-lines.js';
import { FarmError } from '../farm-error.js';

/** Calls to submit, one per line. They are read several times. */
export interface CallSource {
  /** For people, such as a file's name. */
  readonly name: string;
  lines(): AsyncIterable<string>;
}

export function fileSource(path: string): CallSource {
  return { name: path, lines: () => fileLines(path) };
}

/** The lines of something that is not read from a file. */
export function generatedSource(name: string, lines: () => Iterable<string>): CallSource {
  return {
    name,
    async *lines() {
      yield* lines();
    },
  };
}

/** Keeps standard input in a file, because calls are read several times. @throws FarmError bad_input */
export async function withStandardInput<T>(use: (source: CallSource) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-farm-'));
  try {
    const path = join(directory, 'calls.ndjson');
    await pipeline(process.stdin, createWriteStream(path)).catch((error: unknown) => {
      throw new FarmError('bad_input', `cannot keep standard input in ${path}: ${errorMessage(error)}`, {
        cause: error,
      });
    });
    return await use({ ...fileSource(path), name: 'standard input' });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A valid call, and the block that it names, if any. */
export interface CheckedCall extends CallLine {
  readonly at?: BlockRef;
}

/** Checks a line as far as that is possible without a node: its form, and the types of its parameters. */
export function checkCall(text: string): CheckedCall | BadLine {
  const call = readCallLine(text);
  if ('problem' in call) return call;
  const { method, params } = call;
  if (method === 'tx_build_simulate') {
    return { problem: 'tx_build_simulate takes no state; use tx_simulate with "build" instead' };
  }
  let decoded: unknown;
  try {
    decoded = rpcMethods.get(method)?.decodeParams(JSON.parse(params));
  } catch (error) {
    if (error instanceof JsonDecodeError) return { problem: error.message };
    throw error;
  }
  const { at } = decoded as { readonly at?: BlockRef };
  if (at === undefined) return call;
  if (at.type === 'height' || at.type === 'hash') return { ...call, at };
  return {
    problem: `params.at: expected a height or a hash, which all jobs see alike, got ${at.type}; without it, --at counts`,
  };
}

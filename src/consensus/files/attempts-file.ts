import * as v from 'valibot';
import { toPrefixedHex } from '../../idl/hex.js';
import { hexBytes } from './hex-bytes.js';
import { readJsonFile, writePublicFile } from './public-file.js';

const schema = v.strictObject({
  configuration: hexBytes(),
  attempt: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  hasDealt: v.boolean(),
  reason: hexBytes(),
  gathered: v.array(hexBytes()),
});

/** The last attempt that a participant of a ceremony began; synced before any message of it. Public. */
export interface BegunAttempt {
  readonly attempt: number;
  /** True if the participant may have dealt in it. */
  readonly hasDealt: boolean;
  /** The message in its hello, with the fault that ended the attempt before; empty in attempt 1. */
  readonly reason: Uint8Array;
  /** All participants' hellos of the last attempt that all have begun: this one if it has dealt, else the one before. */
  readonly gathered: readonly Uint8Array[];
}

export interface StoredAttempt extends BegunAttempt {
  /** Hash of the configuration, 32 bytes. */
  readonly configuration: Uint8Array;
}

/** @returns undefined if there is no file @throws PublicFileError */
export function readAttempts(path: string): StoredAttempt | undefined {
  return readJsonFile(path, 'state of attempts', (value) => v.parse(schema, value));
}

/** Resolves once the file is synced. @throws PublicFileError */
export async function writeAttempts(path: string, stored: StoredAttempt): Promise<void> {
  const { configuration, attempt, hasDealt, reason, gathered } = stored;
  const content = {
    configuration: toPrefixedHex(configuration),
    attempt,
    hasDealt,
    reason: toPrefixedHex(reason),
    gathered: gathered.map(toPrefixedHex),
  };
  await writePublicFile(path, `${JSON.stringify(content)}\n`);
}

import * as v from 'valibot';
import { decodeScalar } from '../../crypto/scalars/scalars.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { hexBytes } from './hex-bytes.js';
import type { Passphrase } from './passphrase.js';
import { malformed, readSecretFile, SecretFileError, writeSecretFile } from './secret-file.js';

export interface ValidatorShare {
  /** The first epoch of the share. */
  readonly epoch: bigint;
  /** Index in that epoch's set. */
  readonly index: number;
  /** 32 bytes, big-endian, below the group order. */
  readonly share: Uint8Array;
  /** The vote journal's id, 32 random bytes: a share without its journal must not vote (rule 9). */
  readonly journalId: Uint8Array;
}

const KIND = {
  name: 'share of a validator',
  schema: v.strictObject({
    epoch: v.pipe(
      v.string(),
      v.regex(/^(0|[1-9][0-9]{0,19})$/),
      v.transform((text) => BigInt(text)),
    ),
    index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff)),
    share: hexBytes(32),
    journal_id: hexBytes(32),
  }),
};

/** Reads a validator's share; undefined if there is no file. @throws SecretFileError as `readSecretFile` */
export async function readShareFile(
  path: string,
  passphrase?: Passphrase,
): Promise<ValidatorShare | undefined> {
  const content = await readSecretFile(path, KIND, passphrase);
  if (content === undefined) return undefined;
  if (decodeScalar(content.share) === undefined) throw malformed(path, KIND);
  const { epoch, index, share, journal_id: journalId } = content;
  return { epoch, index, share, journalId };
}

/**
 * Writes or replaces a validator's share, encrypted under a passphrase or as plain text with mode 0600. Resolves
 * once the file is synced.
 * @throws SecretFileError `malformed` if the share is invalid, `unreadable` if the system refuses
 */
export async function writeShareFile(
  path: string,
  { epoch, index, share, journalId }: ValidatorShare,
  passphrase?: Passphrase,
): Promise<void> {
  if (decodeScalar(share) === undefined || journalId.length !== 32) {
    throw new SecretFileError(
      'malformed',
      `${path}: expected a share below the group order and an id of 32 bytes`,
    );
  }
  const content = {
    epoch: `${epoch}`,
    index,
    share: toPrefixedHex(share),
    journal_id: toPrefixedHex(journalId),
  };
  await writeSecretFile(path, KIND, content, passphrase);
}

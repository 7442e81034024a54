import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { CodedError, hasCode } from '../../base/errors.js';
import { replaceFile, syncDirectory } from '../../storage/replace-file.js';
import { encryptedSchema, type Passphrase } from './passphrase.js';

export type SecretFileErrorCode =
  | 'missing'
  /** The system refuses to read or write it. */
  | 'unreadable'
  /** It is plain text that others can read. */
  | 'exposed'
  | 'malformed'
  /** It is encrypted, and the passphrase is wrong or missing. */
  | 'passphrase'
  /** It is well-formed but belongs to something else. */
  | 'mismatch';

/** Thrown when a validator's secret file is unusable. The message never contains the file's content. */
export class SecretFileError extends CodedError<SecretFileErrorCode> {
  override readonly name = 'SecretFileError';
}

/** Maximum file size in bytes; a hundred validators' dealings take a few kilobytes. */
const MAX_FILE_BYTES = 1 << 20;

/** A kind of secret file: encrypted content of one kind cannot be read as another. */
export interface SecretKind<T> {
  /** Its name in errors. It is authenticated with encrypted content, so files cannot be read after a change of it. */
  readonly name: string;
  readonly schema: v.GenericSchema<unknown, T>;
}

/**
 * Reads a file's JSON content, plain or encrypted.
 * @returns undefined if there is no file
 * @throws SecretFileError `unreadable`, `exposed`, `malformed`, `passphrase`
 */
export async function readSecretFile<T>(
  path: string,
  kind: SecretKind<T>,
  passphrase?: Passphrase,
): Promise<T | undefined> {
  const content = await readContent(path, kind.name, passphrase);
  if (content === undefined) return undefined;
  const parsed = v.safeParse(kind.schema, content);
  if (!parsed.success) throw malformed(path, kind);
  return parsed.output;
}

/** Content as in the file or decrypted, before its schema is checked. */
async function readContent(
  path: string,
  kind: string,
  passphrase: Passphrase | undefined,
): Promise<unknown | undefined> {
  const found = await readWhole(path);
  if (found === undefined) return undefined;
  const content = parse(found.text);
  const encrypted = v.safeParse(encryptedSchema, content);
  if (!encrypted.success) {
    if (found.exposed) {
      throw new SecretFileError('exposed', `${path}: others can read it; run chmod 600 on it`);
    }
    if (content === undefined) throw malformed(path, { name: kind });
    return content;
  }
  if (passphrase === undefined) {
    throw new SecretFileError('passphrase', `${path}: it is encrypted, and no passphrase was given`);
  }
  const plain = await passphrase.decrypt(encrypted.output, kind);
  if (plain === undefined) {
    throw new SecretFileError(
      'passphrase',
      `${path}: the passphrase is wrong, or the file is not a valid ${kind}`,
    );
  }
  const opened = parse(Buffer.from(plain).toString('utf8'));
  if (opened === undefined) throw malformed(path, { name: kind });
  return opened;
}

/** @throws SecretFileError `unreadable` if the system refuses */
export async function writeSecretFile(
  path: string,
  { name }: { readonly name: string },
  content: object,
  passphrase?: Passphrase,
): Promise<void> {
  const kept =
    passphrase === undefined ? content : await passphrase.encrypt(Buffer.from(JSON.stringify(content)), name);
  try {
    await replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, unfinished(path), 0o600);
  } catch (error) {
    throw unreadable(path, 'written', error);
  }
}

/**
 * Removes a file durably, and the unfinished copy that a crash may have left beside it; either may be missing.
 * @throws SecretFileError `unreadable` if the system refuses
 */
export async function eraseSecretFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await rm(unfinished(path), { force: true });
    await syncDirectory(dirname(path));
  } catch (error) {
    throw unreadable(path, 'removed', error);
  }
}

function unfinished(path: string): string {
  return `${path}.new`;
}

/** Error for a malformed file; it never contains the content. */
export function malformed(path: string, { name }: { readonly name: string }): SecretFileError {
  return new SecretFileError('malformed', `${path}: not a valid ${name}`);
}

async function readWhole(
  path: string,
): Promise<{ readonly text: string; readonly exposed: boolean } | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw unreadable(path, 'read', error);
  }
  try {
    const { mode, size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw new SecretFileError('malformed', `${path}: the file is too long`);
    const exposed = process.platform !== 'win32' && (mode & 0o077) !== 0;
    return { text: await file.readFile('utf8'), exposed };
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw unreadable(path, 'read', error);
  } finally {
    await file.close();
  }
}

/** Discards the engine's error message, because it quotes the text around the error, which may be the secret. */
function parse(text: string): unknown | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(path: string, what: string, cause: unknown): SecretFileError {
  const reason = cause instanceof Error && 'code' in cause ? `: ${cause.code}` : '';
  return new SecretFileError('unreadable', `${path}: cannot be ${what}${reason}`, { cause });
}

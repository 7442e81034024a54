import { randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, errorMessage, hasCode } from '../../base/errors.js';
import type { Log } from '../../config/log.js';

export type AccessErrorCode =
  /** The secret file has invalid content. */
  | 'bad_secret'
  /** A file of --token-issuer-key holds no usable key. */
  | 'bad_issuer_key'
  /** A file cannot be read or written. */
  | 'unusable_file';

export class AccessError extends CodedError<AccessErrorCode> {
  override readonly name = 'AccessError';
}

const SECRET_FILE = 'token.secret';
const ADMIN_TOKEN_FILE = 'admin.token';
const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * The two files in the data directory that access control relies on, readable only by their owner (mode 0600):
 * - `token.secret`: the signing key for tokens, 64 hex digits;
 * - `admin.token`: a token of the tier admin, one line.
 */
export class TokenFiles {
  readonly #dataDirectory: string;
  readonly #log: Log;

  constructor(dataDirectory: string, log: Log) {
    this.#dataDirectory = dataDirectory;
    this.#log = log;
  }

  get adminTokenPath(): string {
    return join(this.#dataDirectory, ADMIN_TOKEN_FILE);
  }

  get secretPath(): string {
    return join(this.#dataDirectory, SECRET_FILE);
  }

  /** Reads the node's secret, or creates it on first use. @returns 32 bytes @throws AccessError */
  async secret(): Promise<Uint8Array> {
    const stored = await this.storedSecret();
    if (stored !== undefined) return stored;
    const secret = randomBytes(SECRET_BYTES);
    await this.#write(this.secretPath, secret.toString('hex'));
    return secret;
  }

  /** The stored secret, 32 bytes, or undefined if there is none. @throws AccessError */
  async storedSecret(): Promise<Uint8Array | undefined> {
    const stored = await this.#read(this.secretPath);
    if (stored === undefined) return undefined;
    if (/^[0-9a-f]{64}$/.test(stored)) return Buffer.from(stored, 'hex');
    throw new AccessError(
      'bad_secret',
      `${this.secretPath}: expected 64 hex digits; restore it, or delete it to create a new one, which invalidates every token`,
    );
  }

  /** The stored admin token, or undefined if there is none. @throws AccessError */
  adminToken(): Promise<string | undefined> {
    return this.#read(this.adminTokenPath);
  }

  /** @throws AccessError */
  async writeAdminToken(token: string): Promise<void> {
    await this.#write(this.adminTokenPath, token);
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const { mode } = await stat(path);
      if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
        const octal = (mode & 0o777).toString(8);
        this.#log.warn(
          { path, mode: octal },
          `${path} can be read by others (mode ${octal}); run chmod 600 on it`,
        );
      }
      return (await readFile(path, 'utf8')).trim();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw unusable(path, error);
    }
  }

  /** Writes a file atomically, so that a crash never leaves a partial secret. */
  async #write(path: string, line: string): Promise<void> {
    const temporary = `${path}.${randomUUID()}`;
    let file: FileHandle | undefined;
    try {
      file = await open(temporary, 'wx', OWNER_ONLY);
      await file.writeFile(`${line}\n`);
      await file.sync();
      await file.close();
      file = undefined;
      await rename(temporary, path);
    } catch (error) {
      await file?.close();
      if (file !== undefined) await unlink(temporary);
      throw unusable(path, error);
    }
  }
}

function unusable(path: string, cause: unknown): AccessError {
  return new AccessError('unusable_file', `${path} cannot be used: ${errorMessage(cause)}`, { cause });
}

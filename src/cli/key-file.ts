import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Option } from 'commander';
import * as v from 'valibot';
import { errorMessage, hasCode } from '../base/errors.js';
import {
  ed25519Signer,
  formatAddress,
  type KeyScheme,
  type Signer,
  secp256k1Signer,
} from '../client/client.js';
import { encryptedSchema, type Passphrase } from '../consensus/files/passphrase.js';
import { toPrefixedHex } from '../idl/hex.js';
import type { CommandContext } from './cli-command.js';
import { CliError } from './cli-error.js';
import type { PassphraseOptions } from './passphrase.js';

/** Binds a ciphertext to its use. */
const KIND = 'account key';

/** A private key in a file: JSON, readable by its owner alone, the key itself plain or encrypted. */
const keyFileSchema = v.pipe(
  v.strictObject({
    scheme: v.picklist(['ed25519', 'secp256k1']),
    /** `0x` and 64 hex digits. */
    private_key: v.optional(v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))),
    encrypted: v.optional(encryptedSchema),
    public_key: v.optional(v.string()),
    address: v.optional(v.string()),
  }),
  v.check((file) => (file.private_key === undefined) !== (file.encrypted === undefined)),
);

type KeyFile = v.InferOutput<typeof keyFileSchema>;

export interface LoadedKey {
  readonly signer: Signer;
  readonly scheme: KeyScheme;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  readonly isEncrypted: boolean;
  /** Problems that the user should fix, such as a file that others can read. */
  readonly warnings: readonly string[];
}

export function signerFor(scheme: KeyScheme, privateKey: Uint8Array): Signer {
  return scheme === 'ed25519' ? ed25519Signer(privateKey) : secp256k1Signer(privateKey);
}

/** Writes a key file, mode 0600, whole or not at all. @throws CliError also if one exists, unless `overwrite` */
export async function writeKeyFile(
  path: string,
  {
    scheme,
    privateKey,
    passphrase,
  }: Pick<LoadedKey, 'scheme' | 'privateKey'> & { readonly passphrase?: Passphrase | undefined },
  overwrite: boolean,
): Promise<Signer> {
  const signer = signerFor(scheme, privateKey);
  const content = {
    scheme,
    ...(passphrase === undefined
      ? { private_key: toPrefixedHex(privateKey) }
      : { encrypted: await passphrase.encrypt(privateKey, KIND) }),
    public_key: toPrefixedHex(signer.publicKey),
    address: formatAddress(signer.address),
  };
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!overwrite) {
    createKeyFile(path, text, ', or --force to overwrite it');
    return signer;
  }
  // Written beside the old file first: a failure must not destroy the existing key, and its mode must not carry over.
  const fresh = `${path}.${process.pid}.new`;
  createKeyFile(fresh, text);
  try {
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw new CliError(`${path}: cannot write the key file: ${reason(error)}`, { cause: error });
  }
  return signer;
}

/** Calls `passphrase` for an encrypted key. @throws CliError, whose message never has the private key */
export async function readKeyFile(path: string, passphrase: () => Promise<Passphrase>): Promise<LoadedKey> {
  const { file, warnings } = readPlain(path);
  const privateKey = await privateKeyOf(path, file, passphrase);
  const signer = signerFor(file.scheme, privateKey);
  const own = formatAddress(signer.address);
  if (file.address !== undefined && file.address.toLowerCase() !== own) {
    throw new CliError(`${path}: the file says address ${file.address}, but its key has ${own}`);
  }
  return { signer, privateKey, scheme: file.scheme, isEncrypted: file.encrypted !== undefined, warnings };
}

/** The address that an encrypted key file names; undefined if the key is plain. @throws CliError */
export function addressOfEncrypted(path: string): string | undefined {
  const { file } = readPlain(path);
  return file.encrypted === undefined ? undefined : file.address;
}

async function privateKeyOf(
  path: string,
  { private_key: plain, encrypted }: KeyFile,
  passphrase: () => Promise<Passphrase>,
): Promise<Uint8Array> {
  if (encrypted === undefined) return Uint8Array.from(Buffer.from((plain ?? '').slice(2), 'hex'));
  const opened = await (await passphrase()).decrypt(encrypted, KIND);
  if (opened?.length === 32) return opened;
  throw new CliError(`${path}: the passphrase is wrong, or the file was changed`);
}

function readPlain(path: string): { readonly file: KeyFile; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  let content: string;
  try {
    const file = openSync(path, 'r');
    try {
      const mode = fstatSync(file).mode & 0o777;
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        warnings.push(
          `${path} can be read by others (mode ${mode.toString(8).padStart(4, '0')}); run: chmod 600 ${quote(path)}`,
        );
      }
      content = readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new CliError(`${path}: cannot read the key file: ${reason(error)}`, { cause: error });
  }
  return { file: parse(path, content), warnings };
}

function parse(path: string, content: string): KeyFile {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    // The engine's message quotes the text around the error, which may be the key.
    throw new CliError(`${path}: not a key file: expected JSON as "heddle keys new" writes it`);
  }
  const parsed = v.safeParse(keyFileSchema, value);
  if (!parsed.success) {
    const where = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the file').join(', ');
    throw new CliError(
      `${path}: not a key file: expected {"scheme": "ed25519" or "secp256k1", and "private_key": "0x…64 hex digits" or "encrypted": {…}}; wrong: ${where}`,
    );
  }
  return parsed.output;
}

/** Writes a new file that only its owner can read. @param otherwise to suggest if it exists @throws CliError */
export function createKeyFile(path: string, text: string, otherwise = ''): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const there = hasCode(error, 'EEXIST');
    throw there
      ? new CliError(`${path}: the file exists; choose another name${otherwise}`)
      : new CliError(`${path}: cannot write the key file: ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'no such file or directory';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a directory';
  return errorMessage(error);
}

function quote(path: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export function passphraseFileOption(): Option {
  return new Option(
    '--passphrase-file <FILE>',
    'file with the passphrase of the key file (default: HEDDLE_PASSPHRASE, else a terminal is asked)',
  );
}

/** Reads a key file, asks for its passphrase if it is encrypted, and prints warnings. @throws CliError */
export async function readKey(
  path: string,
  options: PassphraseOptions,
  context: CommandContext,
): Promise<LoadedKey> {
  const key = await readKeyFile(path, async () => {
    // Slow to load, and plain keys do not need it.
    const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
    return givenPassphrase(options, context) ?? askPassphrase(path, false);
  });
  for (const warning of key.warnings) context.console.err(`warning: ${warning}\n`);
  return key;
}

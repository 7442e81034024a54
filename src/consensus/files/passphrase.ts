import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import * as v from 'valibot';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { hexBytes } from './hex-bytes.js';

/** scrypt cost for new files: 128 MiB and about 0.4 s per guess. */
const LOG2_COST = 17;
/** Maximum cost accepted from a file: 1 GiB. */
const MAX_LOG2_COST = 20;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const NONCE_BYTES = 24;
const KEY_BYTES = 32;

/** Maximum number of cached keys; a validator's files share one or two. */
const MAX_KEYS = 8;

export const encryptedSchema = v.strictObject({
  kdf: v.literal('scrypt'),
  log2_cost: v.pipe(v.number(), v.integer(), v.minValue(10), v.maxValue(MAX_LOG2_COST)),
  salt: hexBytes(SALT_BYTES),
  cipher: v.literal('xchacha20-poly1305'),
  nonce: hexBytes(NONCE_BYTES),
  ciphertext: hexBytes(),
});

type EncryptedText = v.InferInput<typeof encryptedSchema>;
export type Encrypted = v.InferOutput<typeof encryptedSchema>;

/** XChaCha20-Poly1305 under a passphrase's scrypt key (RFC 7914), which is derived once for all writes. */
export class Passphrase {
  readonly #text: string;
  readonly #log2Cost: number;
  readonly #salt: Uint8Array = randomBytes(SALT_BYTES);
  readonly #keys = new Map<string, Promise<Uint8Array>>();

  /** @param log2Cost scrypt cost of new files; below the default only for worthless secrets */
  constructor(text: string, log2Cost: number = LOG2_COST) {
    this.#text = text.normalize('NFKC');
    this.#log2Cost = log2Cost;
  }

  /** @param kind the file's kind; decryption requires the same one */
  async encrypt(plain: Uint8Array, kind: string): Promise<EncryptedText> {
    const key = await this.#key(this.#salt, this.#log2Cost);
    const nonce = randomBytes(NONCE_BYTES);
    const ciphertext = xchacha20poly1305(key, nonce, Buffer.from(kind)).encrypt(plain);
    return {
      kdf: 'scrypt',
      log2_cost: this.#log2Cost,
      salt: toPrefixedHex(this.#salt),
      cipher: 'xchacha20-poly1305',
      nonce: toPrefixedHex(nonce),
      ciphertext: toPrefixedHex(ciphertext),
    };
  }

  /** @returns undefined if the passphrase is wrong, or the file was altered or is of another kind */
  async decrypt(encrypted: Encrypted, kind: string): Promise<Uint8Array | undefined> {
    const key = await this.#key(encrypted.salt, encrypted.log2_cost);
    try {
      return xchacha20poly1305(key, encrypted.nonce, Buffer.from(kind)).decrypt(encrypted.ciphertext);
    } catch {
      // The library throws if the tag does not match.
      return undefined;
    }
  }

  #key(salt: Uint8Array, log2Cost: number): Promise<Uint8Array> {
    const name = `${log2Cost} ${toHex(salt)}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    const made = derive(this.#text, salt, log2Cost);
    this.#keys.set(name, made);
    return made;
  }
}

function derive(text: string, salt: Uint8Array, log2Cost: number): Promise<Uint8Array> {
  const cost = 2 ** log2Cost;
  const options: ScryptOptions = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 128 * BLOCK_SIZE * cost + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(Uint8Array.from(key));
      else reject(error);
    });
  });
}

import { sameBytes } from '../../base/same-bytes.js';
import type { EncryptionKey } from '../files/encryption-file.js';

/**
 * The validator's encryption keys, in their file and in memory: that of the present epoch, and later ones that its
 * dealings announce. A key is kept until everything encrypted to it has been read.
 */
export class EncryptionKeeper {
  readonly #write: (keys: readonly EncryptionKey[]) => Promise<void>;
  #keys: readonly EncryptionKey[];

  /**
   * @param keys at least one, oldest first
   * @param write replaces the keys in their file; resolves once the file is synced
   */
  constructor(keys: readonly EncryptionKey[], write: (keys: readonly EncryptionKey[]) => Promise<void>) {
    this.#write = write;
    this.#keys = keys;
  }

  /** 32 bytes each. Secret. */
  get privateKeys(): readonly Uint8Array[] {
    return this.#keys.map(({ privateKey }) => privateKey);
  }

  /** Resolves once the file is synced. @throws SecretFileError */
  async add(key: EncryptionKey): Promise<void> {
    await this.#save([...this.#keys, key]);
  }

  /**
   * Erases all other keys, unless the present one is unknown.
   * @param announced key for later epochs by a dealing of the present one, if there is such a dealing
   * @throws SecretFileError
   */
  async keepOnly(present: Uint8Array | undefined, announced?: Uint8Array): Promise<void> {
    const has = ({ publicKey }: EncryptionKey, wanted: Uint8Array | undefined) =>
      sameBytes(publicKey, wanted);
    if (!this.#keys.some((key) => has(key, present))) return;
    const left = this.#keys.filter((key) => has(key, present) || has(key, announced));
    if (left.length < this.#keys.length) await this.#save(left);
  }

  async #save(keys: readonly EncryptionKey[]): Promise<void> {
    await this.#write(keys);
    this.#keys = keys;
  }
}

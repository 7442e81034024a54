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

  /** Erases all but these keys, unless the first (the present epoch's) is unknown. @throws SecretFileError */
  async keepOnly(...publicKeys: readonly (Uint8Array | undefined)[]): Promise<void> {
    const [present] = publicKeys;
    if (!this.#keys.some(({ publicKey }) => sameBytes(publicKey, present))) return;
    const left = this.#keys.filter(({ publicKey }) => publicKeys.some((kept) => sameBytes(publicKey, kept)));
    if (left.length < this.#keys.length) await this.#save(left);
  }

  async #save(keys: readonly EncryptionKey[]): Promise<void> {
    await this.#write(keys);
    this.#keys = keys;
  }
}

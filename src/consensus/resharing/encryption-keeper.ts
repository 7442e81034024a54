import { sameBytes } from '../../base/same-bytes.js';
import type { DisputedDealing, EncryptionKey } from '../files/encryption-file.js';

/**
 * The validator's encryption keys, in their file and in memory: that of the present epoch, and later ones that its
 * dealings announce. A key is kept until everything encrypted to it has been read.
 *
 * A complaint publishes x·E for a point E that the dealer chose, perhaps another dealer's ephemeral point, of any epoch
 * since the key exists. So each complaint may open one honest evaluation. f of them and the f that faulty dealers know
 * are fewer than the quorum that a share is made of; f + 1 could be enough. A key therefore serves at most f complaints.
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
   * Erases all but these keys, unless the first is unknown.
   * @param publicKeys that of the present epoch first
   * @throws SecretFileError
   */
  async keepOnly(...publicKeys: readonly (Uint8Array | undefined)[]): Promise<void> {
    const [present] = publicKeys;
    if (this.#find(present) === undefined) return;
    const left = this.#keys.filter(({ publicKey }) => publicKeys.some((kept) => sameBytes(publicKey, kept)));
    if (left.length < this.#keys.length) await this.#save(left);
  }

  /**
   * Notes that dealings of an epoch are sealed to a key; does nothing if it is unknown.
   * @param faults the number of faulty validators that the epoch's set tolerates
   * @throws SecretFileError
   */
  async noteEpoch(publicKey: Uint8Array, faults: number): Promise<void> {
    const key = this.#find(publicKey);
    if (key === undefined || (key.maxComplaints ?? faults + 1) <= faults) return;
    await this.#replace({ ...key, maxComplaints: faults });
  }

  /**
   * Counts a complaint before it is published; the same one again is free. Resolves once the count is synced.
   * @returns false if the key has served as many as are safe
   * @throws SecretFileError
   */
  async countComplaint(publicKey: Uint8Array, { epoch, dealer }: DisputedDealing): Promise<boolean> {
    const key = this.#find(publicKey);
    if (key === undefined) return false;
    const { complaints = [], maxComplaints = 0 } = key;
    if (complaints.some((one) => one.epoch === epoch && one.dealer === dealer)) return true;
    if (complaints.length >= maxComplaints) return false;
    await this.#replace({ ...key, complaints: [...complaints, { epoch, dealer }] });
    return true;
  }

  #find(publicKey: Uint8Array | undefined): EncryptionKey | undefined {
    return this.#keys.find((key) => sameBytes(key.publicKey, publicKey));
  }

  async #replace(changed: EncryptionKey): Promise<void> {
    await this.#save(this.#keys.map((key) => (sameBytes(key.publicKey, changed.publicKey) ? changed : key)));
  }

  async #save(keys: readonly EncryptionKey[]): Promise<void> {
    await this.#write(keys);
    this.#keys = keys;
  }
}

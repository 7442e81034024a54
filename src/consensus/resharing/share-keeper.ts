import { sameBytes } from '../../base/same-bytes.js';
import type { ValidatorShare } from '../files/share-file.js';
import { NO_JOURNAL } from '../files/write-dkg-output.js';

export interface ShareKeeperOptions {
  /** Undefined until the validator gets its first share. */
  readonly share: ValidatorShare | undefined;
  /** Replaces the share in its file; resolves once the file is synced. @throws SecretFileError */
  readonly write: (share: ValidatorShare) => Promise<void>;
  /** Id of the vote journal, 32 bytes. */
  readonly journalId: Uint8Array;
}

/** The validator's share, in its file and in memory. */
export class ShareKeeper {
  readonly #options: ShareKeeperOptions;
  #share: ValidatorShare | undefined;

  private constructor(options: ShareKeeperOptions, share: ValidatorShare | undefined) {
    this.#options = options;
    this.#share = share;
  }

  /** Binds a share that was never used to this journal from now on (rule 9). @throws SecretFileError */
  static async open(options: ShareKeeperOptions): Promise<ShareKeeper> {
    const { share, journalId } = options;
    const keeper = new ShareKeeper(options, share);
    if (share !== undefined && sameBytes(share.journalId, NO_JOURNAL)) {
      await keeper.save({ ...share, journalId });
    }
    return keeper;
  }

  get journalId(): Uint8Array {
    return this.#options.journalId;
  }

  get share(): ValidatorShare | undefined {
    return this.#share;
  }

  /** Whether this journal holds all votes made with this share. */
  get matchesJournal(): boolean {
    const { journalId } = this.#options;
    return this.#share !== undefined && sameBytes(this.#share.journalId, journalId);
  }

  /** Replaces the share and erases the previous one. Resolves once the file is synced. @throws SecretFileError */
  async save(share: ValidatorShare): Promise<void> {
    await this.#options.write(share);
    this.#share = share;
  }

  /** The share for an epoch; the validator's share public key tells whether it fits. */
  of(epoch: bigint): ValidatorShare | undefined {
    return this.#share !== undefined && this.#share.epoch <= epoch ? this.#share : undefined;
  }
}

import { sameBytes } from '../../base/same-bytes.js';
import { type ValidatorShare, writeShareFile } from '../../consensus/files/share-file.js';
import { NO_JOURNAL } from '../../consensus/files/write-dkg-output.js';
import type { ValidatorFiles } from './validator-files.js';

export interface ShareKeeperOptions {
  readonly files: Pick<ValidatorFiles, 'paths' | 'passphrase' | 'share'>;
  /** Of the journal of votes, 32 bytes. */
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

  /**
   * Takes up the share of the directory. One that was never used belongs to the journal from here on (rule 9).
   * @throws SecretFileError
   */
  static async open(options: ShareKeeperOptions): Promise<ShareKeeper> {
    const { files, journalId } = options;
    const { share } = files;
    const keeper = new ShareKeeper(options, share);
    if (share !== undefined && sameBytes(share.journalId, NO_JOURNAL)) {
      await keeper.save({ ...share, journalId });
    }
    return keeper;
  }

  /** Of the journal that new shares belong to, 32 bytes. */
  get journalId(): Uint8Array {
    return this.#options.journalId;
  }

  /** The file's contents. */
  get share(): ValidatorShare | undefined {
    return this.#share;
  }

  /** Whether votes with the share that is here are in the journal that is here. */
  get matchesJournal(): boolean {
    const { journalId } = this.#options;
    return this.#share !== undefined && sameBytes(this.#share.journalId, journalId);
  }

  /** Keeps a share in place of the one before, which is erased. Synced when it returns. @throws SecretFileError */
  async save(share: ValidatorShare): Promise<void> {
    const { paths, passphrase } = this.#options.files;
    await writeShareFile(paths.share, share, passphrase);
    this.#share = share;
  }

  /** The share of an epoch; whether it fits is for its validator's share public key to say. */
  of(epoch: bigint): ValidatorShare | undefined {
    return this.#share !== undefined && this.#share.epoch <= epoch ? this.#share : undefined;
  }
}

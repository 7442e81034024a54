import { sameBytes } from '../../base/same-bytes.js';
import type { Chain } from '../../chain/chain.js';
import type { Log } from '../../config/log.js';
import type { ValidatorShare } from '../../consensus/files/share-file.js';
import type { EpochMembership, Epochs } from '../../consensus/shell/ports.js';
import type { SealEpoch } from '../../consensus/threshold-seal-keys.js';
import { SignatureServiceError } from '../../crypto/threshold/signature-messages.js';
import type { SignatureService } from '../../crypto/threshold/signature-service.js';
import type { ValidatorSet } from '../../generated/ledger.js';

export interface EpochKeysOptions {
  readonly chain: Pick<Chain, 'validatorsAt'>;
  readonly signer: SignatureService;
  /** This validator's private identity key, 32 bytes. */
  readonly identityKey: Uint8Array;
  /** This validator's share for an epoch, once the previous epoch's resharing is settled. */
  readonly shareOf: (epoch: bigint) => Promise<ValidatorShare | undefined>;
  /** Id of the vote journal, 32 bytes. */
  readonly journalId: Uint8Array;
  readonly log: Log;
}

/** Gives the signature worker the keys of each epoch, and reports this node's role in it. */
export class EpochKeys implements Epochs {
  readonly #options: EpochKeysOptions;
  /** Epochs whose keys the worker has. */
  readonly #entered = new Set<bigint>();
  /** Epochs for which the worker also has this validator's share. */
  readonly #signing = new Set<bigint>();

  constructor(options: EpochKeysOptions) {
    this.#options = options;
  }

  /** This node's index in the set of an epoch, or -1. */
  indexIn(epoch: number): number {
    const set = this.#options.chain.validatorsAt(BigInt(epoch));
    return set === undefined ? -1 : this.#indexIn(set);
  }

  /** The keys that make and check partial keys of heights in a set's epoch. */
  sealing(set: ValidatorSet): SealEpoch {
    const { epoch, quorum, validators } = set;
    const self = this.#signing.has(epoch) ? this.#indexIn(set) : -1;
    return { epoch, quorum, validators: validators.length, self };
  }

  /** @throws SignatureServiceError; RangeError if the chain does not know the epoch */
  async enter(number: number): Promise<EpochMembership> {
    const epoch = BigInt(number);
    const set = this.#options.chain.validatorsAt(epoch);
    if (set === undefined) throw new RangeError(`the validators of epoch ${epoch} are not known`);
    const self = this.#indexIn(set);
    const share = self < 0 ? undefined : await this.#options.shareOf(epoch);
    const signs = await this.#enter(set, share?.index === self ? share : undefined);
    await this.#leaveOldEpochs(epoch);
    const mayVote = signs && this.#matchesJournal(share);
    this.#logEntry(epoch, self, signs, mayVote);
    return { validators: set.validators.length, self, mayVote };
  }

  /** Rule 9: votes with a share of another journal may be missing from this one. */
  #matchesJournal(share: ValidatorShare | undefined): boolean {
    return share !== undefined && sameBytes(share.journalId, this.#options.journalId);
  }

  #indexIn({ validators }: ValidatorSet): number {
    return validators.findIndex(({ identity_key }) => sameBytes(identity_key, this.#options.identityKey));
  }

  /** @returns whether the worker signs with the share */
  async #enter(set: ValidatorSet, share: ValidatorShare | undefined): Promise<boolean> {
    const { signer, log } = this.#options;
    const { epoch, quorum, group_public_key: groupPublicKey } = set;
    const keys = {
      epoch,
      quorum,
      groupPublicKey,
      shareKeys: set.validators.map(({ share_public_key }) => share_public_key),
    };
    this.#entered.add(epoch);
    if (share !== undefined) {
      try {
        await signer.enterEpoch({ ...keys, own: { index: share.index, share: share.share } });
        this.#signing.add(epoch);
        return true;
      } catch (error) {
        if (!(error instanceof SignatureServiceError) || error.code !== 'wrong_share') throw error;
        const fields = { epoch: epoch.toString(), index: share.index };
        log.warn(fields, "the share does not match this validator's share public key in this epoch");
      }
    }
    await signer.enterEpoch(keys);
    return false;
  }

  /** Leaves all epochs before the previous one. Messages of the previous epoch may still arrive. */
  async #leaveOldEpochs(epoch: bigint): Promise<void> {
    for (const old of [...this.#entered]) {
      if (old >= epoch - 1n) continue;
      this.#entered.delete(old);
      this.#signing.delete(old);
      await this.#options.signer.leaveEpoch(old);
    }
  }

  #logEntry(epoch: bigint, self: number, signs: boolean, mayVote: boolean): void {
    const { log } = this.#options;
    const fields = { epoch: epoch.toString(), index: self };
    if (self < 0) log.info(fields, 'this node is not a validator in this epoch: it follows');
    else if (mayVote) log.info(fields, 'this node votes in this epoch');
    else if (signs) {
      log.warn(
        fields,
        'the vote journal does not belong to the share, as after a lost disk: this node follows until it gets a new share',
      );
    } else log.warn(fields, 'this node has no share for this epoch: it follows until it gets one');
  }
}

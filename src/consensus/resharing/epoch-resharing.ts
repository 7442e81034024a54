import { sameBytes } from '../../base/same-bytes.js';
import type { Log } from '../../config/log.js';
import type { BlsKeys, Crypto } from '../../crypto/crypto.js';
import type { RandomBytes } from '../../crypto/scalars/scalars.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import type { ValidatorTasks } from '../../execution/validator-tasks.js';
import type { Complaint, Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import type { DealingContext, NextPlayer } from '../../ledger/validators/check-dealing.js';
import type { OpenedShare } from '../../ledger/validators/sealed-shares.js';
import type { ValidatorIdentity } from '../files/identity-file.js';
import type { ResharingFile } from '../files/record-file.js';
import { type DealerEffect, type DealerEvent, ResharingDealer } from './dealer.js';
import type { EncryptionKeeper } from './encryption-keeper.js';
import { type IncludedItems, type PlayerEffect, type PlayerEvent, ResharingPlayer } from './player.js';
import type { ShareKeeper } from './share-keeper.js';

/** All curve arithmetic of resharing; the simulator replaces it with a cheap one. */
export interface ShareCrypto {
  /** Public keys of shares, commitments and new encryption keys: some at a time, on the calling thread. */
  readonly bls: BlsKeys;
  /** Work that takes milliseconds. */
  readonly workers: Pick<TaskRunner<ValidatorTasks>, 'run'>;
}

/** The parts for resharing that stay the same in every epoch. */
export interface ResharingParts {
  readonly crypto: Crypto;
  readonly curve: ShareCrypto;
  readonly random: RandomBytes;
  readonly chainId: bigint;
  readonly identity: ValidatorIdentity;
  readonly shares: ShareKeeper;
  readonly encryption: EncryptionKeeper;
  readonly log: Log;
  /** Sends a message to the validator with this identity, in hexadecimal. */
  readonly send: (identity: string, message: DealtMessage) => void;
  readonly drop: (identity: string, reason: string) => void;
  /** Called with this validator's dealing, and again with a better one that replaces it. */
  readonly onDealing: (dealing: Dealing) => void;
  readonly onComplaint: (complaint: Complaint) => void;
}

export type DealtMessage =
  | { readonly type: 'dealt_share'; readonly value: DealtShare }
  | { readonly type: 'dealt_ack'; readonly value: DealtAck };

export interface EpochResharingOptions {
  readonly currentSet: ValidatorSet;
  readonly nextPlayers: readonly NextPlayer[];
  readonly file: ResharingFile;
  /** Queues work after the running step. */
  readonly later: (work: () => Promise<void>) => void;
  /** Whether to begin a dealing; an earlier one is resumed in any case. */
  readonly deals: boolean;
}

/**
 * This node's part in one epoch's resharing: as a dealer if it has a usable share, as a player if it is in the next
 * set. Calls must not overlap; state is synced before any message is sent.
 */
export class EpochResharing {
  readonly context: DealingContext;
  readonly #parts: ResharingParts;
  readonly #file: ResharingFile;
  readonly #dealer: ResharingDealer | undefined;
  readonly #player: ResharingPlayer;
  /** Index by identity in hexadecimal, in the current set and in the next one. */
  readonly #present: ReadonlyMap<string, number>;
  readonly #next: ReadonlyMap<string, number>;
  /** Queues work after the running step. */
  readonly #later: (work: () => Promise<void>) => void;
  /** This validator's encryption key in the epoch; empty if it is not in the next set. */
  readonly #encryptionKey: Uint8Array;

  constructor(parts: ResharingParts, { currentSet, nextPlayers, file, later, deals }: EpochResharingOptions) {
    this.#parts = parts;
    this.#file = file;
    this.#later = later;
    const { crypto, random, chainId, identity, shares } = parts;
    const { bls } = parts.curve;
    this.context = { chainId, epoch: currentSet.epoch, currentSet, nextPlayers };
    this.#present = indices(currentSet.validators);
    this.#next = indices(nextPlayers);
    const own = toHex(identity.publicKey);
    const presentIndex = this.#present.get(own);
    const nextIndex = this.#next.get(own);
    const sign = (message: Uint8Array) => crypto.ed25519.sign(message, identity.seed);
    const common = { crypto, bls, sign, context: this.context };
    const share = shares.share;
    const present =
      share !== undefined && presentIndex !== undefined && share.index === presentIndex
        ? { index: presentIndex, share: share.share }
        : undefined;
    const isWhole =
      present !== undefined &&
      sameBytes(bls.publicKey(present.share), currentSet.validators[present.index]?.share_public_key);
    const { own: kept, received } = file.record;
    this.#encryptionKey = nextPlayers[nextIndex ?? -1]?.encryption_key ?? new Uint8Array(0);
    // A share whose journal is lost is not used for anything (rule 9).
    if (present !== undefined && isWhole && shares.matchesJournal && (deals || kept !== undefined)) {
      const { index, share: secret } = present;
      const again = kept === undefined ? {} : { own: kept };
      this.#dealer = new ResharingDealer({ ...common, random, index, share: secret, ...again });
    }
    this.#player = new ResharingPlayer({
      ...common,
      received,
      ...(nextIndex === undefined ? {} : { index: nextIndex }),
      ...(present !== undefined && isWhole ? { present } : {}),
    });
  }

  /** Called when the chain has further dealings or complaints of the epoch. */
  async onIncluded(items: IncludedItems): Promise<void> {
    const own = this.#present.get(toHex(this.#parts.identity.publicKey));
    if (items.dealings.some(({ dealer }) => dealer === own)) await this.deal({ type: 'included' });
    await this.#play({ type: 'included', items });
  }

  async onPeerConnected(identity: string): Promise<void> {
    const player = this.#next.get(identity);
    if (player !== undefined) await this.deal({ type: 'connected', player });
  }

  async onDealtShare(identity: string, dealt: DealtShare): Promise<void> {
    const from = this.#present.get(identity);
    if (from !== undefined) await this.#play({ type: 'dealt', from, dealt });
  }

  async onDealtAck(identity: string, ack: DealtAck): Promise<void> {
    const from = this.#next.get(identity);
    if (from !== undefined) await this.deal({ type: 'acknowledged', from, ack });
  }

  /**
   * Called when the epoch's last block is final; resolves once the new share is synced or lost.
   * @returns false if a failure of this node kept it from reading something sealed to it
   */
  async final(event: Extract<PlayerEvent, { readonly type: 'final' }>): Promise<boolean> {
    await this.deal({ type: 'final' });
    const { reshared } = event.next;
    let isRead = true;
    for (const effect of this.#player.step(event)) {
      if (effect.type !== 'open') {
        await this.#followPlayer(effect, reshared);
        continue;
      }
      const { dealer, opened } = await this.#openShare(effect);
      isRead &&= opened !== undefined;
      await this.#play({ type: 'opened', dealer, opened }, reshared);
    }
    return isRead;
  }

  async deal(event: DealerEvent): Promise<void> {
    for (const effect of this.#dealer?.step(event) ?? []) await this.#followDealer(effect);
  }

  async #followDealer(effect: DealerEffect): Promise<void> {
    const { send, drop, onDealing } = this.#parts;
    switch (effect.type) {
      case 'persist':
        await this.#parts.encryption.add(effect.encryption);
        await this.#file.keep({ own: effect.own });
        break;
      case 'seal':
        this.#seal(effect);
        break;
      case 'send': {
        const identity = this.#identityOf(this.context.nextPlayers, effect.player);
        if (identity === toHex(this.#parts.identity.publicKey)) {
          this.#later(() => this.onDealtShare(identity, effect.dealt));
        } else send(identity, { type: 'dealt_share', value: effect.dealt });
        break;
      }
      case 'dealing':
        onDealing(effect.dealing);
        break;
      case 'refuse':
        drop(this.#identityOf(this.context.nextPlayers, effect.player), effect.reason);
        break;
    }
  }

  /** Encrypts evaluations in a worker, concurrently with everything else. */
  #seal({ input }: Extract<DealerEffect, { readonly type: 'seal' }>): void {
    const { curve, log } = this.#parts;
    curve.workers
      .run('seal_shares', input)
      .catch((error: unknown) => {
        // The dealer tries again at its next resend.
        log.warn({ err: error }, 'evaluations could not be encrypted');
        return [];
      })
      .then((sealed) => this.#later(() => this.deal({ type: 'sealed', sealed })));
  }

  async #play(event: PlayerEvent, reshared = false): Promise<void> {
    for (const effect of this.#player.step(event)) await this.#followPlayer(effect, reshared);
  }

  /** @param reshared whether the epoch has ended with new shares */
  async #followPlayer(effect: PlayerEffect, reshared: boolean): Promise<void> {
    const { send, drop, shares, onComplaint, log } = this.#parts;
    switch (effect.type) {
      case 'check':
        this.#check(effect);
        break;
      case 'persist':
        await this.#file.keep({ received: effect.received });
        break;
      case 'open':
        void this.#openShare(effect).then((opened) =>
          this.#later(() => this.#play({ type: 'opened', ...opened })),
        );
        break;
      case 'complain':
        onComplaint(effect.complaint);
        break;
      case 'send': {
        const identity = this.#identityOf(this.context.currentSet.validators, effect.dealer);
        if (identity === toHex(this.#parts.identity.publicKey)) {
          this.#later(() => this.onDealtAck(identity, effect.ack));
        } else send(identity, { type: 'dealt_ack', value: effect.ack });
        break;
      }
      case 'share': {
        // A validator that keeps its share already has it in the file, with its journal.
        if (!reshared) break;
        const { epoch, index, share } = effect;
        await shares.save({ epoch, index, share, journalId: shares.journalId });
        log.info({ epoch: epoch.toString(), index }, 'got a new share of the group key');
        break;
      }
      case 'lost':
        log.warn(
          { epoch: effect.epoch.toString(), reason: effect.reason },
          'this node has no share for the epoch',
        );
        break;
      case 'erase':
        await this.#file.erase();
        break;
      case 'refuse':
        drop(this.#identityOf(this.context.currentSet.validators, effect.dealer), effect.reason);
        break;
    }
  }

  /** Checks points in a worker, concurrently with everything else. */
  #check({ dealer, evaluation }: Extract<PlayerEffect, { readonly type: 'check' }>): void {
    const { curve, log } = this.#parts;
    curve.workers.run('check_evaluation', evaluation).then(
      (refusal) => this.#later(() => this.#play({ type: 'checked', dealer, refusal })),
      // The dealer sends the share again.
      (error: unknown) => log.warn({ err: error, dealer }, 'a dealt share could not be checked'),
    );
  }

  /** Reads a sealed share in a worker. Never rejects. */
  async #openShare({ dealing, sealed }: Extract<PlayerEffect, { readonly type: 'open' }>): Promise<{
    readonly dealer: number;
    readonly opened: OpenedShare | undefined;
  }> {
    const { curve, encryption, random, log } = this.#parts;
    const { chainId, epoch } = this.context;
    const { dealer, commitments } = dealing;
    try {
      const opened = await curve.workers.run('open_share', {
        chainId,
        epoch,
        dealer,
        commitments,
        sealed,
        privateKeys: encryption.privateKeys,
        encryptionKey: this.#encryptionKey,
        nonce: random(48),
      });
      const epochName = epoch.toString();
      if (opened.type === 'good')
        log.info({ epoch: epochName, dealer }, 'read a share dealt while this node was away');
      else log.warn({ epoch: epochName, dealer }, 'a dealer sealed an unusable share to this node');
      return { dealer, opened };
    } catch (error) {
      log.warn({ err: error, dealer }, 'a sealed share could not be read');
      return { dealer, opened: undefined };
    }
  }

  #identityOf(members: readonly { readonly identity_key: Uint8Array }[], index: number): string {
    return toHex(members[index]?.identity_key ?? new Uint8Array(0));
  }
}

function indices(members: readonly { readonly identity_key: Uint8Array }[]): ReadonlyMap<string, number> {
  return new Map(members.map(({ identity_key }, index) => [toHex(identity_key), index]));
}

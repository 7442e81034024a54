import type { BlsKeys } from '../../crypto/crypto.js';
import {
  commitmentsOf,
  evaluationFor,
  type Polynomial,
  randomPolynomial,
} from '../../crypto/dkg/polynomial.js';
import { encodeScalar, expectScalar, type RandomBytes } from '../../crypto/scalars/scalars.js';
import type { Dealing, SealedShare } from '../../generated/ledger.js';
import type { DealtAck, DealtShare, OwnDealing } from '../../generated/mesh.js';
import type { DealingContext, IdentityCrypto } from '../../ledger/validators/check-dealing.js';
import { maxFaulty, quorumOf } from '../../ledger/validators/quorum.js';
import type { SharesToSeal } from '../../ledger/validators/sealed-shares.js';
import { ackMessage, commitmentsDigest, dealingMessage } from '../../ledger/validators/signed-messages.js';
import { type EncryptionKey, newEncryptionKey } from '../files/encryption-file.js';

export type DealerEvent =
  /** The next members are settled, or the dealer has restarted. */
  | { readonly type: 'start' }
  /** @property from the sender's index in the next set */
  | { readonly type: 'acknowledged'; readonly from: number; readonly ack: DealtAck }
  /** A player has connected, perhaps again, and may have lost its evaluation. */
  | { readonly type: 'connected'; readonly player: number }
  | { readonly type: 'again' }
  /** From now on the dealing need not wait for up to f silent players. */
  | { readonly type: 'deadline' }
  /** The result of a `seal` effect; without shares if it failed. */
  | { readonly type: 'sealed'; readonly sealed: readonly SealedShare[] }
  /** This dealer's dealing is in a final block. */
  | { readonly type: 'included' }
  /** The last block of the epoch is final. */
  | { readonly type: 'final' };

/** A dealer's effects, in order; persisted data is synced before any later effect. */
export type DealerEffect =
  /** Secret. The encryption key is synced first, because later epochs need it too. */
  | { readonly type: 'persist'; readonly own: OwnDealing; readonly encryption: EncryptionKey }
  /** Confidential to the player. */
  | { readonly type: 'send'; readonly player: number; readonly dealt: DealtShare }
  /** Task `seal_shares`, answered with `sealed`. Secret. */
  | { readonly type: 'seal'; readonly input: SharesToSeal }
  /** A dealing to include in a block instead of the previous one, because more players acknowledge it. */
  | { readonly type: 'dealing'; readonly dealing: Dealing }
  /** The player sent an invalid message. */
  | { readonly type: 'refuse'; readonly player: number; readonly reason: string };

export interface DealerOptions {
  readonly crypto: IdentityCrypto;
  readonly bls: BlsKeys;
  readonly random: RandomBytes;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly context: DealingContext;
  /** Index in the current set. */
  readonly index: number;
  /** The share of the current epoch, 32 bytes. */
  readonly share: Uint8Array;
  /** The secrets persisted earlier in this epoch, if any. */
  readonly own?: OwnDealing;
}

/**
 * Reshares a holder's share to the next epoch's players, and renews its encryption key.
 *
 * 1. Polynomial, sealing seed and encryption key are synced before any of them is used, so that a restarted dealer
 *    deals the same.
 * 2. Each player is sent its evaluation until it acknowledges, and whenever it reconnects.
 * 3. The dealing is ready once all players have acknowledged, or all but f after the deadline; the evaluations of the
 *    missing players are in it, encrypted to them.
 * 4. The dealer runs until the epoch's last block is final, and then erases everything.
 */
export class ResharingDealer {
  readonly #options: DealerOptions;
  readonly #players: number;
  readonly #acks = new Map<number, Uint8Array>();
  /** Encrypted evaluations by player, made once. */
  readonly #sealed = new Map<number, SealedShare>();
  #own: OwnDealing | undefined;
  #polynomial: Polynomial = [];
  #commitments: readonly Uint8Array[] = [];
  #isSealing = false;
  #isReady = false;
  #late = false;
  #included = false;
  #over = false;

  constructor(options: DealerOptions) {
    this.#options = options;
    this.#players = options.context.nextPlayers.length;
  }

  step(event: DealerEvent): DealerEffect[] {
    if (this.#over) return [];
    switch (event.type) {
      case 'start':
        return this.#start();
      case 'acknowledged':
        return this.#acknowledged(event.from, event.ack);
      case 'connected':
        return this.#send([event.player]);
      case 'again':
        // Encrypting may have failed.
        return [...this.#send(this.#missing()), ...(this.#isReady ? [] : this.#dealing())];
      case 'deadline':
        this.#late = true;
        return this.#dealing();
      case 'sealed':
        this.#isSealing = false;
        for (const sealed of event.sealed) this.#sealed.set(sealed.player, sealed);
        return event.sealed.length === 0 ? [] : this.#dealing();
      case 'included':
        this.#included = true;
        return [];
      case 'final':
        this.#over = true;
        this.#own = undefined;
        this.#polynomial = [];
        return [];
    }
  }

  get acknowledged(): number {
    return this.#acks.size;
  }

  #start(): DealerEffect[] {
    if (this.#own !== undefined) return [];
    const persist: DealerEffect[] = [];
    this.#own = this.#options.own;
    if (this.#own === undefined) {
      const { share, random, bls } = this.#options;
      const encryption = newEncryptionKey(bls, random);
      const polynomial = randomPolynomial(quorumOf(this.#players), random, expectScalar(share));
      this.#own = {
        polynomial: polynomial.map(encodeScalar),
        seed: random(32),
        encryption_key: encryption.publicKey,
      };
      persist.push({ type: 'persist', own: this.#own, encryption });
    }
    this.#polynomial = this.#own.polynomial.map(expectScalar);
    this.#commitments = commitmentsOf(this.#options.bls, this.#polynomial);
    return [...persist, ...this.#send(this.#missing())];
  }

  #acknowledged(from: number, { epoch, dealer, ack }: DealtAck): DealerEffect[] {
    const { context, index, crypto } = this.#options;
    // An acknowledgement of another epoch is late, not invalid.
    if (epoch !== context.epoch) return [];
    if (dealer !== index || ack.player !== from) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement of another dealer or player' }];
    }
    const key = context.nextPlayers[from]?.identity_key;
    if (key === undefined || this.#own === undefined || this.#acks.has(from)) return [];
    const digest = commitmentsDigest(crypto, this.#commitments);
    const message = ackMessage(context.chainId, { epoch, dealer, player: from, digest });
    if (!crypto.ed25519.verify(ack.signature, message, key)) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement of another dealing' }];
    }
    this.#acks.set(from, ack.signature);
    return this.#dealing();
  }

  #missing(): number[] {
    const { nextPlayers } = this.#options.context;
    return [...nextPlayers.keys()].filter((player) => !this.#acks.has(player));
  }

  #send(players: readonly number[]): DealerEffect[] {
    if (this.#own === undefined) return [];
    const { context, index } = this.#options;
    return players
      .filter((player) => player >= 0 && player < this.#players)
      .map((player) => ({
        type: 'send',
        player,
        dealt: {
          epoch: context.epoch,
          dealer: index,
          commitments: this.#commitments,
          share: this.#evaluation(player),
        },
      }));
  }

  #evaluation(player: number): Uint8Array {
    return encodeScalar(evaluationFor(this.#polynomial, player));
  }

  /** The dealing if it is ready, or the request to encrypt the evaluations that it lacks. */
  #dealing(): DealerEffect[] {
    const own = this.#own;
    const missing = this.#missing();
    if (this.#included || own === undefined) return [];
    if (missing.length > (this.#late ? maxFaulty(this.#players) : 0)) return [];
    const unsealed = missing.filter((player) => !this.#sealed.has(player));
    if (unsealed.length > 0) return this.#seal(own, unsealed);
    this.#isReady = true;
    const { context, index, sign } = this.#options;
    const unsigned = {
      epoch: context.epoch,
      dealer: index,
      commitments: this.#commitments,
      encryption_key: own.encryption_key,
      acks: [...this.#acks]
        .map(([player, signature]) => ({ player, signature }))
        .sort((a, b) => a.player - b.player),
      sealed: missing.flatMap((player) => this.#sealed.get(player) ?? []),
    };
    const signature = sign(dealingMessage(context.chainId, unsigned));
    return [{ type: 'dealing', dealing: { ...unsigned, signature } }];
  }

  #seal({ seed }: OwnDealing, players: readonly number[]): DealerEffect[] {
    if (this.#isSealing) return [];
    this.#isSealing = true;
    const { context, index } = this.#options;
    const shares = players.map((player) => ({
      player,
      encryptionKey: context.nextPlayers[player]?.encryption_key ?? new Uint8Array(0),
      evaluation: this.#evaluation(player),
    }));
    const { chainId, epoch } = context;
    return [{ type: 'seal', input: { chainId, epoch, dealer: index, seed, shares } }];
  }
}

import type { Bls, Crypto } from '../../crypto/crypto.js';
import {
  commitmentsOf,
  evaluationFor,
  type Polynomial,
  randomPolynomial,
} from '../../crypto/dkg/polynomial.js';
import { decodeScalar, encodeScalar, type RandomBytes } from '../../crypto/scalars/scalars.js';
import type { Dealing } from '../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../generated/mesh.js';
import type { DealingContext } from '../../ledger/validators/check-dealing.js';
import { maxFaulty, quorumOf } from '../../ledger/validators/quorum.js';
import { ackMessage, commitmentsDigest, dealingMessage } from '../../ledger/validators/signed-messages.js';

/** Inputs to a dealer. */
export type DealerEvent =
  /** The epoch has begun, or the dealer has restarted. */
  | { readonly type: 'start' }
  /** @property from the sender's index in the next set */
  | { readonly type: 'acknowledged'; readonly from: number; readonly ack: DealtAck }
  /** A player has connected, perhaps again, and may have lost its evaluation. */
  | { readonly type: 'connected'; readonly player: number }
  /** The resend interval has elapsed. */
  | { readonly type: 'again' }
  /** From now on the dealing need not wait for up to f silent players. */
  | { readonly type: 'deadline' }
  /** This dealer's dealing is in a final block. */
  | { readonly type: 'included' }
  /** The last block of the epoch is final. */
  | { readonly type: 'final' };

/** A dealer's effects, in order; persisted data is synced before any later effect. */
export type DealerEffect =
  /** Secret coefficients, constant first, 32 bytes each. */
  | { readonly type: 'persist'; readonly polynomial: readonly Uint8Array[] }
  /** Confidential to the player. */
  | { readonly type: 'send'; readonly player: number; readonly dealt: DealtShare }
  /** A dealing to include in a block instead of the previous one, because it reveals fewer evaluations. */
  | { readonly type: 'dealing'; readonly dealing: Dealing }
  /** The player sent an invalid message. */
  | { readonly type: 'refuse'; readonly player: number; readonly reason: string };

export interface DealerOptions {
  readonly crypto: Pick<Crypto, 'sha256'> & { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> };
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly context: DealingContext;
  /** Index in the current set. */
  readonly index: number;
  /** The share of the current epoch, 32 bytes. */
  readonly share: Uint8Array;
  /** The polynomial persisted earlier in this epoch, if any. */
  readonly polynomial?: readonly Uint8Array[];
}

/**
 * Reshares a holder's share to the next epoch's players.
 *
 * 1. The polynomial is synced before any of it is sent, so that a restarted dealer deals the same one.
 * 2. Each player is sent its evaluation until it acknowledges, and whenever it reconnects.
 * 3. The dealing is ready once all players have acknowledged, or all but f after the deadline; the evaluations of the
 *    missing players are revealed in it.
 * 4. The dealer runs until the epoch's last block is final, and then erases everything.
 */
export class ResharingDealer {
  readonly #options: DealerOptions;
  readonly #players: number;
  readonly #acks = new Map<number, Uint8Array>();
  #polynomial: Polynomial = [];
  #commitments: readonly Uint8Array[] = [];
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
        return this.#send(this.#missing());
      case 'deadline':
        this.#late = true;
        return this.#dealing();
      case 'included':
        this.#included = true;
        return [];
      case 'final':
        this.#over = true;
        this.#polynomial = [];
        return [];
    }
  }

  get acknowledged(): number {
    return this.#acks.size;
  }

  #start(): DealerEffect[] {
    if (this.#polynomial.length > 0) return [];
    const { bls, polynomial: kept = [] } = this.#options;
    const fresh = kept.length === 0;
    this.#polynomial = fresh ? this.#draw() : kept.map(expectScalar);
    this.#commitments = commitmentsOf(bls, this.#polynomial);
    const sent = this.#send(this.#missing());
    return fresh ? [{ type: 'persist', polynomial: this.#polynomial.map(encodeScalar) }, ...sent] : sent;
  }

  #draw(): Polynomial {
    const { share, random } = this.#options;
    return randomPolynomial(quorumOf(this.#players), random, expectScalar(share));
  }

  #acknowledged(from: number, { epoch, dealer, ack }: DealtAck): DealerEffect[] {
    const { context, index, crypto } = this.#options;
    // An acknowledgement of another epoch is late, not invalid.
    if (epoch !== context.epoch) return [];
    if (dealer !== index || ack.player !== from) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement of another dealer or player' }];
    }
    const key = context.nextPlayers[from]?.identity_key;
    if (key === undefined || this.#polynomial.length === 0 || this.#acks.has(from)) return [];
    const digest = commitmentsDigest(crypto, this.#commitments);
    const message = ackMessage(context.chainId, { epoch, dealer, digest });
    if (!crypto.ed25519.verify(ack.signature, message, key)) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement of another dealing' }];
    }
    this.#acks.set(from, ack.signature);
    return this.#dealing();
  }

  #missing(): number[] {
    return Array.from({ length: this.#players }, (_, player) => player).filter(
      (player) => !this.#acks.has(player),
    );
  }

  #send(players: readonly number[]): DealerEffect[] {
    if (this.#polynomial.length === 0) return [];
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
          share: encodeScalar(evaluationFor(this.#polynomial, player)),
        },
      }));
  }

  #dealing(): DealerEffect[] {
    const missing = this.#missing();
    if (this.#included || this.#polynomial.length === 0) return [];
    if (missing.length > (this.#late ? maxFaulty(this.#players) : 0)) return [];
    const { context, index, sign } = this.#options;
    const unsigned = {
      epoch: context.epoch,
      dealer: index,
      commitments: this.#commitments,
      acks: [...this.#acks]
        .map(([player, signature]) => ({ player, signature }))
        .sort((a, b) => a.player - b.player),
      reveals: missing.map((player) => ({
        player,
        share: encodeScalar(evaluationFor(this.#polynomial, player)),
      })),
    };
    const signature = sign(dealingMessage(context.chainId, unsigned));
    return [{ type: 'dealing', dealing: { ...unsigned, signature } }];
  }
}

/** Decodes a scalar that this validator stored; the error message never contains it. */
function expectScalar(bytes: Uint8Array): bigint {
  const value = decodeScalar(bytes);
  if (value === undefined) throw new Error('a stored share or coefficient is not a field element');
  return value;
}

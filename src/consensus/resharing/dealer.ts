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

/** What happens to a dealer. */
export type DealerEvent =
  /** The epoch has begun, or the dealer is there again. */
  | { readonly type: 'start' }
  /** @property from who sent it, by index in the next set */
  | { readonly type: 'acknowledged'; readonly from: number; readonly ack: DealtAck }
  /** A player can be reached, perhaps again: it may have lost what it got. */
  | { readonly type: 'connected'; readonly player: number }
  /** Time to send again. */
  | { readonly type: 'again' }
  /** From here on the dealing need not wait for those who may be at fault. */
  | { readonly type: 'deadline' }
  /** The own dealing stands in a final block. */
  | { readonly type: 'included' }
  /** The last block of the epoch is final. */
  | { readonly type: 'final' };

/** What a dealer wants done, in this order; what is persisted is synced before anything behind it. */
export type DealerEffect =
  /** Coefficients, constant first, 32 bytes each. Secret. */
  | { readonly type: 'persist'; readonly polynomial: readonly Uint8Array[] }
  /** For one player's eyes only. */
  | { readonly type: 'send'; readonly player: number; readonly dealt: DealtShare }
  /** To go into a block; in place of the one before, for it reveals less. */
  | { readonly type: 'dealing'; readonly dealing: Dealing }
  /** The player sent what cannot be right. */
  | { readonly type: 'refuse'; readonly player: number; readonly reason: string };

export interface DealerOptions {
  readonly crypto: Pick<Crypto, 'sha256'> & { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> };
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
  /** Signs with the identity key. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly context: DealingContext;
  /** In the present set. */
  readonly index: number;
  /** The share of the present epoch, 32 bytes. */
  readonly share: Uint8Array;
  /** What was persisted in this epoch before, if anything. */
  readonly polynomial?: readonly Uint8Array[];
}

/**
 * A holder that hands its share on to the next epoch's players.
 *
 * 1. Its polynomial is synced before any of it is sent, so that after a restart it deals the same.
 * 2. It sends each player its evaluation until that acknowledges, and whenever the player comes back.
 * 3. Its dealing is ready once all have acknowledged, or, after the deadline, all but f: their evaluations are revealed in it.
 * 4. It goes on until the boundary is final, and then forgets everything.
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

  /** How many players acknowledged. */
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
    // Of another epoch: late, not wrong.
    if (epoch !== context.epoch) return [];
    if (dealer !== index || ack.player !== from) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement for others, or by others' }];
    }
    const key = context.nextPlayers[from]?.identity_key;
    if (key === undefined || this.#polynomial.length === 0 || this.#acks.has(from)) return [];
    const digest = commitmentsDigest(crypto, this.#commitments);
    const message = ackMessage(context.chainId, { epoch, dealer, digest });
    if (!crypto.ed25519.verify(ack.signature, message, key)) {
      return [{ type: 'refuse', player: from, reason: 'an acknowledgement of what was not dealt' }];
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

/** What the validator itself has kept; the number is not part of the message. */
function expectScalar(bytes: Uint8Array): bigint {
  const value = decodeScalar(bytes);
  if (value === undefined) throw new Error('a kept share or coefficient is no number of the field');
  return value;
}

import { sameBytes } from '../../base/same-bytes.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import { weightsAtZero } from '../../crypto/scalars/lagrange.js';
import { decodeScalar, encodeScalar, weightedSum } from '../../crypto/scalars/scalars.js';
import type { Dealing } from '../../generated/ledger.js';
import type { DealtAck, DealtShare, ReceivedShare } from '../../generated/mesh.js';
import type { DealingContext } from '../../ledger/validators/check-dealing.js';
import type { DealtEvaluation } from '../../ledger/validators/check-evaluation.js';
import type { NextSet } from '../../ledger/validators/next-set.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { ValidatorRefusal } from '../../ledger/validators/refusal.js';
import { ackMessage, commitmentsDigest } from '../../ledger/validators/signed-messages.js';

/** Inputs to a player. */
export type PlayerEvent =
  /** @property from the sender's index in the current set */
  | { readonly type: 'dealt'; readonly from: number; readonly dealt: DealtShare }
  /** The result of a requested check. */
  | { readonly type: 'checked'; readonly dealer: number; readonly refusal: ValidatorRefusal | undefined }
  /** The last block of the epoch is final. `dealings` are those of all the epoch's blocks, in block order. */
  | { readonly type: 'final'; readonly dealings: readonly Dealing[]; readonly next: NextSet };

/** A player's effects, in order; persisted data and the share are synced before any later effect. */
export type PlayerEffect =
  /** Task `check_evaluation`, answered with `checked`. */
  | { readonly type: 'check'; readonly dealer: number; readonly evaluation: DealtEvaluation }
  /** All evaluations acknowledged in this epoch. Secret. */
  | { readonly type: 'persist'; readonly received: readonly ReceivedShare[] }
  | { readonly type: 'send'; readonly dealer: number; readonly ack: DealtAck }
  /** The validator's share of the next epoch, 32 bytes. Secret. */
  | { readonly type: 'share'; readonly epoch: bigint; readonly index: number; readonly share: Uint8Array }
  /** The validator has no share: it follows the next epoch without voting. */
  | { readonly type: 'lost'; readonly epoch: bigint; readonly reason: string }
  /** Erase this epoch's persisted evaluations, and the shares of this and earlier epochs. */
  | { readonly type: 'erase'; readonly epoch: bigint }
  /** The dealer sent an invalid message. */
  | { readonly type: 'refuse'; readonly dealer: number; readonly reason: string };

export interface PlayerOptions {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly context: DealingContext;
  /** Index in the next set; undefined for a leaving validator, which keeps its share if there are too few dealings. */
  readonly index?: number;
  /** Index and 32-byte share of the current epoch; undefined for a new validator or if the share is lost. */
  readonly present?: { readonly index: number; readonly share: Uint8Array };
  /** The evaluations persisted earlier in this epoch, if any. */
  readonly received?: readonly ReceivedShare[];
}

/**
 * A player of the next epoch, with or without a share of the current one.
 *
 * 1. It acknowledges one polynomial per dealer, once the dealt evaluation has been checked and synced.
 * 2. When the epoch's last block is final, its new share is combined from the evaluations of the dealings that form
 *    the next set: received ones, or those that a dealing reveals. The share is used only if it matches the share
 *    public key in the next set.
 * 3. Then old shares and evaluations are erased.
 */
export class ResharingPlayer {
  readonly #options: PlayerOptions;
  readonly #received: Map<number, ReceivedShare>;
  /** Evaluations being checked, at most one per dealer. */
  readonly #checking = new Map<number, ReceivedShare>();
  #over = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#received = new Map(options.received?.map((entry) => [entry.dealer, entry]));
  }

  step(event: PlayerEvent): PlayerEffect[] {
    if (this.#over) return [];
    switch (event.type) {
      case 'dealt':
        return this.#dealt(event.from, event.dealt);
      case 'checked':
        return this.#checked(event.dealer, event.refusal);
      case 'final':
        this.#over = true;
        return [
          this.#newShare(event.dealings, event.next),
          { type: 'erase', epoch: this.#options.context.epoch },
        ];
    }
  }

  #dealt(from: number, { epoch, dealer, commitments, share }: DealtShare): PlayerEffect[] {
    const { context, crypto, index } = this.#options;
    // A share of another epoch is late or early, not invalid.
    if (epoch !== context.epoch || index === undefined) return [];
    const refuse = (reason: string): PlayerEffect[] => [{ type: 'refuse', dealer: from, reason }];
    const holder = context.currentSet.validators[from];
    if (holder === undefined || dealer !== from) return refuse("another dealer's share");
    if (commitments.length !== quorumOf(context.nextPlayers.length))
      return refuse('a polynomial of the wrong degree');
    if (!sameBytes(commitments[0] ?? new Uint8Array(0), holder.share_public_key)) {
      return refuse("a polynomial that does not match the dealer's share");
    }
    const dealt = { dealer, commitments_digest: commitmentsDigest(crypto, commitments), share };
    const known = this.#received.get(dealer);
    if (known !== undefined) {
      if (isSame(known, dealt)) return [this.#acknowledge(known)];
      return refuse('a polynomial other than the one acknowledged');
    }
    if (this.#checking.has(dealer)) return [];
    this.#checking.set(dealer, dealt);
    return [{ type: 'check', dealer, evaluation: { commitments, player: index, share } }];
  }

  #checked(dealer: number, refusal: ValidatorRefusal | undefined): PlayerEffect[] {
    const dealt = this.#checking.get(dealer);
    this.#checking.delete(dealer);
    if (dealt === undefined) return [];
    if (refusal !== undefined) return [{ type: 'refuse', dealer, reason: refusal.message }];
    this.#received.set(dealer, dealt);
    const received = [...this.#received.values()].sort((a, b) => a.dealer - b.dealer);
    return [{ type: 'persist', received }, this.#acknowledge(dealt)];
  }

  #acknowledge({ dealer, commitments_digest: digest }: ReceivedShare): PlayerEffect {
    const { context, sign, index = 0 } = this.#options;
    const { chainId, epoch } = context;
    const signature = sign(ackMessage(chainId, { epoch, dealer, digest }));
    return { type: 'send', dealer, ack: { epoch, dealer, ack: { player: index, signature } } };
  }

  #newShare(dealings: readonly Dealing[], { set, reshared }: NextSet): PlayerEffect {
    const { present, context, bls, index: nextIndex } = this.#options;
    const lost = (reason: string): PlayerEffect => ({ type: 'lost', epoch: set.epoch, reason });
    const index = reshared ? nextIndex : present?.index;
    if (index === undefined) return lost('it is not a validator of the next epoch, or has no share to keep');
    const share = reshared ? this.#combine(dealings.slice(0, context.currentSet.quorum)) : present?.share;
    this.#received.clear();
    if (share === undefined) return lost('it lacks evaluations that were dealt to it');
    const key = set.validators[index]?.share_public_key ?? new Uint8Array(0);
    if (decodeScalar(share) === undefined || !sameBytes(bls.publicKey(share), key)) {
      return lost("its share does not match the set's share public key");
    }
    return { type: 'share', epoch: set.epoch, index, share };
  }

  #combine(dealings: readonly Dealing[]): Uint8Array | undefined {
    const evaluations: bigint[] = [];
    for (const dealing of dealings) {
      const evaluation = this.#evaluationOf(dealing);
      if (evaluation === undefined) return undefined;
      evaluations.push(evaluation);
    }
    return encodeScalar(weightedSum(evaluations, weightsAtZero(dealings.map(({ dealer }) => dealer))));
  }

  #evaluationOf({ dealer, commitments, reveals }: Dealing): bigint | undefined {
    const { crypto, index } = this.#options;
    const revealed = reveals.find(({ player }) => player === index);
    if (revealed !== undefined) return decodeScalar(revealed.share);
    const own = this.#received.get(dealer);
    if (own === undefined) return undefined;
    const digest = commitmentsDigest(crypto, commitments);
    return sameBytes(own.commitments_digest, digest) ? decodeScalar(own.share) : undefined;
  }
}

function isSame(one: ReceivedShare, other: ReceivedShare): boolean {
  return sameBytes(one.commitments_digest, other.commitments_digest) && sameBytes(one.share, other.share);
}

import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeys, Sha256 } from '../../crypto/crypto.js';
import { weightsAtZero } from '../../crypto/scalars/lagrange.js';
import { decodeEvaluation, decodeScalar, encodeScalar, weightedSum } from '../../crypto/scalars/scalars.js';
import type { Complaint, Dealing, SealedShare } from '../../generated/ledger.js';
import type { DealtAck, DealtShare, ReceivedShare } from '../../generated/mesh.js';
import { undisputed } from '../../ledger/validators/check-complaint.js';
import type { DealingContext } from '../../ledger/validators/check-dealing.js';
import type { DealtEvaluation } from '../../ledger/validators/check-evaluation.js';
import type { NextSet } from '../../ledger/validators/next-set.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { ValidatorRefusal } from '../../ledger/validators/refusal.js';
import type { OpenedShare } from '../../ledger/validators/sealed-shares.js';
import { ackMessage, commitmentsDigest } from '../../ledger/validators/signed-messages.js';

/** The items of an epoch's final blocks that decide the next shares. */
export interface IncludedItems {
  /** In block order. */
  readonly dealings: readonly Dealing[];
  readonly complaints: readonly Complaint[];
}

export type PlayerEvent =
  /** @property from the sender's index in the current set */
  | { readonly type: 'dealt'; readonly from: number; readonly dealt: DealtShare }
  | { readonly type: 'checked'; readonly dealer: number; readonly refusal: ValidatorRefusal | undefined }
  /** Dealings or complaints of the epoch are in final blocks: all of them so far. */
  | { readonly type: 'included'; readonly items: IncludedItems }
  /** The content of a sealed share; undefined if it could not be read now. */
  | { readonly type: 'opened'; readonly dealer: number; readonly opened: OpenedShare | undefined }
  /** The last block of the epoch is final. `items` are those of all the epoch's blocks. */
  | { readonly type: 'final'; readonly items: IncludedItems; readonly next: NextSet };

/** A player's effects, in order; persisted data and the share are synced before any later effect. */
export type PlayerEffect =
  /** Task `check_evaluation`, answered with `checked`. */
  | { readonly type: 'check'; readonly dealer: number; readonly evaluation: DealtEvaluation }
  /** Task `open_share`, answered with `opened`. */
  | { readonly type: 'open'; readonly dealing: Dealing; readonly sealed: SealedShare }
  /** All evaluations known in this epoch. Secret. */
  | { readonly type: 'persist'; readonly received: readonly ReceivedShare[] }
  | { readonly type: 'send'; readonly dealer: number; readonly ack: DealtAck }
  /** A dealer sealed garbage: to be included in a block of this epoch. */
  | { readonly type: 'complain'; readonly complaint: Complaint }
  /** The validator's share of the next epoch, 32 bytes. Secret. */
  | { readonly type: 'share'; readonly epoch: bigint; readonly index: number; readonly share: Uint8Array }
  /** The validator has no share: it follows the next epoch without voting. */
  | { readonly type: 'lost'; readonly epoch: bigint; readonly reason: string }
  /** Erase this epoch's persisted evaluations, and the shares of this and earlier epochs. */
  | { readonly type: 'erase'; readonly epoch: bigint }
  /** The dealer sent an invalid message. */
  | { readonly type: 'refuse'; readonly dealer: number; readonly reason: string };

export interface PlayerOptions {
  readonly crypto: Sha256;
  readonly bls: BlsKeys;
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
 * 2. It reads an evaluation that a dealing in a block sealed to it, unless it has it already, and complains about
 *    garbage.
 * 3. When the epoch's last block is final, its new share is combined from the evaluations of the dealings that form
 *    the next set. Evaluations that are still sealed are read first. The share is used only if it matches the share
 *    public key in the next set.
 * 4. Then old shares and evaluations are erased.
 */
export class ResharingPlayer {
  readonly #options: PlayerOptions;
  /**
   * Evaluations by dealer: acknowledged ones, and those read from dealings in blocks. A dealer that equivocates may have
   * two; only the first may be acknowledged, also after a restart.
   */
  readonly #received = new Map<number, readonly ReceivedShare[]>();
  /** Evaluations being checked, at most one per dealer. */
  readonly #checking = new Map<number, ReceivedShare>();
  /** Dealings in blocks whose sealed share is being read or was garbage, by dealer. */
  readonly #opening = new Map<number, Dealing>();
  readonly #garbage = new Set<number>();
  /** Once the epoch's last block is final: how it ended, and the dealers whose sealed shares are still being read. */
  #ending:
    | { readonly used: readonly Dealing[]; readonly next: NextSet; readonly left: Set<number> }
    | undefined;
  #over = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
    for (const entry of options.received ?? []) this.#add(entry);
  }

  /** True once the player has its share or has lost it. */
  get isOver(): boolean {
    return this.#over;
  }

  step(event: PlayerEvent): PlayerEffect[] {
    if (this.#over) return [];
    switch (event.type) {
      case 'dealt':
        return this.#dealt(event.from, event.dealt);
      case 'checked':
        return this.#checked(event.dealer, event.refusal);
      case 'included':
        return this.#ending === undefined ? this.#included(event.items) : [];
      case 'opened':
        return this.#opened(event.dealer, event.opened);
      case 'final':
        return this.#final(event.items, event.next);
    }
  }

  #dealt(from: number, { epoch, dealer, commitments, share }: DealtShare): PlayerEffect[] {
    const { context, crypto, index } = this.#options;
    // A share of another epoch is late or early, not invalid.
    if (epoch !== context.epoch || index === undefined || this.#ending !== undefined) return [];
    const refuse = (reason: string): PlayerEffect[] => [{ type: 'refuse', dealer: from, reason }];
    const holder = context.currentSet.validators[from];
    if (holder === undefined || dealer !== from) return refuse("another dealer's share");
    if (commitments.length !== quorumOf(context.nextPlayers.length))
      return refuse('a polynomial of the wrong degree');
    if (!sameBytes(commitments[0] ?? new Uint8Array(0), holder.share_public_key)) {
      return refuse("a polynomial that does not match the dealer's share");
    }
    const dealt = { dealer, commitments_digest: commitmentsDigest(crypto, commitments), share };
    const [known] = this.#received.get(dealer) ?? [];
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
    // Meanwhile, the dealer's dealing may have come in a block.
    if (dealt === undefined || this.#received.has(dealer)) return [];
    if (refusal !== undefined) return [{ type: 'refuse', dealer, reason: refusal.message }];
    return [...this.#keep(dealt), this.#acknowledge(dealt)];
  }

  #keep(share: ReceivedShare): PlayerEffect[] {
    this.#add(share);
    const received = [...this.#received.values()].flat().sort((a, b) => a.dealer - b.dealer);
    return [{ type: 'persist', received }];
  }

  #add(share: ReceivedShare): void {
    this.#received.set(share.dealer, [...(this.#received.get(share.dealer) ?? []), share]);
  }

  #acknowledge({ dealer, commitments_digest: digest }: ReceivedShare): PlayerEffect {
    const { context, sign, index = 0 } = this.#options;
    const { chainId, epoch } = context;
    const signature = sign(ackMessage(chainId, { epoch, dealer, player: index, digest }));
    return { type: 'send', dealer, ack: { epoch, dealer, ack: { player: index, signature } } };
  }

  /** Reads what these dealings sealed to this player, as far as it is new. */
  #included({ dealings, complaints }: IncludedItems): PlayerEffect[] {
    return undisputed(dealings, complaints).flatMap((dealing) => {
      if (this.#opening.has(dealing.dealer) || this.#garbage.has(dealing.dealer)) return [];
      return this.#open(dealing);
    });
  }

  #open(dealing: Dealing): PlayerEffect[] {
    if (this.#evaluationOf(dealing) !== undefined) return [];
    const { index } = this.#options;
    const sealed = dealing.sealed.find(({ player }) => player === index);
    if (sealed === undefined) return [];
    this.#opening.set(dealing.dealer, dealing);
    return [{ type: 'open', dealing, sealed }];
  }

  #opened(dealer: number, opened: OpenedShare | undefined): PlayerEffect[] {
    const dealing = this.#opening.get(dealer);
    this.#opening.delete(dealer);
    if (dealing === undefined) return [];
    const effects: PlayerEffect[] = [];
    if (opened?.type === 'good') {
      const digest = commitmentsDigest(this.#options.crypto, dealing.commitments);
      effects.push(...this.#keep({ dealer, commitments_digest: digest, share: opened.share }));
    } else if (opened?.type === 'garbage') {
      this.#garbage.add(dealer);
      const { complaint } = opened;
      // After the last block it is too late to complain.
      if (complaint !== undefined && this.#ending === undefined)
        effects.push({ type: 'complain', complaint });
    }
    if (this.#ending?.left.delete(dealer) === true && this.#ending.left.size === 0) {
      effects.push(...this.#end());
    }
    return effects;
  }

  #final({ dealings, complaints }: IncludedItems, next: NextSet): PlayerEffect[] {
    const { currentSet } = this.#options.context;
    const used = next.reshared ? undisputed(dealings, complaints).slice(0, currentSet.quorum) : [];
    const missing = used.filter(({ dealer }) => !this.#garbage.has(dealer));
    const opens = missing.flatMap((dealing) => this.#open(dealing));
    const left = opens.flatMap((effect) => (effect.type === 'open' ? [effect.dealing.dealer] : []));
    this.#ending = { used, next, left: new Set(left) };
    return left.length > 0 ? opens : this.#end();
  }

  /** The last effects: the share, or its loss. */
  #end(): PlayerEffect[] {
    this.#over = true;
    const share = this.#newShare();
    this.#received.clear();
    return [share, { type: 'erase', epoch: this.#options.context.epoch }];
  }

  #newShare(): PlayerEffect {
    const { present, bls, index: nextIndex } = this.#options;
    const { used, next } = this.#ending ?? {};
    if (used === undefined || next === undefined) throw new TypeError('the epoch has not ended');
    const { set, reshared } = next;
    const lost = (reason: string): PlayerEffect => ({ type: 'lost', epoch: set.epoch, reason });
    const index = reshared ? nextIndex : present?.index;
    if (index === undefined) return lost('it is not a validator of the next epoch, or has no share to keep');
    const share = reshared ? this.#combine(used) : present?.share;
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

  /** The evaluation of a dealing in a block, if this player knows it. */
  #evaluationOf({ dealer, commitments }: Dealing): bigint | undefined {
    const received = this.#received.get(dealer);
    if (received === undefined) return undefined;
    const digest = commitmentsDigest(this.#options.crypto, commitments);
    const own = received.find(({ commitments_digest }) => sameBytes(commitments_digest, digest));
    return own && decodeEvaluation(own.share);
  }
}

function isSame(one: ReceivedShare, other: ReceivedShare): boolean {
  return sameBytes(one.commitments_digest, other.commitments_digest) && sameBytes(one.share, other.share);
}

import type { Vote, VoteMessage } from './types.js';

/** The votes for one message. */
export interface Tally {
  readonly message: VoteMessage;
  /** Votes of other validators. */
  votes: Vote[];
  own: boolean;
  /** Whether the shell is assembling a certificate from these votes. */
  assembling: boolean;
}

/** `repeated`: this exact vote was already counted; `refused`: the signer's slot is spoiled. */
type Added = Tally | 'repeated' | 'refused' | { readonly conflictsWith: Vote };

// A signer's slot value; 0 means no vote yet.
const COUNTED = 1;
const SPOILED = 2;

/** Votes of one kind in one view, the first of each signer (rule 6). */
export class VoteSlots {
  readonly #tallies: Tally[] = [];
  readonly #slots: Uint8Array;
  /** Number of counted signers other than this node. */
  others = 0;

  constructor(validators: number) {
    this.#slots = new Uint8Array(validators);
  }

  voteOf(signer: number): Vote | undefined {
    for (const { votes } of this.#tallies) {
      for (const vote of votes) if (vote.signer === signer) return vote;
    }
    return undefined;
  }

  /** True unless the vote repeats the signer's counted one or the signer's slot is spoiled. */
  admits(vote: VoteMessage & Pick<Vote, 'signer'>): boolean {
    const slot = this.#slots[vote.signer];
    if (slot !== COUNTED) return slot !== SPOILED;
    const first = this.voteOf(vote.signer);
    return first !== undefined && !sameMessage(first, vote);
  }

  add(vote: Vote): Added {
    const slot = this.#slots[vote.signer];
    if (slot === SPOILED) return 'refused';
    if (slot === COUNTED) {
      const first = this.voteOf(vote.signer);
      return first === undefined || sameMessage(first, vote) ? 'repeated' : { conflictsWith: first };
    }
    this.#slots[vote.signer] = COUNTED;
    this.others++;
    const tally = this.#tallyOf(vote);
    tally.votes.push(vote);
    return tally;
  }

  addOwn(message: VoteMessage): Tally {
    const tally = this.#tallyOf(message);
    tally.own = true;
    return tally;
  }

  /**
   * Removes the votes of these signers for good, because their partial signatures are invalid.
   * @returns the remaining tally if assembly should be retried, including when it failed without any invalid partial
   */
  discardInvalid(message: VoteMessage, signers: readonly number[]): Tally | undefined {
    const tally = this.#tallies.find((one) => sameMessage(one.message, message));
    if (tally === undefined) return undefined;
    const before = tally.votes.length;
    tally.votes = tally.votes.filter(({ signer }) => !signers.includes(signer));
    for (const signer of signers) if (signer < this.#slots.length) this.#slots[signer] = SPOILED;
    this.others -= before - tally.votes.length;
    tally.assembling = false;
    return tally.votes.length < before || signers.length === 0 ? tally : undefined;
  }

  #tallyOf(message: VoteMessage): Tally {
    for (const tally of this.#tallies) if (sameMessage(tally.message, message)) return tally;
    const { kind, epoch, view, parentView, hash } = message;
    const tally = {
      message: { kind, epoch, view, parentView, hash },
      votes: [],
      own: false,
      assembling: false,
    };
    this.#tallies.push(tally);
    return tally;
  }
}

/** Compares two messages of the same kind, epoch and view. */
function sameMessage(a: VoteMessage, b: VoteMessage): boolean {
  return a.hash === b.hash && a.parentView === b.parentView;
}

/** `abandoned` if the participant began a later attempt, or the hash in hex of a genesis that all signed. */
export type EndVote = 'abandoned' | { readonly genesis: string };

/**
 * When the ceremony ends with an attempt, from one participant's side. It knows hashes only; `CeremonyEnding` checks
 * the signatures and keeps the state on disk.
 *
 * 1. Each participant votes on each attempt that it approved: `abandoned` (its hello of a later attempt) or a genesis
 *    that all n signed. An honest one votes once, syncs its vote before it sends it, and after a vote for a genesis
 *    begins no other attempt.
 * 2. With a vote of each of the n: if all abandoned, the attempt is over, and only then does a participant deal in a
 *    later one. Otherwise it confirms the genesis of the lowest index that voted for one.
 * 3. An honest participant confirms one genesis in its life, synced before it sends that, and then takes part in no
 *    other attempt.
 * 4. It ends with a genesis once all n have confirmed that genesis. Everybody relays votes and confirmations, and one
 *    that ended gives all confirmations to the others.
 *
 * *No two honest participants end with different geneses*, even if all others are faulty: each end needs the
 * confirmations of both participants, and by rule 3 each confirms one genesis.
 *
 * *If one honest participant ends, all do*, once its messages arrive: all honest ones have confirmed its genesis, so
 * they hold the record with their share, begin nothing else, and accept the confirmations.
 *
 * *Nobody waits for honest participants only*, unless somebody signed two different votes, which everybody sees and can
 * prove: the votes of n decide alike for everybody that holds the same ones, so all confirm the same genesis, or all
 * deal in the next attempt. In particular a late signature cannot split them: its holder has abandoned the attempt, or
 * its vote counts for all.
 */
export class EndRule {
  readonly #size: number;
  readonly #votes = new Map<number, EndVote>();
  readonly #confirmations = new Map<number, string>();
  readonly #index: number;

  constructor(size: number, index: number) {
    this.#size = size;
    this.#index = index;
  }

  /** Counts a participant's first vote. @returns false if it contradicts an earlier one */
  vote(participant: number, vote: EndVote): boolean {
    const before = this.#votes.get(participant);
    if (before === undefined) this.#votes.set(participant, vote);
    return before === undefined || same(before, vote);
  }

  /** Counts a participant's first confirmation. @returns false if it contradicts an earlier one */
  confirm(participant: number, genesis: string): boolean {
    const before = this.#confirmations.get(participant);
    if (before === undefined) this.#confirmations.set(participant, genesis);
    return before === undefined || before === genesis;
  }

  get ownVote(): EndVote | undefined {
    return this.#votes.get(this.#index);
  }

  get confirmed(): string | undefined {
    return this.#confirmations.get(this.#index);
  }

  /** The result of all votes: the genesis to confirm, or `abandoned`; undefined while votes are missing. */
  get outcome(): EndVote | undefined {
    if (this.missingVotes.length > 0) return undefined;
    const found = this.#everybody().find((participant) => this.#votes.get(participant) !== 'abandoned');
    return found === undefined ? 'abandoned' : this.#votes.get(found);
  }

  get ended(): string | undefined {
    const own = this.confirmed;
    return own !== undefined && this.missingConfirmations.length === 0 ? own : undefined;
  }

  get missingVotes(): number[] {
    return this.#everybody().filter((participant) => !this.#votes.has(participant));
  }

  /** Participants that have not confirmed the genesis that this one confirmed. */
  get missingConfirmations(): number[] {
    const own = this.confirmed;
    return this.#everybody().filter((participant) => this.#confirmations.get(participant) !== own);
  }

  #everybody(): number[] {
    return Array.from({ length: this.#size }, (_, participant) => participant);
  }
}

function same(one: EndVote, other: EndVote): boolean {
  if (one === 'abandoned' || other === 'abandoned') return one === other;
  return one.genesis === other.genesis;
}

import type { Certificate, Vote, VoteMessage, VoteName } from './types.js';
import { VoteSlots } from './vote-slots.js';

/** What is known of one view that is not final: votes, certificates, and what this node signed in it. */
export class ViewRecord {
  readonly view: number;
  readonly #validators: number;
  #slots: { notarize?: VoteSlots; nullify?: VoteSlots; finalize?: VoteSlots } = {};
  notarization: Certificate | undefined;
  nullification: Certificate | undefined;
  /** The leader's first notarize (rule 3). */
  proposal: VoteMessage | undefined;
  /** The proposal can never be voted for. */
  refused = false;
  /** This node was asked to build the proposal of this view. */
  proposing = false;
  /** What this node signed. */
  readonly own: { notarize?: VoteMessage; nullify?: VoteMessage; finalize?: VoteMessage } = {};
  /** Signers of whom evidence was given, by kind. */
  #reported: Set<string> | undefined;

  constructor(view: number, validators: number) {
    this.view = view;
    this.#validators = validators;
  }

  votes(kind: VoteName): VoteSlots {
    let slots = this.#slots[kind];
    if (slots === undefined) {
      slots = new VoteSlots(this.#validators);
      this.#slots[kind] = slots;
    }
    return slots;
  }

  /** All that is kept of a signer. */
  votesOf(signer: number): readonly Vote[] {
    const votes = Object.values(this.#slots).map((slots) => slots.voteOf(signer));
    return votes.filter((vote) => vote !== undefined);
  }

  /** What this node signed and the certificates stay. */
  dropVotes(): void {
    this.#slots = {};
    this.#reported = undefined;
  }

  /** Whether it is the first time that evidence of this signer and kind comes up. */
  markReported(signer: number, kind: VoteName): boolean {
    this.#reported ??= new Set();
    const key = `${kind} ${signer}`;
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }
}

import type { Certificate, Vote, VoteMessage, VoteName } from './types.js';
import { VoteSlots } from './vote-slots.js';

/** State of one view that is not final: votes, certificates, and this node's own votes. */
export class ViewRecord {
  readonly view: number;
  readonly #validators: number;
  #slots: { notarize?: VoteSlots; nullify?: VoteSlots; finalize?: VoteSlots } = {};
  notarization: Certificate | undefined;
  nullification: Certificate | undefined;
  /** The leader's first notarize (rule 3). */
  proposal: VoteMessage | undefined;
  /** Whether the proposal can never be voted for. */
  refused = false;
  /** Whether this node was asked to build the proposal of this view. */
  proposing = false;
  readonly own: { notarize?: VoteMessage; nullify?: VoteMessage; finalize?: VoteMessage } = {};
  /** Signers already reported as evidence, with the vote kind. */
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

  votesOf(signer: number): readonly Vote[] {
    const votes = Object.values(this.#slots).map((slots) => slots.voteOf(signer));
    return votes.filter((vote) => vote !== undefined);
  }

  /** Drops peers' votes; own votes and certificates stay. */
  dropVotes(): void {
    this.#slots = {};
    this.#reported = undefined;
  }

  isReported(signer: number, kind: VoteName): boolean {
    return this.#reported?.has(`${kind} ${signer}`) ?? false;
  }

  /** True on the first evidence of this signer and kind. */
  markReported(signer: number, kind: VoteName): boolean {
    if (this.isReported(signer, kind)) return false;
    this.#reported ??= new Set();
    this.#reported.add(`${kind} ${signer}`);
    return true;
  }
}

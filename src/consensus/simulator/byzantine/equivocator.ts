import type { VoteMessage } from '../../core/types.js';
import { type SimBlock, signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Proposes two blocks in its views, each to a part of the others, and votes for both; some of them are invalid. */
export class Equivocator extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    const block = hash === undefined ? undefined : this.held(hash);
    if (block === undefined || to !== undefined) {
      super.sendVote(message, hash, to);
      return;
    }
    const { random, scenario } = this.world;
    const { hash: _, ...facts } = block;
    const other = this.world.build({ ...facts, valid: random.chance(0.8), transactions: [] });
    for (let peer = 0; peer < scenario.validators; peer++) {
      if (peer === this.index) continue;
      const both = random.chance(0.2);
      const first = random.chance(0.5);
      if (first || both) this.#propose(peer, message, block);
      if (!first || both) this.#propose(peer, message, other);
    }
  }

  #propose(to: number, message: VoteMessage, block: SimBlock): void {
    this.transmit(to, { type: 'block', block });
    for (const kind of ['notarize', 'finalize'] as const) {
      const vote = { ...message, kind, hash: block.hash };
      this.world.noteVote(vote, this.index, false);
      this.transmit(to, { type: 'vote', vote: signedVote(vote, this.index) });
    }
  }
}

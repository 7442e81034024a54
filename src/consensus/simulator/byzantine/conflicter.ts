import type { VoteMessage } from '../../core/types.js';
import { signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Gives beside each of its votes others of the same kind and view: for another block, or on another parent. */
export class Conflicter extends SimNode {
  override readonly honest = false;
  #lastHash = '';

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    super.sendVote(message, hash, to);
    if (message.kind === 'nullify') return;
    const { random, scenario } = this.world;
    const others: VoteMessage[] = [
      { ...message, parentView: random.below(message.view) },
      { ...message, hash: this.#lastHash },
      { ...message, kind: 'finalize' },
    ];
    this.#lastHash = message.hash;
    for (let peer = 0; peer < scenario.validators; peer++) {
      if (peer === this.index) continue;
      const vote = random.pick(others);
      this.world.noteVote(vote, this.index, false);
      this.transmit(peer, { type: 'vote', vote: signedVote(vote, this.index) });
    }
  }
}

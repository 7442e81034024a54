import type { VoteMessage } from '../../core/types.js';
import { BAD, signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Votes in others' names, with partial signatures that are none, and shows certificates that nobody signed. */
export class Impersonator extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    if (hash !== undefined) super.sendVote(message, hash, to);
    const { random, scenario } = this.world;
    for (let peer = 0; peer < scenario.validators; peer++) {
      if (peer === this.index) continue;
      const other = random.below(scenario.validators);
      this.transmit(peer, { type: 'vote', vote: signedVote(message, other) });
      this.transmit(peer, { type: 'vote', vote: signedVote(message, this.index, BAD) });
      const forged = { ...message, view: message.view + random.below(20), signature: BAD };
      this.transmit(peer, { type: 'certificate', certificate: forged });
    }
  }
}

import type { VoteMessage } from '../../core/types.js';
import { signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Votes in views and epochs that are over, or far from begun. */
export class Outdated extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, _: string | undefined, to: number | undefined): void {
    const { random, scenario } = this.world;
    const view = Math.max(1, message.view + random.between(-25, random.chance(0.3) ? 40 : 0));
    const epoch = Math.max(0, message.epoch + random.between(-1, random.chance(0.1) ? 1 : 0));
    const parentView = Math.min(message.parentView, view - 1);
    const vote = signedVote({ ...message, view, epoch, parentView }, this.index);
    this.world.noteVote(vote, this.index, false);
    for (let peer = 0; peer < scenario.validators; peer++) {
      if (peer !== this.index && (to === undefined || to === peer))
        this.transmit(peer, { type: 'vote', vote });
    }
  }
}

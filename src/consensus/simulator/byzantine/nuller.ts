import { NO_BLOCK, type VoteMessage } from '../../core/types.js';
import { signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Nullifies and finalizes both, in every view. */
export class Nuller extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    super.sendVote(message, hash, to);
    this.#broadcast({ ...message, kind: 'nullify', parentView: 0, hash: NO_BLOCK });
    if (message.kind === 'notarize') this.#broadcast({ ...message, kind: 'finalize' });
  }

  #broadcast(message: VoteMessage): void {
    this.world.noteVote(message, this.index, false);
    for (let peer = 0; peer < this.world.scenario.validators; peer++) {
      if (peer !== this.index) this.transmit(peer, { type: 'vote', vote: signedVote(message, this.index) });
    }
  }
}

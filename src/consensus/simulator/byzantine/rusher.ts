import type { Vote } from '../../core/types.js';
import { type Packet, signedVote } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Signs whatever it sees, to the end, before anything is checked; and proposes before its views have begun. */
export class Rusher extends SimNode {
  override readonly honest = false;
  /** What it has signed already, so that two of its kind do not answer each other for ever. */
  readonly #rushed = new Set<string>();

  override receive(from: number, packet: Packet): void {
    if (this.alive && packet.type === 'vote' && packet.vote.kind !== 'nullify') this.#rush(packet.vote);
    super.receive(from, packet);
  }

  #rush(seen: Vote): void {
    const message = `${seen.epoch}/${seen.view}/${seen.parentView}/${seen.hash}`;
    if (this.#rushed.has(message)) return;
    this.#rushed.add(message);
    const { random, scenario } = this.world;
    for (const kind of ['notarize', 'finalize'] as const) {
      const vote = signedVote({ ...seen, kind }, this.index);
      this.world.noteVote(vote, this.index, false);
      for (let peer = 0; peer < scenario.validators; peer++) {
        if (peer !== this.index && random.chance(0.3)) this.transmit(peer, { type: 'vote', vote });
      }
    }
    if (random.chance(0.2)) this.#proposeAhead(seen);
  }

  #proposeAhead({ epoch, view: seenView, hash }: Vote): void {
    const parent = this.world.blocks.get(hash);
    const { validators } = this.world.scenario;
    let view = seenView + 1;
    while ((view + epoch) % validators !== this.index) view++;
    if (parent === undefined) return;
    const block = this.world.build({
      parentHash: hash,
      height: parent.height + 1,
      epoch,
      view,
      proposer: this.index,
      timestampMs: parent.timestampMs + 1,
      transactions: [],
      valid: true,
    });
    const message = { kind: 'notarize', epoch, view, parentView: seenView, hash: block.hash } as const;
    this.world.noteVote(message, this.index, false);
    for (let peer = 0; peer < validators; peer++) {
      if (peer === this.index) continue;
      this.transmit(peer, { type: 'block', block });
      this.transmit(peer, { type: 'vote', vote: signedVote(message, this.index) });
    }
  }
}

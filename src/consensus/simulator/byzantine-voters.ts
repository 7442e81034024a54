import { NO_BLOCK, type Vote, type VoteMessage } from '../core/types.js';
import { BAD, type Packet, type SimBlock, signedVote } from './model.js';
import { SimNode } from './sim-node.js';

/** Proposes two blocks in each of its views, each to some of its peers, and votes for both. The second may be invalid. */
export class Equivocator extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    const block = hash === undefined ? undefined : this.held(hash);
    if (block === undefined || to !== undefined) {
      super.sendVote(message, hash, to);
      return;
    }
    const { random } = this.world;
    const { hash: _, ...facts } = block;
    const other = this.world.build({ ...facts, valid: random.chance(0.8), transactions: [] });
    for (const peer of this.peers) {
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

/** Sends a conflicting vote with each of its votes: for another block, or on another parent. */
export class Conflicter extends SimNode {
  override readonly honest = false;
  #lastHash = '';

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    super.sendVote(message, hash, to);
    if (message.kind === 'nullify') return;
    const { random } = this.world;
    const others: VoteMessage[] = [
      { ...message, parentView: random.below(message.view) },
      { ...message, hash: this.#lastHash },
      { ...message, kind: 'finalize' },
    ];
    this.#lastHash = message.hash;
    for (const peer of this.peers) {
      const vote = random.pick(others);
      this.world.noteVote(vote, this.index, false);
      this.transmit(peer, { type: 'vote', vote: signedVote(vote, this.index) });
    }
  }
}

/** Both nullifies and finalizes every view. */
export class Nuller extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    super.sendVote(message, hash, to);
    this.#broadcast({ ...message, kind: 'nullify', parentView: 0, hash: NO_BLOCK });
    if (message.kind === 'notarize') this.#broadcast({ ...message, kind: 'finalize' });
  }

  #broadcast(message: VoteMessage): void {
    this.world.noteVote(message, this.index, false);
    const vote = signedVote(message, this.index);
    for (const peer of this.peers) this.transmit(peer, { type: 'vote', vote });
  }
}

/** Votes in the name of others, with invalid partial signatures, and sends forged certificates. */
export class Impersonator extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, hash: string | undefined, to: number | undefined): void {
    if (hash !== undefined) super.sendVote(message, hash, to);
    const { random, scenario } = this.world;
    for (const peer of this.peers) {
      const other = random.below(scenario.validators);
      this.transmit(peer, { type: 'vote', vote: signedVote(message, other) });
      this.transmit(peer, { type: 'vote', vote: signedVote(message, this.index, BAD) });
      const forged = { ...message, view: message.view + random.below(20), signature: BAD };
      this.transmit(peer, { type: 'certificate', certificate: forged });
    }
  }
}

/** Votes in past and far future views and epochs. */
export class Outdated extends SimNode {
  override readonly honest = false;

  protected override sendVote(message: VoteMessage, _: string | undefined, to: number | undefined): void {
    const { random } = this.world;
    const view = Math.max(1, message.view + random.between(-25, random.chance(0.3) ? 40 : 0));
    const epoch = Math.max(0, message.epoch + random.between(-1, random.chance(0.1) ? 1 : 0));
    const parentView = Math.min(message.parentView, view - 1);
    const vote = signedVote({ ...message, view, epoch, parentView }, this.index);
    this.world.noteVote(vote, this.index, false);
    for (const peer of this.peers) {
      if (to === undefined || to === peer) this.transmit(peer, { type: 'vote', vote });
    }
  }
}

/** Notarizes and finalizes every block that it sees a vote for, and proposes before its views begin. */
export class Rusher extends SimNode {
  override readonly honest = false;
  /** Messages already signed, so that two rushers do not answer each other forever. */
  readonly #rushed = new Set<string>();

  override receive(from: number, packet: Packet): void {
    if (this.alive && packet.type === 'vote' && packet.vote.kind !== 'nullify') this.#rush(packet.vote);
    super.receive(from, packet);
  }

  #rush(seen: Vote): void {
    const message = `${seen.epoch}/${seen.view}/${seen.parentView}/${seen.hash}`;
    if (this.#rushed.has(message)) return;
    this.#rushed.add(message);
    const { random } = this.world;
    for (const kind of ['notarize', 'finalize'] as const) {
      const vote = signedVote({ ...seen, kind }, this.index);
      this.world.noteVote(vote, this.index, false);
      for (const peer of this.peers) {
        if (random.chance(0.3)) this.transmit(peer, { type: 'vote', vote });
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
    for (const peer of this.peers) {
      this.transmit(peer, { type: 'block', block });
      this.transmit(peer, { type: 'vote', vote: signedVote(message, this.index) });
    }
  }
}

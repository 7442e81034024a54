// Validators of one process, connected by function calls.
import assert from 'node:assert/strict';
import type { Vote } from '../../../src/consensus/core/types.js';
import type { Network, PeerMessage } from '../../../src/consensus/shell/ports.js';

/** A validator as the network sees it. */
export interface Member {
  receive(from: number, message: PeerMessage): void;
  onPeerConnected(peer: number): void;
  onPeerDisconnected(peer: number): void;
}

/** Replaces a message from one validator to another; an empty list loses it. */
export type Tamper = (message: PeerMessage, from: number, to: number) => readonly PeerMessage[];

/** A network that connects all running nodes, except for dropped peers. */
export class FakeNetwork {
  /** Running nodes by index. */
  readonly #members = new Map<number, Member>();
  readonly #votes = new Map<string, Vote>();
  readonly #cut = new Set<string>();
  /** Peers that validators dropped, with reasons. */
  readonly drops: { readonly by: number; readonly peer: number; readonly reason: string }[] = [];
  /** Validators that may equivocate. */
  readonly dishonest = new Set<number>();
  tamper: Tamper = (message) => [message];
  /** Messages by type. */
  readonly counts = new Map<string, number>();

  /** The network as seen by one validator. */
  of(self: number): Network {
    return {
      connected: () => [...this.#members.keys()].filter((peer) => this.#reaches(self, peer)),
      send: (to, message) => this.#send(self, to, message),
      broadcast: (message) => {
        for (const to of this.#members.keys()) this.#send(self, to, message);
      },
      drop: (peer, reason) => {
        this.drops.push({ by: self, peer, reason });
        this.cut(self, peer);
      },
      enterEpoch: () => (former) => former,
      peers: () =>
        [...this.#members.keys()]
          .filter((peer) => peer !== self)
          .map((index) => ({ index, address: '', connected: this.#reaches(self, index) })),
    };
  }

  /** Adds a running node. */
  join(self: number, member: Member): void {
    this.#members.set(self, member);
    for (const [peer, other] of this.#members) {
      if (!this.#reaches(self, peer)) continue;
      other.onPeerConnected(self);
      member.onPeerConnected(peer);
    }
  }

  leave(self: number): void {
    this.#members.delete(self);
    for (const other of this.#members.values()) other.onPeerDisconnected(self);
  }

  /** Ends the connection of two nodes for good. */
  cut(one: number, other: number): void {
    if (!this.#reaches(one, other)) return;
    this.#cut.add(nameOf(one, other));
    this.#members.get(one)?.onPeerDisconnected(other);
    this.#members.get(other)?.onPeerDisconnected(one);
  }

  #reaches(one: number, other: number): boolean {
    return one !== other && this.#members.has(other) && !this.#cut.has(nameOf(one, other));
  }

  #send(from: number, to: number, message: PeerMessage): void {
    if (!this.#members.has(from) || !this.#reaches(from, to)) return;
    for (const sent of this.tamper(message, from, to)) {
      this.#watch(from, sent);
      this.counts.set(sent.type, (this.counts.get(sent.type) ?? 0) + 1);
      setImmediate(() => {
        if (this.#reaches(from, to)) this.#members.get(to)?.receive(from, sent);
      });
    }
  }

  /** Asserts that honest validators never equivocate, even across restarts. */
  #watch(from: number, message: PeerMessage): void {
    if (message.type !== 'vote' && message.type !== 'proposal') return;
    if (this.dishonest.has(from)) return;
    const { vote } = message;
    const name = `${vote.kind} ${vote.epoch} ${vote.view} ${vote.signer}`;
    const before = this.#votes.get(name);
    this.#votes.set(name, vote);
    if (before !== undefined) assert.deepEqual(vote, before, `${name} differs from the one before`);
    const excluded = vote.kind === 'nullify' ? 'finalize' : vote.kind === 'finalize' ? 'nullify' : undefined;
    assert.ok(
      excluded === undefined || !this.#votes.has(`${excluded} ${vote.epoch} ${vote.view} ${vote.signer}`),
      `validator ${from} nullified and finalized view ${vote.view}`,
    );
  }
}

function nameOf(one: number, other: number): string {
  return `${Math.min(one, other)} ${Math.max(one, other)}`;
}

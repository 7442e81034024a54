import { Throttle } from '../../base/throttle.js';

/** Minimum interval in milliseconds between position messages, and between position requests, to a peer (rule 6). */
const TELL_EACH_MS = 1_000;

export class PeerStates {
  readonly #connected: boolean[];
  readonly #told: readonly Throttle[];
  readonly #asked: readonly Throttle[];
  readonly #self: number;
  /** Highest view in which each validator voted. */
  readonly lastVotes: number[];

  constructor(validators: number, self: number, connected: readonly number[]) {
    this.#self = self;
    this.#connected = new Array<boolean>(validators).fill(false);
    for (const peer of connected) if (this.#isPeer(peer)) this.#connected[peer] = true;
    this.#told = throttles(validators);
    this.#asked = throttles(validators);
    this.lastVotes = new Array<number>(validators).fill(0);
  }

  setConnected(peer: number, connected: boolean): boolean {
    if (!this.#isPeer(peer)) return false;
    this.#connected[peer] = connected;
    return true;
  }

  noteVote(signer: number, view: number): void {
    if (view > (this.lastVotes[signer] ?? view)) this.lastVotes[signer] = view;
  }

  /** True if this node may send the peer its position now; a true result counts as sent. */
  mayTell(peer: number, nowMs: number): boolean {
    return this.#isPeer(peer) && this.#told[peer]?.admits(nowMs) === true;
  }

  mayAsk(peer: number, nowMs: number): boolean {
    return this.#isPeer(peer) && this.#asked[peer]?.admits(nowMs) === true;
  }

  /** The peer to ask at the given attempt: connected peers in index order, starting at `first`. */
  nextPeer(first: number, attempt: number): number | undefined {
    const order: number[] = [];
    const count = this.#connected.length;
    for (let i = 0; i < count; i++) {
      const peer = (first + i) % count;
      if (this.#connected[peer] === true) order.push(peer);
    }
    return order.length === 0 ? undefined : order[attempt % order.length];
  }

  #isPeer(peer: number): boolean {
    return Number.isInteger(peer) && peer >= 0 && peer < this.#connected.length && peer !== this.#self;
  }
}

function throttles(validators: number): Throttle[] {
  return Array.from({ length: validators }, () => new Throttle(TELL_EACH_MS));
}

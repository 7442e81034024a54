import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { clientOfAddress } from '../config/host.js';
import { TokenBucket } from './rate-limit.js';

/** How many strangers may be at the door. */
export interface GateLimits {
  /** Sockets that have not proven an identity. */
  readonly total: number;
  /** Of these, from one address (IPv6: one network). */
  readonly perAddress: number;
  /** Handshakes that one address may begin in the long run; ten times as many at once. */
  readonly handshakesPerSecond: number;
}

/** Addresses whose rate is remembered. */
const REMEMBERED_ADDRESSES = 4_096;

/**
 * Bounds the sockets whose owner is not known yet, and how often an address makes this node do a handshake. Where there are
 * too many, the oldest has to go: a handshake takes milliseconds, so who has been at it for longest is the least likely to
 * ever finish it.
 */
export class HandshakeGate {
  readonly #limits: GateLimits;
  readonly #now: () => number;
  /** In the order in which they came. */
  readonly #sockets = new Map<Socket, string>();
  readonly #rates = new LRUCache<string, TokenBucket>({ max: REMEMBERED_ADDRESSES });
  readonly #onRefused: () => void;

  /**
   * @param now milliseconds of a clock that never goes back
   * @param onRefused called for each socket that is turned away, at once or for a later one
   */
  constructor(bounds: GateLimits, now: () => number, onRefused: () => void) {
    this.#limits = bounds;
    this.#now = now;
    this.#onRefused = onRefused;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** @returns false where the socket is to be closed at once */
  enter(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // Already gone.
    if (remoteAddress === undefined) return false;
    const owner = clientOfAddress(remoteAddress.replace(/^::ffff:(?=\d+\.)/, ''));
    if (!this.#rateOf(owner).take(1, this.#now())) {
      this.#onRefused();
      return false;
    }
    const sameOwner = [...this.#sockets].filter(([, other]) => other === owner);
    if (sameOwner.length >= this.#limits.perAddress) this.#reject(sameOwner[0]?.[0]);
    else if (this.#sockets.size >= this.#limits.total) this.#reject(this.#sockets.keys().next().value);
    this.#sockets.set(socket, owner);
    return true;
  }

  /** The socket has proven an identity, or is gone. */
  leave(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** Closes all that are at it. */
  close(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#sockets.clear();
  }

  #reject(socket: Socket | undefined): void {
    if (socket === undefined) return;
    this.#onRefused();
    this.#sockets.delete(socket);
    socket.destroy();
  }

  #rateOf(owner: string): TokenBucket {
    const known = this.#rates.get(owner);
    if (known !== undefined) return known;
    const { handshakesPerSecond } = this.#limits;
    const rate = new TokenBucket(handshakesPerSecond, handshakesPerSecond * 10, this.#now());
    this.#rates.set(owner, rate);
    return rate;
  }
}

import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { LeakyBucket, LeakyBuckets } from '../async/gcra.js';
import { clientOfAddress } from '../config/host.js';

/** Limits on sockets that have not proven an identity. */
export interface GateLimits {
  /** Maximum number of such sockets. */
  readonly total: number;
  /** Maximum number from one address (IPv6: one network). */
  readonly perAddress: number;
  /** Sustained rate of handshakes per address; the burst is ten times that. */
  readonly handshakesPerSecond: number;
  /** Sustained rate for all addresses together but those of allowed peers; the burst is twice that. */
  readonly strangersPerSecond: number;
}

/** Maximum number of allowed peers whose address is remembered. */
const REMEMBERED_PEERS = 1_024;

/**
 * Bounds the sockets that have not proven an identity, and the handshakes that one address can cause. At the limit the
 * oldest socket is closed: a handshake takes milliseconds, so the oldest is the least likely to complete. A handshake
 * also takes a millisecond of this thread, so all strangers share one rate, even from many addresses. The last address
 * of each allowed peer is exempt from it.
 */
export class HandshakeGate {
  readonly #limits: GateLimits;
  readonly #now: () => number;
  readonly #sockets = new Map<Socket, string>();
  readonly #rates: LeakyBuckets<string>;
  readonly #strangers: LeakyBucket;
  /** The last address of each allowed peer, by its identity. */
  readonly #addresses = new LRUCache<string, string>({ max: REMEMBERED_PEERS });
  readonly #onRefused: () => void;

  /** @param onRefused called for each socket that is closed, at once or to make room for a later one */
  constructor(limits: GateLimits, now: () => number, onRefused: () => void) {
    this.#limits = limits;
    this.#now = now;
    this.#onRefused = onRefused;
    const { handshakesPerSecond, strangersPerSecond } = limits;
    const perAddress = { perSecond: handshakesPerSecond, burst: handshakesPerSecond * 10 };
    this.#rates = new LeakyBuckets(perAddress, now);
    this.#strangers = new LeakyBucket({ perSecond: strangersPerSecond, burst: strangersPerSecond * 2 });
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** @returns false if the socket must be closed at once */
  enter(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // The socket is already closed.
    if (remoteAddress === undefined) return false;
    const owner = ownerOf(remoteAddress);
    if (!this.#rates.take(owner, 1) || !this.#admits(owner)) {
      this.#onRefused();
      return false;
    }
    const sameOwner = [...this.#sockets].filter(([, other]) => other === owner);
    if (sameOwner.length >= this.#limits.perAddress) this.#reject(sameOwner[0]?.[0]);
    else if (this.#sockets.size >= this.#limits.total) this.#reject(this.#sockets.keys().next().value);
    this.#sockets.set(socket, owner);
    return true;
  }

  /** Called when the socket has proven the identity of an allowed peer. */
  noteAllowed({ remoteAddress }: Socket, identity: string): void {
    if (remoteAddress !== undefined) this.#addresses.set(identity, ownerOf(remoteAddress));
  }

  /** Called when the socket has proven an identity or closed. */
  leave(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  close(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#sockets.clear();
  }

  #admits(owner: string): boolean {
    for (const known of this.#addresses.values()) if (known === owner) return true;
    return this.#strangers.take(1, this.#now());
  }

  #reject(socket: Socket | undefined): void {
    if (socket === undefined) return;
    this.#onRefused();
    this.#sockets.delete(socket);
    socket.destroy();
  }
}

function ownerOf(remoteAddress: string): string {
  return clientOfAddress(remoteAddress.replace(/^::ffff:(?=\d+\.)/, ''));
}

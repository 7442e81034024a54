/**
 * The validators' mesh: every allowed identity is connected to every other over mutual TLS 1.3, and they exchange typed
 * messages. The mesh only transports messages; their meaning is up to the handlers.
 *
 * 1. A peer is identified by its ed25519 key. Either side closes a connection at the end of its handshake if the other
 *    shows no key, or one that is not allowed. Then each end sends a hello: protocol version, chain id, chain.
 * 2. Both ends dial each other. Of two connections, the one dialed by the lower index stays (ends without an index come
 *    last, ordered by key), and the other still delivers messages in flight. A connection too old to have been dialed
 *    at the same time yields to a new one, because the other end must have lost it.
 * 3. Delivery is in order within a class and at most once. Messages queued for a peer that disconnects are discarded;
 *    senders must resend what matters when the peer reconnects.
 * 4. Send queues are bounded by class, received traffic by kind. An invalid message drops the peer and bans it for a
 *    growing time; nothing a peer sends makes the mesh throw.
 */

import type { TLSSocket } from 'node:tls';
import { errorStack } from '../base/source-positions.js';
import type { Log } from '../config/log.js';
import type { Ed25519 } from '../crypto/crypto.js';
import { toHex } from '../idl/hex.js';
import { quorumOf } from '../ledger/validators/quorum.js';
import type { Message } from './connection.js';
import type { Endpoint } from './endpoint.js';
import { FRAME_KINDS, type FrameValues, MESH_VERSION, type MessageKind } from './frame-kinds.js';
import type { GateLimits } from './handshake-gate.js';
import { Listener } from './listener.js';
import { increment, MeshCounts } from './mesh-counts.js';
import { type CloseReason, MeshError, PeerFault, type PeerFaultCode } from './mesh-error.js';
import { type MeshPeer, Peer, type PeerContext, type PeerReport } from './peer.js';
import { channelOptions, identityCertificate } from './secure-channel.js';
import { MESH_TIMING, type MeshTiming } from './timing.js';

export type { Endpoint } from './endpoint.js';
export type { MeshPeer, PeerReport } from './peer.js';

const GATE: GateLimits = { total: 128, perAddress: 32, handshakesPerSecond: 20, strangersPerSecond: 100 };

export interface AllowedPeer {
  /** ed25519 public key, 32 bytes. */
  readonly identityKey: Uint8Array;
  /** Index in the current validator set; undefined for identities that are not in it (yet). */
  readonly index?: number | undefined;
  /** The address the peer listens on; undefined if it cannot be dialed. */
  readonly endpoint?: Endpoint | undefined;
}

export interface MeshOptions {
  /** This node's ed25519 private key, 32 bytes. */
  readonly identitySeed: Uint8Array;
  readonly chainId: bigint;
  /** Hash of the genesis block or, before there is one, of the ceremony's configuration; 32 bytes. */
  readonly chain: Uint8Array;
  readonly listen: Endpoint;
  /** The initial peers; see {@link Mesh.setPeers}. */
  readonly peers: readonly AllowedPeer[];
  readonly ed25519: Ed25519;
  readonly log: Log;
  readonly timing?: Partial<MeshTiming>;
  readonly gate?: Partial<GateLimits>;
  /** Factor for the rates a peer may send at; default 1. */
  readonly rateScale?: number;
  /** Random number, 0 ≤ value < 1, for backoff jitter; default Math.random. */
  readonly random?: () => number;
}

/** Handles messages of one kind. While the returned promise is pending, the message counts as being processed. */
export type Handler<K extends MessageKind> = (peer: MeshPeer, value: FrameValues[K]) => void | Promise<void>;

/** A peer's index in the current validator set, or its identity in hex. */
export type PeerReference = number | string;

export class Mesh {
  readonly #options: MeshOptions;
  /** This node's ed25519 public key in hex. */
  readonly identity: string;
  readonly counts = new MeshCounts();
  readonly #peers = new Map<string, Peer>();
  readonly #byIndex = new Map<number, Peer>();
  readonly #handlers = new Map<MessageKind, (peer: MeshPeer, message: Message) => void | Promise<void>>();
  readonly #connected: ((peer: MeshPeer) => void)[] = [];
  readonly #disconnected: ((peer: MeshPeer, why: PeerFaultCode | CloseReason) => void)[] = [];
  #allowed: readonly AllowedPeer[];
  #ownIndex: number | undefined;
  #context: PeerContext | undefined;
  #listener: Listener | undefined;
  #endpoint: Endpoint | undefined;
  #hasStopped = false;

  constructor(options: MeshOptions) {
    this.#options = options;
    this.identity = toHex(options.ed25519.publicKey(options.identitySeed));
    this.#allowed = options.peers;
  }

  /** The address this node listens on, with the actual port; undefined while it does not listen. */
  get endpoint(): Endpoint | undefined {
    return this.#endpoint;
  }

  get unidentifiedSockets(): number {
    return this.#listener?.unidentifiedSockets ?? 0;
  }

  /** Starts listening and dials the peers. @throws MeshError `listen_failed` */
  async start(): Promise<void> {
    const { identitySeed, ed25519, chainId, chain, listen, log } = this.#options;
    const channel = channelOptions(await identityCertificate(ed25519, identitySeed));
    const timing = { ...MESH_TIMING, ...this.#options.timing };
    const shared = { channel, timing, counters: this.counts, log, now: () => performance.now() };
    const listener = new Listener({
      ...shared,
      listen,
      gate: { ...GATE, ...this.#options.gate },
      onIdentified: (socket, identityKey) => this.#accept(socket, identityKey),
    });
    const endpoint = await listener.start();
    if (this.#hasStopped) {
      await listener.stop();
      return;
    }
    this.#endpoint = endpoint;
    this.#listener = listener;
    this.#context = {
      ...shared,
      ownIdentity: this.identity,
      ownIndex: () => this.#ownIndex,
      hello: { version: MESH_VERSION, chain_id: chainId, chain },
      wallNow: Date.now,
      random: this.#options.random ?? Math.random,
      rateScale: this.#options.rateScale ?? 1,
      dispatch: (peer, message) => this.#dispatch(peer, message),
      dialed: ({ identity }, socket) => listener.noteAllowed(socket, identity),
      connected: (peer) => this.#notify(this.#connected, peer),
      disconnected: (peer, why) => {
        this.#notify(this.#disconnected, peer, why);
        if (!this.#lacksQuorum()) return;
        // Bans are shorter without a quorum, so scheduled redials are moved forward.
        for (const each of this.#byIndex.values()) each.expediteRedial();
      },
      lacksQuorum: () => this.#lacksQuorum(),
    };
    this.setPeers(this.#allowed);
  }

  /** Closes all connections and the port; a stopped mesh cannot be restarted. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    this.#context = undefined;
    for (const peer of this.#peers.values()) peer.close('stopped');
    this.#peers.clear();
    this.#byIndex.clear();
    this.#endpoint = undefined;
    await this.#listener?.stop();
    this.#listener = undefined;
  }

  /** Replaces the allowed peers, and disconnects others. This node may be among them, to set its index. */
  setPeers(allowed: readonly AllowedPeer[]): void {
    this.#allowed = allowed;
    const context = this.#context;
    if (context === undefined) return;
    const wanted = new Map(allowed.map((peer) => [toHex(peer.identityKey), peer]));
    this.#ownIndex = wanted.get(this.identity)?.index;
    wanted.delete(this.identity);
    for (const [identity, peer] of [...this.#peers]) {
      if (wanted.has(identity)) continue;
      this.#peers.delete(identity);
      peer.close('removed');
    }
    this.#byIndex.clear();
    for (const [identity, { identityKey, index, endpoint }] of wanted) {
      const peer = this.#peers.get(identity) ?? new Peer(identityKey, context);
      this.#peers.set(identity, peer);
      if (index !== undefined) this.#byIndex.set(index, peer);
      peer.update(index, endpoint);
    }
  }

  /** Sets the handler of a kind; there is one per kind. Messages of kinds without a handler are ignored. */
  on<K extends MessageKind>(kind: K, handler: Handler<K>): void {
    this.#handlers.set(kind, (peer, message) => handler(peer, message.value as FrameValues[K]));
  }

  /** Registers a listener called once both ends have said hello. Messages sent by the listener go out first. */
  onConnected(listener: (peer: MeshPeer) => void): void {
    this.#connected.push(listener);
  }

  /** Registers a listener called once no connection to a peer remains. */
  onDisconnected(listener: (peer: MeshPeer, why: PeerFaultCode | CloseReason) => void): void {
    this.#disconnected.push(listener);
  }

  /**
   * Sends a message to one peer.
   * @returns false if the peer is not connected or its queue is full
   * @throws MeshError `frame_too_large`; BorshError if the value does not match the kind's type
   */
  send<K extends MessageKind>(to: PeerReference, kind: K, value: FrameValues[K]): boolean {
    const peer = this.#peerOf(to);
    return peer?.isConnected === true && peer.send(FRAME_KINDS[kind], encoded(kind, value));
  }

  /**
   * Sends a message to all connected peers, encoded once.
   * @returns the number of peers it was queued for
   * @throws MeshError `frame_too_large`; BorshError if the value does not match the kind's type
   */
  broadcast<K extends MessageKind>(kind: K, value: FrameValues[K]): number {
    const payload = encoded(kind, value);
    let taken = 0;
    for (const peer of [...this.#peers.values()]) if (peer.send(FRAME_KINDS[kind], payload)) taken++;
    return taken;
  }

  /** Drops a peer that sent something invalid, and bans it for a growing time. */
  drop(reference: PeerReference, reason: string): void {
    this.#peerOf(reference)?.drop(new PeerFault('misbehaved', reason));
  }

  /** All allowed peers by ascending index, those without one last. */
  peers(): PeerReport[] {
    const place = ({ index }: Peer): number => index ?? Number.MAX_SAFE_INTEGER;
    return [...this.#peers.values()]
      .sort((one, other) => place(one) - place(other))
      .map((peer) => peer.report());
  }

  #peerOf(reference: PeerReference): Peer | undefined {
    return typeof reference === 'number' ? this.#byIndex.get(reference) : this.#peers.get(reference);
  }

  /** @returns whether the key is an allowed peer's */
  #accept(socket: TLSSocket, identityKey: Uint8Array): boolean {
    const identity = toHex(identityKey);
    const peer = this.#peers.get(identity);
    if (peer !== undefined) {
      peer.accept(socket);
      return true;
    }
    increment(this.counts.refused, 'unknown_identity');
    this.#options.log.debug({ identity, address: socket.remoteAddress }, 'refused an unknown validator');
    socket.destroy();
    return false;
  }

  #dispatch(peer: Peer, message: Message): void | Promise<void> {
    if (message.kind === 'hello' || message.kind === 'ping' || message.kind === 'pong') return;
    return this.#handlers.get(message.kind)?.(peer, message);
  }

  #lacksQuorum(): boolean {
    const own = this.#ownIndex === undefined ? 0 : 1;
    const members = this.#byIndex.size + own;
    if (members === 0) return false;
    let connected = own;
    for (const peer of this.#byIndex.values()) if (peer.isConnected) connected++;
    return connected < quorumOf(members);
  }

  #notify<A extends readonly unknown[]>(listeners: readonly ((...facts: A) => void)[], ...facts: A): void {
    for (const listener of listeners) {
      try {
        listener(...facts);
      } catch (error) {
        const problem = errorStack(error);
        this.#options.log.error({ problem }, 'a mesh listener failed');
      }
    }
  }
}

function encoded<K extends MessageKind>(kind: K, value: FrameValues[K]): Uint8Array {
  const { codec, maxBytes } = FRAME_KINDS[kind];
  const payload = codec.encode(value);
  if (payload.length > maxBytes) {
    const text = `${kind} of ${payload.length} bytes; the limit is ${maxBytes}`;
    throw new MeshError('frame_too_large', text);
  }
  return payload;
}

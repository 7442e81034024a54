/**
 * The validators' mesh: every allowed identity is connected with every other, over mutual TLS 1.3, and they send each other
 * typed messages. It carries; what messages mean is for others.
 *
 * 1. An end is who its ed25519 key says. A connection whose other end shows no key, or none of the allowed ones, is closed
 *    at the end of its handshake, by either side. Then each end says hello: protocol version, chain id, chain.
 * 2. Both ends call each other. Of two connections, the one that the lower index began stays (an end without an index counts
 *    as the higher, by key among those), and the other delivers what is on its way. One that is older than any call can take
 *    gives way to a new one, for the other end has lost it.
 * 3. Delivery is in order within a class and at most once. What waits for a peer that disconnects is discarded: who needs it
 *    sends it again on connecting.
 * 4. Queues are bounded by class, what is received by kind. What cannot be right drops the peer and keeps it out for a
 *    growing time; nothing that it sends throws out of here.
 */
import type { TLSSocket } from 'node:tls';
import type { Log } from '../config/log.js';
import type { Ed25519 } from '../crypto/crypto.js';
import { toHex } from '../idl/hex.js';
import { quorumOf } from '../ledger/validators/quorum.js';
import type { Message } from './connection.js';
import type { Endpoint } from './endpoint.js';
import { FRAME_KINDS, type FrameValues, MESH_VERSION, type MessageKind } from './frame-kinds.js';
import type { GateLimits } from './handshake-gate.js';
import { identityCertificate } from './identity-certificate.js';
import { Listener } from './listener.js';
import { increment, MeshCounters, type MeshCounts } from './mesh-counts.js';
import { type CloseReason, MeshError, PeerFault, type PeerFaultCode } from './mesh-error.js';
import { type MeshPeer, Peer, type PeerContext } from './peer.js';
import { channelOptions } from './secure-channel.js';
import { MESH_TIMING, type MeshTiming } from './timing.js';

export type { Endpoint } from './endpoint.js';
export type { MeshPeer } from './peer.js';

const GATE: GateLimits = { total: 128, perAddress: 32, handshakesPerSecond: 20 };

/** Somebody who may connect. */
export interface AllowedPeer {
  /** ed25519, 32 bytes. */
  readonly identityKey: Uint8Array;
  /** In the current validator set; undefined for those who are not in it (yet). */
  readonly index?: number | undefined;
  /** Where it listens; undefined where only it can call. */
  readonly endpoint?: Endpoint | undefined;
}

export interface MeshOptions {
  /** This node's ed25519 private key, 32 bytes. */
  readonly identitySeed: Uint8Array;
  readonly chainId: bigint;
  /** The genesis block's hash; before there is one, the hash of the ceremony's configuration. 32 bytes. */
  readonly chain: Uint8Array;
  readonly listen: Endpoint;
  /** As `setPeers` takes them. */
  readonly peers: readonly AllowedPeer[];
  readonly ed25519: Pick<Ed25519, 'publicKey' | 'sign'>;
  readonly log: Log;
  readonly timing?: Partial<MeshTiming>;
  readonly gate?: Partial<GateLimits>;
  /** What the rates that a peer may send at are multiplied by; 1 where it is left out. */
  readonly rateScale?: number;
  /** 0 ≤ value < 1, for the jitter of pauses; Math.random where it is left out. */
  readonly random?: () => number;
}

/** Handles messages of one kind; while what it returns is pending, the message counts as being worked on. */
export type Handler<K extends MessageKind> = (peer: MeshPeer, value: FrameValues[K]) => void | Promise<void>;

/** A peer by its index in the current set, or by its identity in hex. */
export type PeerReference = number | string;

/** How a peer is doing. */
export interface PeerReport {
  readonly identity: string;
  readonly index: number | undefined;
  /** host:port where it is known, else the address it came from, else empty. */
  readonly address: string;
  readonly connected: boolean;
  /** Mean round trip in milliseconds. */
  readonly rttMs: number | undefined;
  /** When something last came, milliseconds since 1970. */
  readonly lastSeenMs: number | undefined;
  /** Payload bytes that wait to be sent. */
  readonly queuedBytes: number;
  /** Messages from and to it that were discarded because there were too many. */
  readonly discarded: number;
  /** How often it was dropped, by what it did. */
  readonly faults: ReadonlyMap<PeerFaultCode, number>;
}

export class Mesh {
  readonly #options: MeshOptions;
  readonly #ownKey: Uint8Array;
  readonly #counters = new MeshCounters();
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
    this.#ownKey = options.ed25519.publicKey(options.identitySeed);
    this.#allowed = options.peers;
  }

  /** This node's ed25519 public key in hex. */
  get identity(): string {
    return toHex(this.#ownKey);
  }

  /** Where it listens, the port being the real one; undefined while it does not. */
  get endpoint(): Endpoint | undefined {
    return this.#endpoint;
  }

  get counts(): MeshCounts {
    return this.#counters;
  }

  /** Sockets whose owner is not known yet. */
  get unidentifiedSockets(): number {
    return this.#listener?.unidentifiedSockets ?? 0;
  }

  /**
   * Listens, and calls the peers.
   * @throws MeshError `listen_failed`
   */
  async start(): Promise<void> {
    const { identitySeed, ed25519, chainId, chain, listen, log } = this.#options;
    const channel = channelOptions(await identityCertificate(ed25519, identitySeed));
    const timing = { ...MESH_TIMING, ...this.#options.timing };
    const now = (): number => performance.now();
    const listener = new Listener({
      listen,
      channel,
      gate: { ...GATE, ...this.#options.gate },
      handshakeMs: timing.handshakeMs,
      counters: this.#counters,
      log,
      now,
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
      ownIdentity: this.identity,
      ownIndex: () => this.#ownIndex,
      channel,
      hello: { version: MESH_VERSION, chain_id: chainId, chain },
      timing,
      counters: this.#counters,
      log,
      now,
      wallNow: Date.now,
      random: this.#options.random ?? Math.random,
      rateScale: this.#options.rateScale ?? 1,
      dispatch: (peer, message) => this.#dispatch(peer, message),
      connected: (peer) => this.#notify(this.#connected, peer),
      disconnected: (peer, why) => {
        this.#notify(this.#disconnected, peer, why);
        if (this.#lacksQuorum()) this.#expediteRedials();
      },
      lacksQuorum: () => this.#lacksQuorum(),
    };
    this.setPeers(this.#allowed);
  }

  /** Closes all connections and the port; to be started once only. */
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

  /**
   * Says who may connect, in place of whoever was said before: connections of others close. This node itself may be in the
   * list; what is said there is its own index.
   */
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

  /** Handles messages of a kind; those of kinds without a handler are passed over. One handler a kind. */
  on<K extends MessageKind>(kind: K, handler: Handler<K>): void {
    this.#handlers.set(kind, (peer, message) => handler(peer, message.value as FrameValues[K]));
  }

  /** Called once both ends have said hello; what it sends goes out first. */
  onConnected(listener: (peer: MeshPeer) => void): void {
    this.#connected.push(listener);
  }

  /** Called once there is no connection to a peer any more. */
  onDisconnected(listener: (peer: MeshPeer, why: PeerFaultCode | CloseReason) => void): void {
    this.#disconnected.push(listener);
  }

  /**
   * Sends a message to one peer.
   * @returns false where it is not connected, or too much waits for it
   * @throws MeshError `frame_too_large`; BorshError where the value is not of the kind's type
   */
  send<K extends MessageKind>(to: PeerReference, kind: K, value: FrameValues[K]): boolean {
    const peer = this.#peerOf(to);
    return peer?.isConnected === true && peer.send(FRAME_KINDS[kind], encoded(kind, value));
  }

  /**
   * Sends a message to all that are connected; it is encoded once.
   * @returns for how many it was taken
   * @throws MeshError `frame_too_large`; BorshError where the value is not of the kind's type
   */
  broadcast<K extends MessageKind>(kind: K, value: FrameValues[K]): number {
    const payload = encoded(kind, value);
    let taken = 0;
    for (const peer of [...this.#peers.values()]) if (peer.send(FRAME_KINDS[kind], payload)) taken++;
    return taken;
  }

  /** Drops a peer that sent what cannot be right, and keeps it out for a growing time. */
  drop(reference: PeerReference, reason: string): void {
    this.#peerOf(reference)?.drop(new PeerFault('misbehaved', reason));
  }

  /** All allowed peers, in the order of their indexes, those without one at the end. */
  peers(): PeerReport[] {
    const place = ({ index }: Peer): number => index ?? Number.MAX_SAFE_INTEGER;
    return [...this.#peers.values()]
      .sort((one, other) => place(one) - place(other))
      .map((peer) => ({
        identity: peer.identity,
        index: peer.index,
        address: peer.address,
        connected: peer.isConnected,
        rttMs: peer.rttMs,
        lastSeenMs: peer.lastSeenMs,
        queuedBytes: peer.queuedBytes,
        discarded: peer.discarded,
        faults: peer.faults,
      }));
  }

  #peerOf(reference: PeerReference): Peer | undefined {
    return typeof reference === 'number' ? this.#byIndex.get(reference) : this.#peers.get(reference);
  }

  #accept(socket: TLSSocket, identityKey: Uint8Array): void {
    const identity = toHex(identityKey);
    const peer = this.#peers.get(identity);
    if (peer !== undefined) {
      peer.accept(socket);
      return;
    }
    increment(this.#counters.refused, 'unknown_identity');
    this.#options.log.debug({ identity, address: socket.remoteAddress }, 'refused an unknown validator');
    socket.destroy();
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

  /** Without a quorum exclusions are shorter, so planned calls come earlier. */
  #expediteRedials(): void {
    for (const peer of this.#byIndex.values()) peer.expediteRedial();
  }

  #notify<A extends readonly unknown[]>(listeners: readonly ((...facts: A) => void)[], ...facts: A): void {
    for (const listener of listeners) {
      try {
        listener(...facts);
      } catch (error) {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        this.#options.log.error({ problem }, 'a listener of the mesh failed');
      }
    }
  }
}

function encoded<K extends MessageKind>(kind: K, value: FrameValues[K]): Uint8Array {
  const { codec, maxBytes } = FRAME_KINDS[kind];
  const payload = codec.encode(value);
  if (payload.length > maxBytes) {
    const text = `${kind} of ${payload.length} bytes; it may have ${maxBytes}`;
    throw new MeshError('frame_too_large', text);
  }
  return payload;
}

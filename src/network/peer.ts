import type { TLSSocket } from 'node:tls';
import type { Cancel } from '../async/runtime.js';
import { errorMessage } from '../base/errors.js';
import { errorStack } from '../base/source-positions.js';
import { Throttle } from '../base/throttle.js';
import type { Log } from '../config/log.js';
import type { Hello } from '../generated/mesh.js';
import { toHex } from '../idl/hex.js';
import { Connection, type ConnectionOwner, type Message } from './connection.js';
import { dial } from './dial.js';
import { type Endpoint, endpointText } from './endpoint.js';
import type { FrameKind, FrameSpec } from './frame-kinds.js';
import { countTraffic, increment, type MeshCounts } from './mesh-counts.js';
import { type CloseReason, PeerFault, type PeerFaultCode } from './mesh-error.js';
import { PeerBan } from './peer-ban.js';
import { FrameRates, PeerRateLimit } from './peer-rate-limit.js';
import { Redial } from './redial.js';
import type { ChannelOptions } from './secure-channel.js';
import { SendQueue } from './send-queue.js';
import type { MeshTiming } from './timing.js';

/** Maximum number of a peer's connections that have not completed the hello. */
const MAX_WITHOUT_HELLO = 2;
/** Minimum milliseconds between log records of one kind; others are logged at debug level or not at all. */
const NOTE_MS = 5_000;

/** State shared by all peers of a mesh. */
export interface PeerContext {
  readonly ownIdentity: string;
  /** This node's index in the current validator set. */
  ownIndex(): number | undefined;
  readonly channel: ChannelOptions;
  readonly hello: Hello;
  readonly timing: MeshTiming;
  readonly counters: MeshCounts;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Random number, 0 ≤ value < 1, for backoff jitter. */
  readonly random: () => number;
  /** Factor for the rates of all frame kinds. */
  readonly rateScale: number;
  /** Passes a message to the handler of its kind; may throw. */
  dispatch(peer: Peer, message: Message): void | Promise<void>;
  /** Called with a socket that this node has opened and over which the peer has proven its identity. */
  dialed(peer: Peer, socket: TLSSocket): void;
  connected(peer: Peer): void;
  disconnected(peer: Peer, why: PeerFaultCode | CloseReason): void;
  /** True if fewer than a quorum of the set are connected, this node included. */
  lacksQuorum(): boolean;
}

/** A peer as message handlers see it. Its index may change from epoch to epoch, its identity never does. */
export interface MeshPeer {
  /** Its ed25519 public key in lowercase hex. */
  readonly identity: string;
  readonly identityKey: Uint8Array;
  /** Index in the current validator set; undefined for non-members. */
  readonly index: number | undefined;
}

export interface PeerReport {
  readonly identity: string;
  readonly index: number | undefined;
  /** The peer's host:port if known, else the address of its last connection, else empty. */
  readonly address: string;
  readonly connected: boolean;
  /** Mean round-trip time in milliseconds. */
  readonly rttMs: number | undefined;
  /** Arrival time of the last message, milliseconds since 1970. */
  readonly lastSeenMs: number | undefined;
  readonly queuedBytes: number;
  /** Number of messages to and from the peer that were discarded because of a limit. */
  readonly discarded: number;
  /** Number of times the peer was dropped, by fault. */
  readonly faults: ReadonlyMap<PeerFaultCode, number>;
}

/** An allowed identity: its endpoint, connection, send queue, faults and ban. */
export class Peer implements MeshPeer, ConnectionOwner {
  readonly identity: string;
  readonly identityKey: Uint8Array;
  index: number | undefined;
  readonly #faults = new Map<PeerFaultCode, number>();
  readonly #context: PeerContext;
  readonly #queue = new SendQueue();
  readonly #rateLimit: PeerRateLimit;
  readonly #gossipRates: FrameRates;
  readonly #ban: PeerBan;
  readonly #redial: Redial;
  #endpoint: Endpoint | undefined;
  #cancelDial: Cancel | undefined;
  #current: Connection | undefined;
  /** Connections waiting for the hello, and retiring ones. */
  readonly #others = new Set<Connection>();
  #lastSeenMs: number | undefined;
  #lastAddress: string | undefined;
  #discarded = 0;
  /** Number of connections so far, and the number of the last one that ended in a fault. */
  #sessions = 0;
  #faultySession = 0;
  #isDropping = false;
  #isGone = false;
  readonly #connectNotes = new Throttle(NOTE_MS);
  readonly #disconnectNotes = new Throttle(NOTE_MS);
  readonly #failureNotes = new Throttle(NOTE_MS);

  constructor(identityKey: Uint8Array, context: PeerContext) {
    this.identityKey = identityKey;
    this.identity = toHex(identityKey);
    this.#context = context;
    const { timing, now, random, rateScale } = context;
    this.#ban = new PeerBan(timing, now, () => this.index !== undefined && context.lacksQuorum());
    this.#redial = new Redial({ timing, now, random, dial: () => this.#startDial() });
    this.#gossipRates = new FrameRates(now, rateScale);
    this.#rateLimit = new PeerRateLimit({
      now,
      rateScale,
      setPaused: (isPaused) => this.#setPaused(isPaused),
      onThrottled: () => context.counters.pauses++,
    });
  }

  get isConnected(): boolean {
    return this.#current !== undefined;
  }

  report(): PeerReport {
    return {
      identity: this.identity,
      index: this.index,
      address: this.#address,
      connected: this.isConnected,
      rttMs: this.#current?.rttMs,
      lastSeenMs: this.#lastSeenMs,
      queuedBytes: this.#queue.bytes,
      discarded: this.#discarded,
      faults: this.#faults,
    };
  }

  /** Applies the peer's entry in the current set, and dials it if its endpoint has changed. */
  update(index: number | undefined, endpoint: Endpoint | undefined): void {
    this.index = index;
    const isMoved =
      endpoint !== undefined &&
      (this.#endpoint === undefined || endpointText(endpoint) !== endpointText(this.#endpoint));
    this.#endpoint = endpoint;
    if (!isMoved) return;
    this.#redial.reset();
    this.#scheduleDial(this.#isLower ? 'now' : 'soon');
  }

  /** Accepts an incoming connection whose identity is proven. */
  accept(socket: TLSSocket): void {
    if (this.#ban.remainingMs > 0) {
      increment(this.#context.counters.refused, 'kept_out');
      socket.destroy();
      return;
    }
    this.#openConnection(socket, false);
  }

  /** Sends or queues a message. @returns false if the peer is not connected or its queue is full */
  send(spec: FrameSpec, payload: Uint8Array): boolean {
    const connection = this.#current;
    if (connection === undefined) return false;
    if (spec.class === 'gossip' && !this.#gossipRates.admit(spec, payload.length)) {
      this.#discardedSending(spec.kind);
      return false;
    }
    const { accepted, discarded, overflow } = this.#queue.offer(spec, payload);
    for (const kind of discarded) this.#discardedSending(kind);
    if (overflow) connection.end('overflow');
    else connection.flush();
    if (accepted) countTraffic(this.#context.counters.sent, spec.kind, payload.length);
    return accepted;
  }

  /** Drops and bans the peer for a fault, unless one has already ended the last connection. */
  drop(fault: PeerFault): void {
    if (this.#faultySession < this.#sessions) this.#banPeer(fault);
  }

  expediteRedial(): void {
    this.#redial.expedite(this.#ban.remainingMs);
  }

  #banPeer(fault: PeerFault): void {
    this.#abandonDial();
    this.#faultySession = this.#sessions;
    this.#ban.addFault();
    increment(this.#faults, fault.code);
    increment(this.#context.counters.faults, fault.code);
    this.#isDropping = true;
    for (const connection of [...this.#others]) connection.end('lost');
    this.#current?.end(fault);
    this.#isDropping = false;
    const { code, message: problem } = fault;
    const for_ms = Math.round(this.#ban.remainingMs);
    this.#context.log.warn({ ...this.#fields(), code, problem, for_ms }, 'dropped a validator');
    this.#scheduleDial('later');
  }

  /** Closes all connections and stops dialing, for good. */
  close(why: 'removed' | 'stopped'): void {
    this.#isGone = true;
    this.#redial.reset();
    this.#abandonDial();
    for (const connection of [...this.#others]) connection.end(why);
    this.#current?.end(why);
  }

  onOpened(connection: Connection): void {
    this.#lastAddress = connection.remoteAddress;
    const old = this.#current;
    if (old !== undefined && !this.#prefers(connection, old)) {
      connection.retire();
      return;
    }
    this.#others.delete(connection);
    this.#redial.reset();
    this.#current = connection;
    if (old !== undefined) {
      this.#others.add(old);
      old.retire();
    }
    this.#queue.rewind();
    connection.attach(this.#queue);
    if (old !== undefined) return;
    this.#sessions++;
    const level = this.#connectNotes.admits(this.#context.now()) ? 'info' : 'debug';
    this.#context.log[level](this.#fields(), 'connected to a validator');
    this.#context.connected(this);
  }

  onRead(bytes: number): void {
    this.#rateLimit.read(bytes);
  }

  admits(spec: FrameSpec, bytes: number): boolean {
    const isWanted = this.#rateLimit.admits(spec, bytes);
    if (!isWanted) {
      this.#discarded++;
      increment(this.#context.counters.discardedReceiving, spec.kind);
    }
    return isWanted;
  }

  onMessage(_connection: Connection, message: Message, bytes: number): void {
    this.#lastSeenMs = this.#context.wallNow();
    countTraffic(this.#context.counters.received, message.kind, bytes);
    this.#rateLimit
      .handle(message, bytes, () => this.#context.dispatch(this, message))
      .catch(this.#logFailure);
  }

  onInternalError(error: unknown): void {
    this.#logFailure(error);
  }

  onClosed(connection: Connection, why: PeerFault | CloseReason): void {
    this.#others.delete(connection);
    const isCurrent = this.#current === connection;
    if (isCurrent) {
      this.#current = undefined;
      this.#queue.clear();
    }
    const code = why instanceof PeerFault ? why.code : why;
    if (!(why instanceof PeerFault)) increment(this.#context.counters.closed, why);
    else if (!this.#isDropping) this.#banPeer(why);
    if (isCurrent) {
      const level = this.#disconnectNotes.admits(this.#context.now()) ? 'info' : 'debug';
      this.#context.log[level]({ ...this.#fields(), reason: code }, 'disconnected from a validator');
      this.#context.disconnected(this, code);
    }
    this.#scheduleDial('later');
  }

  /** True if this node precedes the peer: by index, nodes without one last and ordered by key. */
  get #isLower(): boolean {
    const own = this.#context.ownIndex() ?? Number.POSITIVE_INFINITY;
    const other = this.index ?? Number.POSITIVE_INFINITY;
    return own === other ? this.#context.ownIdentity < this.identity : own < other;
  }

  /** Keeps the connection dialed by the lower end, unless the old one is so old that the peer must have lost it. */
  #prefers(next: Connection, old: Connection): boolean {
    if (next.isOutgoing === old.isOutgoing || old.ageMs > this.#context.timing.replaceableAfterMs)
      return true;
    return next.isOutgoing === this.#isLower;
  }

  #openConnection(socket: TLSSocket, isOutgoing: boolean): void {
    const { hello, timing, now } = this.#context;
    const greeting = [...this.#others].filter(({ isOpen }) => !isOpen);
    if (greeting.length >= MAX_WITHOUT_HELLO) greeting[0]?.end('superseded');
    const connection = new Connection({ socket, isOutgoing, hello, owner: this, timing, now });
    this.#others.add(connection);
    if (this.#rateLimit.isPaused) connection.pause();
  }

  #scheduleDial(when: 'now' | 'soon' | 'later'): void {
    if (this.#isGone || this.#endpoint === undefined) return;
    if (this.#current !== undefined || this.#cancelDial !== undefined) return;
    this.#redial.schedule(when, this.#ban.remainingMs);
  }

  #startDial(): void {
    if (this.#isGone || this.#endpoint === undefined) return;
    if (this.#current !== undefined || this.#cancelDial !== undefined) return;
    const { channel, timing, log } = this.#context;
    const onFailed = (problem: string): void => {
      this.#cancelDial = undefined;
      log.debug({ ...this.#fields(), problem }, 'cannot reach a validator');
      this.#scheduleDial('later');
    };
    try {
      this.#cancelDial = dial({
        endpoint: this.#endpoint,
        channel,
        identityKey: this.identityKey,
        timeoutMs: timing.handshakeMs,
        onConnected: (socket) => {
          this.#cancelDial = undefined;
          this.#context.dialed(this, socket);
          this.#openConnection(socket, true);
        },
        onFailed,
      });
    } catch (error) {
      // The endpoint is malformed.
      onFailed(errorMessage(error));
    }
  }

  #abandonDial(): void {
    this.#cancelDial?.();
    this.#cancelDial = undefined;
  }

  #discardedSending(kind: FrameKind): void {
    this.#discarded++;
    increment(this.#context.counters.discardedSending, kind);
  }

  #setPaused(isPaused: boolean): void {
    for (const connection of [this.#current, ...this.#others]) {
      if (isPaused) connection?.pause();
      else connection?.resume();
    }
  }

  readonly #logFailure = (error: unknown): void => {
    if (!this.#failureNotes.admits(this.#context.now())) return;
    const problem = errorStack(error);
    this.#context.log.error({ ...this.#fields(), problem }, 'failed to handle a message of a validator');
  };

  get #address(): string {
    return this.#endpoint === undefined ? (this.#lastAddress ?? '') : endpointText(this.#endpoint);
  }

  #fields(): object {
    return { peer: this.identity, index: this.index, address: this.#address };
  }
}

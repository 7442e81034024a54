import type { TLSSocket } from 'node:tls';
import type { Log } from '../config/log.js';
import type { Hello } from '../generated/mesh.js';
import { toHex } from '../idl/hex.js';
import { Connection, type ConnectionOwner, type Message } from './connection.js';
import { type Dial, dial } from './dial.js';
import { type Endpoint, endpointText } from './endpoint.js';
import type { FrameKind, FrameSpec } from './frame-kinds.js';
import { countTraffic, increment, type MeshCounters } from './mesh-counts.js';
import { type CloseReason, PeerFault, type PeerFaultCode } from './mesh-error.js';
import { Pace } from './pace.js';
import { PeerBan } from './peer-ban.js';
import { ReceiveRates } from './rate-limit.js';
import { ReceiveLimiter } from './receive-limiter.js';
import { Redial } from './redial.js';
import type { ChannelOptions } from './secure-channel.js';
import { SendQueue } from './send-queue.js';
import type { MeshTiming } from './timing.js';

/** Connections of one peer that have not said hello. */
const MAX_WITHOUT_HELLO = 2;
/** How often the same is logged of one peer, in milliseconds; in between at level debug or not at all. */
const NOTE_MS = 5_000;

/** What all peers of a mesh share. */
export interface PeerContext {
  readonly ownIdentity: string;
  /** Of this node in the current set. */
  ownIndex(): number | undefined;
  readonly channel: ChannelOptions;
  readonly hello: Hello;
  readonly timing: MeshTiming;
  readonly counters: MeshCounters;
  readonly log: Log;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** 0 ≤ value < 1, for the jitter of pauses. */
  readonly random: () => number;
  /** What the rates of the kinds are multiplied by. */
  readonly rateScale: number;
  /** Hands a message to whoever handles its kind; may throw. */
  dispatch(peer: Peer, message: Message): void | Promise<void>;
  connected(peer: Peer): void;
  disconnected(peer: Peer, why: PeerFaultCode | CloseReason): void;
  /** Whether fewer than a quorum of the set are connected, this node included. */
  lacksQuorum(): boolean;
}

/** A node of the mesh, as those see it that are told of it. Its index may change from epoch to epoch, its identity never. */
export interface MeshPeer {
  /** Its ed25519 public key in hex, lower case. */
  readonly identity: string;
  readonly identityKey: Uint8Array;
  /** In the current validator set; undefined where it is not in it. */
  readonly index: number | undefined;
}

/** One allowed identity: how to reach it, the connection to it, what waits for it, and what it did wrong. */
export class Peer implements MeshPeer, ConnectionOwner {
  readonly identity: string;
  readonly identityKey: Uint8Array;
  index: number | undefined;
  readonly faults = new Map<PeerFaultCode, number>();
  readonly #context: PeerContext;
  readonly #queue = new SendQueue();
  readonly #receiveLimiter: ReceiveLimiter;
  /** Rates at which the peer accepts gossip. */
  readonly #gossipRates: ReceiveRates;
  readonly #ban: PeerBan;
  readonly #redial: Redial;
  #endpoint: Endpoint | undefined;
  #dial: Dial | undefined;
  #current: Connection | undefined;
  /** Those that are being greeted, and those that retire. */
  readonly #others = new Set<Connection>();
  #lastSeenMs: number | undefined;
  #lastAddress: string | undefined;
  #discarded = 0;
  /** Connections so far, and the last of them that a fault has ended. */
  #sessions = 0;
  #faultySession = 0;
  #isDropping = false;
  #isGone = false;
  readonly #connectNotes: Pace;
  readonly #disconnectNotes: Pace;
  readonly #failureNotes: Pace;

  constructor(identityKey: Uint8Array, context: PeerContext) {
    this.identityKey = identityKey;
    this.identity = toHex(identityKey);
    this.#context = context;
    const { timing, now, random, rateScale } = context;
    this.#ban = new PeerBan(timing, now, () => this.index !== undefined && context.lacksQuorum());
    this.#connectNotes = new Pace(now, NOTE_MS);
    this.#disconnectNotes = new Pace(now, NOTE_MS);
    this.#failureNotes = new Pace(now, NOTE_MS);
    this.#redial = new Redial({ timing, now, random, dial: () => this.#startDial() });
    this.#gossipRates = new ReceiveRates(now, rateScale);
    this.#receiveLimiter = new ReceiveLimiter({
      ...{ now, rateScale },
      setPaused: (isPaused) => this.#setPaused(isPaused),
      onThrottled: () => context.counters.pauses++,
    });
  }

  get isConnected(): boolean {
    return this.#current !== undefined;
  }

  get rttMs(): number | undefined {
    return this.#current?.rttMs;
  }

  /** When something last came, milliseconds since 1970. */
  get lastSeenMs(): number | undefined {
    return this.#lastSeenMs;
  }

  /** Where it is called, or else came from; empty where neither is known. */
  get address(): string {
    return this.#endpoint === undefined ? (this.#lastAddress ?? '') : endpointText(this.#endpoint);
  }

  /** Payload bytes that wait to be sent. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** Messages to it and from it that were discarded because there were too many. */
  get discarded(): number {
    return this.#discarded;
  }

  /** Sets what the current set says of it, and calls it if need be. */
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

  /** Takes a connection that the peer began, its key proven. */
  accept(socket: TLSSocket): void {
    if (this.#ban.remainingMs > 0) {
      increment(this.#context.counters.refused, 'kept_out');
      socket.destroy();
      return;
    }
    this.#openConnection(socket, false);
  }

  /**
   * Sends a message, or has it wait.
   * @returns false where the peer is not connected, or too much waits
   */
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

  /**
   * Drops the peer for a fault, and keeps it out for a while. Does nothing if a fault has ended the last connection already: one
   * connection counts as one fault at most.
   */
  drop(fault: PeerFault): void {
    if (this.#faultySession < this.#sessions) this.#banPeer(fault);
  }

  /** Brings a call forward that waits for the end of an exclusion. */
  expediteRedial(): void {
    this.#redial.expedite(this.#ban.remainingMs);
  }

  #banPeer(fault: PeerFault): void {
    this.#faultySession = this.#sessions;
    this.#ban.addFault();
    increment(this.faults, fault.code);
    increment(this.#context.counters.faults, fault.code);
    this.#isDropping = true;
    for (const connection of [...this.#others]) connection.end('lost');
    this.#current?.end(fault);
    this.#isDropping = false;
    this.#context.log.warn(
      {
        ...this.#fields(),
        ...{ code: fault.code, problem: fault.message, for_ms: Math.round(this.#ban.remainingMs) },
      },
      'dropped a validator',
    );
    this.#scheduleDial('later');
  }

  /** Closes everything, for good. */
  close(why: 'removed' | 'stopped'): void {
    this.#isGone = true;
    this.#redial.reset();
    this.#dial?.cancel();
    this.#dial = undefined;
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
    const level = this.#connectNotes.take() ? 'info' : 'debug';
    this.#context.log[level](this.#fields(), 'connected to a validator');
    this.#context.connected(this);
  }

  onRead(bytes: number): void {
    this.#receiveLimiter.read(bytes);
  }

  admits(spec: FrameSpec, bytes: number): boolean {
    const isWanted = this.#receiveLimiter.admits(spec, bytes);
    if (!isWanted) {
      this.#discarded++;
      increment(this.#context.counters.discardedReceiving, spec.kind);
    }
    return isWanted;
  }

  onMessage(_connection: Connection, message: Message, bytes: number): void {
    this.#lastSeenMs = this.#context.wallNow();
    countTraffic(this.#context.counters.received, message.kind, bytes);
    this.#receiveLimiter
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
      const level = this.#disconnectNotes.take() ? 'info' : 'debug';
      this.#context.log[level]({ ...this.#fields(), reason: code }, 'disconnected from a validator');
      this.#context.disconnected(this, code);
    }
    this.#scheduleDial('later');
  }

  /** Whether this node comes before the peer: by index, those without one behind, and by key among these. */
  get #isLower(): boolean {
    const own = this.#context.ownIndex() ?? Number.POSITIVE_INFINITY;
    const other = this.index ?? Number.POSITIVE_INFINITY;
    return own === other ? this.#context.ownIdentity < this.identity : own < other;
  }

  /** Of two connections that of the lower end stays, unless the older one is so old that the peer must have lost it. */
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
    if (this.#receiveLimiter.isPaused) connection.pause();
  }

  /** Sees to it that the peer is called while there is no connection. */
  #scheduleDial(when: 'now' | 'soon' | 'later'): void {
    if (this.#isGone || this.#endpoint === undefined) return;
    if (this.#current !== undefined || this.#dial !== undefined) return;
    this.#redial.schedule(when, this.#ban.remainingMs);
  }

  #startDial(): void {
    if (this.#isGone || this.#endpoint === undefined) return;
    if (this.#current !== undefined || this.#dial !== undefined) return;
    const { channel, timing, log } = this.#context;
    const onFailed = (problem: string): void => {
      this.#dial = undefined;
      log.debug({ ...this.#fields(), problem }, 'cannot reach a validator');
      this.#scheduleDial('later');
    };
    try {
      this.#dial = dial({
        endpoint: this.#endpoint,
        channel,
        identityKey: this.identityKey,
        timeoutMs: timing.handshakeMs,
        onConnected: (socket) => {
          this.#dial = undefined;
          this.#openConnection(socket, true);
        },
        onFailed,
      });
    } catch (error) {
      // An endpoint that cannot be one.
      onFailed(error instanceof Error ? error.message : String(error));
    }
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
    if (!this.#failureNotes.take()) return;
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#context.log.error({ ...this.#fields(), problem }, 'failed to handle a message of a validator');
  };

  #fields(): object {
    return { peer: this.identity, index: this.index, address: this.address };
  }
}

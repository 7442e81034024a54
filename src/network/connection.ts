import type { TLSSocket } from 'node:tls';
import { sameBytes } from '../base/same-bytes.js';
import type { Hello } from '../generated/mesh.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { toHex } from '../idl/hex.js';
import { PIECE_BYTES, wholeFrame } from './frame-format.js';
import {
  FRAME_KINDS,
  type FrameKind,
  type FrameSpec,
  type FrameValues,
  MESH_VERSION,
} from './frame-kinds.js';
import { FrameReader, type FrameSink } from './frame-reader.js';
import { type CloseReason, PeerFault } from './mesh-error.js';
import type { SendQueue } from './send-queue.js';
import type { MeshTiming } from './timing.js';

/** Bytes handed to the socket ahead of time: an upper bound on the data in front of a vote. */
const UNSENT_BYTES = 2 * PIECE_BYTES;
/** Weight of the latest sample in the mean round-trip time. */
const ROUND_TRIP_WEIGHT = 0.2;

export type Message = {
  readonly [K in FrameKind]: { readonly kind: K; readonly value: FrameValues[K] };
}[FrameKind];

export interface ConnectionOwner {
  /** Called when the peer's hello was accepted: messages may be sent. */
  onOpened(connection: Connection): void;
  /** Called when a chunk is about to be read. @throws PeerFault */
  onRead(bytes: number): void;
  /** Whether to read a message that is starting. @throws PeerFault */
  admits(spec: FrameSpec, bytes: number): boolean;
  /** @param bytes payload length */
  onMessage(connection: Connection, message: Message, bytes: number): void;
  /** Called for an error on this node's side; the connection ends. */
  onInternalError(error: unknown): void;
  /** Called once. */
  onClosed(connection: Connection, why: PeerFault | CloseReason): void;
}

export interface ConnectionOptions {
  /** A socket that has completed its handshake and proven its identity. */
  readonly socket: TLSSocket;
  readonly isOutgoing: boolean;
  readonly hello: Hello;
  readonly owner: ConnectionOwner;
  readonly timing: MeshTiming;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** One channel to a peer: exchanges hellos, reads frames, sends pings, and writes the messages of a queue. */
export class Connection implements FrameSink {
  readonly isOutgoing: boolean;
  readonly remoteAddress: string;
  readonly #options: ConnectionOptions;
  readonly #socket: TLSSocket;
  readonly #reader: FrameReader;
  readonly #helloTimer: NodeJS.Timeout;
  #openedAtMs: number | undefined;
  #queue: SendQueue | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #lastTimer: NodeJS.Timeout | undefined;
  #isRetired = false;
  #flushScheduled = false;
  #immediate: NodeJS.Immediate | undefined;
  #hasEnded = false;
  #isPaused = false;
  #silentTicks = 0;
  #stuckTicks = 0;
  #ping: { readonly nonce: bigint; readonly sentAtMs: number } | undefined;
  #pings = 0n;
  #rttMs: number | undefined;

  constructor(options: ConnectionOptions) {
    const { socket, isOutgoing, hello, timing } = options;
    this.#options = options;
    this.#socket = socket;
    this.isOutgoing = isOutgoing;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#reader = new FrameReader(this);
    this.#helloTimer = setTimeout(() => this.end('handshake_timeout'), timing.handshakeMs);
    socket.setNoDelay(true);
    // The 'close' event follows and ends the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => this.end('lost'));
    socket.on('end', () => this.#drain('lost'));
    socket.on('data', (chunk) => this.#read(chunk));
    socket.write(wholeFrame(FRAME_KINDS.hello, FRAME_KINDS.hello.codec.encode(hello)));
  }

  /** True once the peer's hello has arrived, until the connection ends. */
  get isOpen(): boolean {
    return this.#openedAtMs !== undefined && !this.#hasEnded;
  }

  get ageMs(): number {
    return this.#openedAtMs === undefined ? 0 : this.#options.now() - this.#openedAtMs;
  }

  /** Mean round-trip time in milliseconds; undefined before the first pong. */
  get rttMs(): number | undefined {
    return this.#rttMs;
  }

  /** Starts sending the messages of a queue, and pings. */
  attach(queue: SendQueue): void {
    this.#queue = queue;
    const { pingMs } = this.#options.timing;
    this.#ticker ??= setInterval(() => this.#tick(), pingMs).unref();
    this.#sendPing();
    this.flush();
  }

  /** Schedules writing of queued messages for the end of the current tick. */
  flush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    queueMicrotask(() => {
      this.#flushScheduled = false;
      this.#write();
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#silentTicks = 0;
    this.#socket.resume();
  }

  /** Stops sending but keeps reading messages in flight; the other end retires the connection on its own. */
  retire(): void {
    if (this.#hasEnded || this.#isRetired) return;
    this.#isRetired = true;
    // The socket stays open, because a TLS channel that has sent its own end drops incoming data.
    this.#drain('superseded');
  }

  /** Closes the connection; only the first reason counts. */
  end(why: PeerFault | CloseReason): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#helloTimer);
    clearTimeout(this.#lastTimer);
    this.#stopWriting();
    this.#reader.close();
    this.#socket.destroy();
    this.#options.owner.onClosed(this, this.#isRetired && why === 'lost' ? 'superseded' : why);
  }

  begin(spec: FrameSpec, bytes: number): boolean {
    const isHello = spec.kind === 'hello';
    if (this.#openedAtMs === undefined) {
      if (!isHello) throw new PeerFault('no_hello', `${spec.kind} before hello`);
      return true;
    }
    if (isHello) throw new PeerFault('bad_frame', 'a second hello');
    return this.#options.owner.admits(spec, bytes);
  }

  message(spec: FrameSpec, payload: Uint8Array): void {
    const message = decoded(spec, payload);
    switch (message.kind) {
      case 'hello':
        this.#onHello(message.value);
        break;
      case 'ping':
        this.#offer(FRAME_KINDS.pong, FRAME_KINDS.pong.codec.encode(message.value));
        break;
      case 'pong':
        this.#pong(message.value.nonce);
        break;
    }
    this.#options.owner.onMessage(this, message, payload.length);
  }

  #read(chunk: Buffer): void {
    this.#silentTicks = 0;
    try {
      this.#options.owner.onRead(chunk.length);
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof PeerFault)) this.#options.owner.onInternalError(error);
      this.end(error instanceof PeerFault ? error : 'internal_error');
    }
  }

  #onHello({ version, chain_id: chainId, chain }: Hello): void {
    const { hello, owner, now } = this.#options;
    if (version !== MESH_VERSION) throw new PeerFault('wrong_version', `protocol version ${version}`);
    if (chainId !== hello.chain_id || !sameBytes(chain, hello.chain)) {
      throw new PeerFault('wrong_chain', `chain ${chainId} of ${toHex(chain)}`);
    }
    clearTimeout(this.#helloTimer);
    this.#openedAtMs = now();
    owner.onOpened(this);
  }

  #write(): void {
    const socket = this.#socket;
    while (this.#queue !== undefined && socket.writableLength < UNSENT_BYTES) {
      const bytes = this.#queue.next(PIECE_BYTES);
      if (bytes === undefined) return;
      socket.write(bytes, this.#written);
    }
  }

  readonly #written = (error?: Error | null): void => {
    this.#stuckTicks = 0;
    // The 'close' event follows an error.
    if (error !== undefined && error !== null) return;
    // Continues in the next tick. In this one, a fast network would accept a whole block ahead of votes queued
    // meanwhile.
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      this.#write();
    });
  };

  /** Stops sending and closes the connection after a grace period for incoming messages. */
  #drain(why: CloseReason): void {
    this.#stopWriting();
    this.#lastTimer ??= setTimeout(() => this.end(why), this.#options.timing.retireMs).unref();
  }

  #stopWriting(): void {
    this.#queue = undefined;
    clearInterval(this.#ticker);
  }

  #tick(): void {
    const { silentPings } = this.#options.timing;
    // Counts timer ticks rather than time: after a long event loop tick, data that has arrived is still unread.
    if (!this.#isPaused && ++this.#silentTicks > silentPings) this.end('idle');
    else if (this.#socket.writableLength > 0 && ++this.#stuckTicks > silentPings) this.end('stalled');
    else this.#sendPing();
  }

  #sendPing(): void {
    if (this.#ping !== undefined) return;
    this.#ping = { nonce: ++this.#pings, sentAtMs: this.#options.now() };
    this.#offer(FRAME_KINDS.ping, FRAME_KINDS.ping.codec.encode({ nonce: this.#pings }));
  }

  #pong(nonce: bigint): void {
    if (this.#ping?.nonce !== nonce) return;
    const tookMs = this.#options.now() - this.#ping.sentAtMs;
    this.#ping = undefined;
    this.#rttMs =
      this.#rttMs === undefined ? tookMs : this.#rttMs + ROUND_TRIP_WEIGHT * (tookMs - this.#rttMs);
  }

  #offer(spec: FrameSpec, payload: Uint8Array): void {
    if (this.#queue === undefined) return;
    if (this.#queue.offer(spec, payload).overflow) this.end('overflow');
    else this.flush();
  }
}

/** @throws PeerFault if the payload does not decode as the kind's type */
function decoded(spec: FrameSpec, payload: Uint8Array): Message {
  try {
    return { kind: spec.kind, value: spec.codec.decode(payload) } as Message;
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw new PeerFault('bad_value', `${spec.kind}: ${error.message}`);
  }
}

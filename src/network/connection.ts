import type { TLSSocket } from 'node:tls';
import type { Hello } from '../generated/mesh.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
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

/** What is handed to the socket ahead of time: the most that a vote waits for. */
const UNSENT_BYTES = 2 * PIECE_BYTES;
/** Weight of the last round trip in the mean. */
const ROUND_TRIP_WEIGHT = 0.2;

/** A message as it came. */
export type Message = {
  readonly [K in FrameKind]: { readonly kind: K; readonly value: FrameValues[K] };
}[FrameKind];

/** Whose connection it is. */
export interface ConnectionOwner {
  /** The peer's hello is right: messages may be sent. */
  onOpened(connection: Connection): void;
  /**
   * A chunk is about to be read.
   * @throws PeerFault
   */
  onRead(bytes: number): void;
  /**
   * @returns whether a message that begins is wanted
   * @throws PeerFault
   */
  admits(spec: FrameSpec, bytes: number): boolean;
  /** @param bytes of its payload */
  onMessage(connection: Connection, message: Message, bytes: number): void;
  /** An error that is nobody's fault but this node's; the connection ends. */
  onInternalError(error: unknown): void;
  /** Told once. */
  onClosed(connection: Connection, why: PeerFault | CloseReason): void;
}

export interface ConnectionOptions {
  /** After the handshake, its other end identified. */
  readonly socket: TLSSocket;
  /** Whether this node began it. */
  readonly isOutgoing: boolean;
  readonly hello: Hello;
  readonly owner: ConnectionOwner;
  readonly timing: MeshTiming;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** One channel to a peer: greets, reads frames, keeps alive, and writes what waits in a queue. */
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
    // 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => this.end('lost'));
    socket.on('end', () => this.#drain('lost'));
    socket.on('data', (chunk) => this.#read(chunk));
    socket.write(wholeFrame(FRAME_KINDS.hello, FRAME_KINDS.hello.codec.encode(hello)));
  }

  /** Whether the peer's hello has come. */
  get isOpen(): boolean {
    return this.#openedAtMs !== undefined && !this.#hasEnded;
  }

  /** Since the peer's hello, in milliseconds. */
  get ageMs(): number {
    return this.#openedAtMs === undefined ? 0 : this.#options.now() - this.#openedAtMs;
  }

  /** Mean round trip, milliseconds; undefined before the first. */
  get rttMs(): number | undefined {
    return this.#rttMs;
  }

  /** Begins to send what is in a queue, and pings. */
  attach(queue: SendQueue): void {
    this.#queue = queue;
    const { pingMs } = this.#options.timing;
    this.#ticker ??= setInterval(() => this.#tick(), pingMs).unref();
    this.#sendPing();
    this.flush();
  }

  /** The queue has something: it goes out at the end of this turn. */
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

  /** Sends nothing more, but reads what is still on its way; the other end comes to the same by itself. */
  retire(): void {
    if (this.#hasEnded || this.#isRetired) return;
    this.#isRetired = true;
    // Not ended yet: a TLS channel that has sent its end loses what comes after.
    this.#drain('superseded');
  }

  /** Closes it; only the first reason counts. */
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
    if (version !== MESH_VERSION) throw new PeerFault('wrong_version', `version ${version} of the protocol`);
    if (chainId !== hello.chain_id || Buffer.compare(chain, hello.chain) !== 0) {
      throw new PeerFault('wrong_chain', `chain ${chainId} of ${Buffer.from(chain).toString('hex')}`);
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
    // 'close' follows an error.
    if (error !== undefined && error !== null) return;
    // In the next turn: a fast network takes all of a block in one, and a vote of this turn would come behind it.
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      this.#write();
    });
  };

  /** Nothing is sent any more: what comes gets a little longer. */
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
    // Counted in ticks, not in time: after a long turn of this thread, what came meanwhile has yet to be read.
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

/** @throws PeerFault where the bytes are not of the kind's type */
function decoded(spec: FrameSpec, payload: Uint8Array): Message {
  try {
    return { kind: spec.kind, value: spec.codec.decode(payload) } as Message;
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw new PeerFault('bad_value', `${spec.kind}: ${error.message}`);
  }
}

import { settle } from '../../async/maybe-async.js';
import type { Limits } from '../../config/limits.js';
import { overloaded } from '../domain-errors.js';
import type { HttpAnswer, HttpResponse, ServerWebSocket, WebSocketListener } from '../http/http-server.js';
import type { ByteBudget, ByteHolding } from '../limits/byte-budget.js';
import type { SocketCounts } from '../metrics/socket-counts.js';
import { errorText } from '../rpc-answer.js';
import type { ConnectionSubscriber } from '../subscriptions/connection-subscriber.js';
import type { EventSink } from '../subscriptions/subscriber.js';
import { SocketMessage, type SocketPeer } from './socket-message.js';
import type { TokenWatch } from './token-watch.js';

/** Close codes (RFC 6455, section 7.4.1). */
export const CLOSE = { goingAway: 1001, unsupported: 1003, policy: 1008 } as const;

/** A connection that has been silent for this long is pinged. Documented in docs/rpc.md. */
const PING_AFTER_MS = 30_000;
/** A pinged connection that stays silent for this long is closed. */
const PONG_WITHIN_MS = 30_000;
/** Pings and pongs that a peer may send at once, and per second in the long run. */
const CONTROL_BURST = 100;
const CONTROL_PER_SECOND = 20;
/** Subscriptions of a connection pause while it has this many unsent bytes. */
const CONGESTED_BYTES = 64 * 1024;

export interface MessageServices {
  readonly limits: Limits;
  readonly budget: ByteBudget;
  /** Answers a message like the body of a POST. */
  readonly call: (message: SocketMessage) => HttpAnswer;
  /** The answer to a message whose handling failed. */
  readonly failure: (error: unknown, message: SocketMessage) => HttpResponse;
  readonly subscriptionsOf: (sink: EventSink) => ConnectionSubscriber;
}

export interface SocketConnectionParts extends MessageServices {
  readonly counts: SocketCounts;
  readonly token: TokenWatch;
  readonly onClosed: (connection: SocketConnection) => void;
}

/**
 * The server's side of one WebSocket: answers its messages, carries its events, and cuts it off if it breaks a limit.
 *
 * 1. Answers and events that the peer has not read count against the byte budget. The connection is cut if they exceed
 *    `maxBacklogBytes` when another answer is due, or if the peer has read nothing for `requestTimeoutMs`.
 * 2. At most `maxMessagesInFlight` messages wait for their answers; further ones are answered as overloaded, with id
 *    null, and more than as many of those in a row end the connection.
 * 3. Silent connections are pinged; a flood of pings ends the connection.
 * 4. Subscriptions end once the token of the connection has expired or was revoked; calls check it themselves.
 */
export class SocketConnection implements WebSocketListener, EventSink {
  readonly #socket: ServerWebSocket;
  readonly #parts: SocketConnectionParts;
  readonly #peer: SocketPeer;
  readonly #subscriptions: ConnectionSubscriber;
  readonly #waiting = new Set<SocketMessage>();
  #refusedInARow = 0;
  #holding: ByteHolding | undefined;
  /** The unsent bytes that the counters include. */
  #unsentBytes = 0;
  /** Total length of everything sent so far, and the part of it that had been read at {@link #progressMs}. */
  #sentBytes = 0;
  #readBytes = 0;
  #progressMs: number;
  #heardMs: number;
  #pingedMs: number | undefined;
  #controlTokens = CONTROL_BURST;
  #isOver = false;
  /** Set by `sweep`: a coarse clock in milliseconds. */
  #nowMs: number;

  /** @param nowMs a coarse clock, as for {@link sweep} */
  constructor(socket: ServerWebSocket, peer: SocketPeer, nowMs: number, parts: SocketConnectionParts) {
    this.#socket = socket;
    this.#peer = peer;
    this.#parts = parts;
    this.#nowMs = nowMs;
    this.#heardMs = nowMs;
    this.#progressMs = nowMs;
    this.#subscriptions = parts.subscriptionsOf(this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  get isCongested(): boolean {
    return this.#socket.unsentBytes >= CONGESTED_BYTES;
  }

  onMessage(body: Uint8Array, isBinary: boolean): void {
    // The peer may send more after the server has begun to close.
    if (this.#isOver) return;
    this.#heard();
    const { counts, limits } = this.#parts;
    counts.messages++;
    counts.receivedBytes += body.length;
    if (isBinary) {
      this.close(CLOSE.unsupported, 'send text messages');
      return;
    }
    if (this.#waiting.size >= limits.maxMessagesInFlight) {
      this.#refuse();
      return;
    }
    this.#refusedInARow = 0;
    this.#answer(body);
  }

  onControlFrame(): void {
    if (this.#isOver) return;
    this.#heard();
    this.#controlTokens--;
    if (this.#controlTokens < 0) this.close(CLOSE.policy, 'too many pings and pongs');
    // The server has answered a ping with a pong, which may be unsent.
    else this.#account();
  }

  onDrain(): void {
    this.#account();
    if (!this.#isOver && !this.isCongested) this.#subscriptions.resume();
  }

  onClose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const message of this.#waiting) message.abort();
    this.#waiting.clear();
    this.#holding?.release();
    this.#noteUnsent(0);
    this.#subscriptions.end();
    this.#parts.onClosed(this);
  }

  sendEvents(events: readonly Uint8Array[]): void {
    if (this.#isOver || events.length === 0) return;
    const { counts } = this.#parts;
    this.#socket.cork(() => {
      for (const event of events) {
        this.#sentBytes += event.length;
        counts.eventBytes += event.length;
        this.#socket.send(event);
      }
    });
    counts.events += events.length;
    this.#account();
  }

  /** Sends a message outside the answer to a call. */
  sendNotice(text: string): void {
    if (!this.#isOver) this.#send(text);
  }

  /** @param reason at most 123 bytes */
  close(code: number, reason: string): void {
    if (this.#isOver) return;
    // A close frame would wait behind them, and they would no longer be counted.
    if (code !== CLOSE.goingAway && this.#socket.unsentBytes > 0) {
      this.#cut();
      return;
    }
    this.#socket.close(code, reason);
    // An implementation may report the end only once the peer has answered.
    this.onClose();
  }

  /** Checks deadlines and the token; called about twice a second. @param nowMs does not advance while this thread is blocked */
  sweep(nowMs: number): void {
    const elapsedMs = nowMs - this.#nowMs;
    this.#nowMs = nowMs;
    const tokens = this.#controlTokens + (CONTROL_PER_SECOND * elapsedMs) / 1_000;
    this.#controlTokens = Math.min(CONTROL_BURST, tokens);
    this.#account();
    if (this.#isOver) return;
    if (this.#subscriptions.size > 0) {
      this.#parts.token.check((refusal) => this.#subscriptions.refuse(refusal));
    }
    if (this.#holding !== undefined && nowMs - this.#progressMs > this.#parts.limits.requestTimeoutMs) {
      this.#cut();
    } else if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs > PONG_WITHIN_MS) this.#cut();
    } else if (nowMs - this.#heardMs >= PING_AFTER_MS) {
      this.#pingedMs = nowMs;
      this.#socket.ping();
    }
  }

  #heard(): void {
    this.#heardMs = this.#nowMs;
    this.#pingedMs = undefined;
  }

  #refuse(): void {
    this.#refusedInARow++;
    const { maxMessagesInFlight } = this.#parts.limits;
    if (this.#refusedInARow <= maxMessagesInFlight) this.#send(errorText('null', overloaded()));
    else this.close(CLOSE.policy, `more than ${maxMessagesInFlight} messages without an answer`);
  }

  #answer(body: Uint8Array): void {
    const { call, failure } = this.#parts;
    const subscriber = this.#subscriptions.forMessage();
    const message = new SocketMessage(body, this.#peer, subscriber);
    this.#waiting.add(message);
    const settled = (response: HttpResponse): void => {
      this.#waiting.delete(message);
      message.end();
      if (this.#isOver) return;
      const { body: text } = response;
      if (text.length > 0) this.#send(typeof text === 'string' ? text : Buffer.from(text).toString());
      subscriber.activate();
    };
    let answer: HttpAnswer;
    try {
      answer = call(message);
    } catch (error) {
      answer = failure(error, message);
    }
    // The memory is valid only during the call.
    message.body = NO_BYTES;
    settle(answer, settled, (error) => settled(failure(error, message)));
  }

  #send(text: string): void {
    if (this.#socket.heldBytes > this.#parts.limits.maxBacklogBytes) {
      this.#cut();
      return;
    }
    const bytes = Buffer.byteLength(text);
    this.#sentBytes += bytes;
    this.#parts.counts.sentBytes += bytes;
    this.#socket.send(text);
    this.#account();
  }

  /** Counts the unsent bytes against the budget, and notes whether the peer reads. */
  #account(): void {
    if (this.#isOver) return;
    const { unsentBytes: unsent, heldBytes: held } = this.#socket;
    this.#noteUnsent(unsent);
    const read = this.#sentBytes - unsent;
    if (read > this.#readBytes || unsent === 0) {
      this.#readBytes = read;
      this.#progressMs = this.#nowMs;
    }
    if (unsent === 0) {
      this.#holding?.release();
      this.#holding = undefined;
    } else if (held > this.#parts.limits.maxBacklogBytes + this.#parts.limits.maxBatchAnswerBytes) {
      this.#cut();
    } else if (this.#holding === undefined) {
      const { remoteAddress } = this.#peer;
      this.#holding = this.#parts.budget.hold(held, () => this.#cut(), remoteAddress);
      if (this.#holding === undefined) this.#cut();
    } else {
      this.#holding.resize(held);
    }
  }

  #noteUnsent(bytes: number): void {
    this.#parts.counts.unsentBytes += bytes - this.#unsentBytes;
    this.#unsentBytes = bytes;
  }

  #cut(): void {
    if (this.#isOver) return;
    this.#parts.counts.cut++;
    this.#socket.terminate();
    this.onClose();
  }
}

const NO_BYTES = new Uint8Array(0);

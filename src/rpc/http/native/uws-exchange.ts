import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { Abortable } from '../../../async/abortable.js';
import type { Caller } from '../../../async/caller.js';
import { isFragmented } from '../../../async/fragmented-body.js';
import { isAsync, settle } from '../../../async/maybe-async.js';
import { CallerGoneError } from '../../../async/sliced-work.js';
import { clientOfAddress } from '../../../config/host.js';
import type { ByteHolding } from '../../limits/byte-budget.js';
import { clientOf } from '../../limits/client-of.js';
import type { RequestSpan } from '../../tracing/tracing.js';
import type { BodyBuffer } from '../body-buffer.js';
import type { HttpAnswer, HttpRequest, HttpResponse, HttpServerOptions } from '../http-server.js';
import {
  type AnswerBytes,
  encodedAnswer,
  measuredInSlices,
  shortAnswer,
  transientBytes,
} from './answer-bytes.js';
import type { BodyPacer } from './body-pacer.js';
import type { UwsRequest, UwsResponse } from './uws-binding.js';
import type { HeaderNames, HeadProblem, HeadReader } from './uws-head.js';

export interface ExchangeOwner {
  readonly options: HttpServerOptions;
  readonly head: HeadReader;
  /** True while the server stops: connections are closed after their answers. */
  readonly stopping: boolean;
  readonly pacer: BodyPacer;
  /** A coarse clock in milliseconds, advanced by the server's sweep. */
  readonly nowMs: number;
  /** Called before an answer is sent after which the library closes the connection. @param peer its address */
  onLastAnswer(peer: string): void;
  /** True if the next answer should check whether its peer reads. */
  checksNext(): boolean;
  onExchangeEnded(exchange: UwsExchange): void;
}

/** What the route of a request says about it. */
export interface RequestKind {
  readonly method: string;
  /** Present for the path of calls, whose requests have no query. */
  readonly path?: string | undefined;
  readonly names: HeaderNames;
}

const NO_BYTES = new Uint8Array(0);
/** Longer texts are measured, encoded and sent in slices over several ticks. */
const MAX_LENGTH_AT_ONCE = 256 * 1024;
/** Longer answers, in characters or bytes, are always sent in a way that detects peers that do not read. */
const MAX_UNCHECKED_LENGTH = 4_096;
/** Status lines by code, such as `404 Not Found`. */
export const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`] as const),
);

/**
 * One request and its answer. The library imposes these rules: the request object is valid only inside its handler, a
 * chunk of the body only inside its callback, and the response must not be used once it has ended or the peer is
 * gone.
 *
 * A peer that never reads must not fill the memory. `tryEnd` detects such a peer: unread bytes stay with the
 * exchange, and another request on the connection closes it. `tryEnd` costs a tenth of a cheap call, so short answers
 * use it only at random, and otherwise use `end`. A peer that does not read is detected within about ten answers of
 * at most 4 KiB.
 *
 * Hot path; `bench/http.bench.ts` guards it.
 */
export class UwsExchange extends Abortable implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  requestId: string | undefined = undefined;
  span: RequestSpan | undefined = undefined;
  body: Uint8Array = NO_BYTES;
  /** True if the body is in memory that the library will reuse. */
  #isBorrowed = false;
  /** Neighbors in the server's list of active requests. */
  older: UwsExchange | undefined = undefined;
  newer: UwsExchange | undefined = undefined;
  readonly #owner: ExchangeOwner;
  readonly #response: UwsResponse;
  readonly #headerNames: HeaderNames;
  readonly #headerValues: readonly string[];
  readonly #problem: HeadProblem | undefined;
  /** True if the peer asks to close the connection after the answer. */
  readonly #isLast: boolean;
  readonly #announced: number;
  #pieces: BodyBuffer | undefined;
  #received = 0;
  #pieceCount = 0;
  #isPaused = false;
  /** True if the last piece ended a pause: the resumed connection times out, even while the handler works. */
  #needsRenewal = false;
  #unsent: ByteHolding | undefined;
  /** Time on the owner's clock by which the peer must have sent or read more. */
  #deadlineMs: number;
  #remoteAddress: string | undefined;

  constructor(
    owner: ExchangeOwner,
    response: UwsResponse,
    request: UwsRequest,
    { method, path, names }: RequestKind,
  ) {
    super();
    this.#owner = owner;
    this.#response = response;
    this.method = method;
    this.path = path ?? request.getUrl();
    this.query = path === undefined ? (request.getQuery() ?? '') : '';
    const { head } = owner;
    this.#headerNames = names;
    this.#headerValues = head.read(request, names);
    this.#problem = head.problem();
    this.#isLast = head.isLast;
    this.#announced = head.contentLength === '' ? 0 : Number(head.contentLength);
    this.#deadlineMs = owner.nowMs + owner.options.requestTimeoutMs;
  }

  header(name: string): string {
    return this.#headerValues[this.#headerNames.names.indexOf(name)] ?? '';
  }

  keepBody(): Uint8Array {
    // Not `slice`, which shares the memory of a Buffer.
    return this.#isBorrowed ? new Uint8Array(this.body) : this.body;
  }

  get remoteAddress(): string {
    if (this.#remoteAddress === undefined) {
      this.#remoteAddress = this.isOver ? '' : textAddress(this.#response.getRemoteAddressAsText());
    }
    return this.#remoteAddress;
  }

  /** Answers at once if the head alone determines the answer, otherwise once the body has arrived. */
  receive(): void {
    const { refused, maxBodyBytes, maxDrainBytes, bodyTooLong } = this.#owner.options;
    this.#response.onAborted(() => this.#aborted());
    if (this.#problem !== undefined) {
      this.#send(refused(...this.#problem, this), true);
    } else if (this.#announced > maxBodyBytes + maxDrainBytes) {
      this.#send(bodyTooLong(this.#announced, this), true);
    } else {
      this.#response.onData((chunk, isLast) => this.#data(chunk, isLast));
    }
  }

  /** Closes the connection of a late peer, or keeps that of a waiting one; called at least every second. */
  checkTime(): void {
    if (this.#owner.nowMs > this.#deadlineMs) this.#response.close();
    // Resuming restarts the library's timeout.
    else if (this.#needsRenewal && this.#isHandled) this.#response.resume();
  }

  get #isHandled(): boolean {
    return this.#deadlineMs === Number.POSITIVE_INFINITY;
  }

  #aborted(): void {
    this.end();
    this.#pieces?.drop();
    this.#unsent?.release();
    this.#owner.onExchangeEnded(this);
    this.abort();
  }

  #data(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.isOver) return;
    const { maxBodyBytes, maxDrainBytes, bodyTooLong, collectBody } = this.#owner.options;
    this.#received += chunk.byteLength;
    if (isLast) {
      // The library may deliver the last piece despite a pause.
      this.#needsRenewal = this.#isPaused;
      this.#readOn();
    } else if (isFragmented(++this.#pieceCount, this.#received)) {
      // Closes without an answer, because the library would keep reading after one.
      this.#response.close();
      return;
    }
    if (this.#received > maxBodyBytes) {
      this.#pieces?.drop();
      if (isLast) this.#send(bodyTooLong(this.#received, this), false);
      else if (this.#received > maxBodyBytes + maxDrainBytes)
        this.#send(bodyTooLong(this.#received, this), true);
      else this.#pace();
      return;
    }
    if (isLast && this.#pieces === undefined) {
      this.#isBorrowed = true;
      this.#answer(Buffer.from(chunk));
      return;
    }
    const begun = performance.now();
    this.#pieces ??= collectBody(this.remoteAddress, () => this.#cut());
    const isTaken = this.#pieces.add(new Uint8Array(chunk));
    this.#owner.pacer.recordPiece(performance.now() - begun);
    if (!isTaken) this.#cut();
    else if (isLast) this.#answer(this.#pieces.take());
    else this.#pace();
  }

  /** Keeps reading, or pauses until the sender's turn. */
  #pace(): void {
    const { pacer } = this.#owner;
    if (this.#isPaused || !pacer.isBusy) return;
    this.#isPaused = true;
    this.#response.pause();
    pacer.wait(clientOfAddress(this.remoteAddress), () => {
      if (!this.isOver) this.#readOn();
    });
  }

  #readOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#response.resume();
  }

  #cut(): void {
    if (!this.isOver) this.#response.cork(() => this.#send(this.#owner.options.overloaded(this), true));
  }

  #answer(body: Uint8Array): void {
    const { handler, failure } = this.#owner.options;
    this.body = body;
    // The peer has done its part; the handler has no deadline.
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    let answer: HttpAnswer;
    try {
      answer = handler(this);
    } catch (error) {
      answer = failure(error, this);
    }
    // The body was valid only during the call; an answer may come much later.
    this.body = NO_BYTES;
    if (isAsync(answer)) {
      settle(
        answer,
        (settled) => this.#sendLater(settled),
        (error) => this.#sendLater(failure(error, this)),
      );
    } else this.#send(answer, false);
  }

  #sendLater(answer: HttpResponse): void {
    if (!this.isOver) this.#response.cork(() => this.#send(answer, false));
  }

  #send(answer: HttpResponse, close: boolean): void {
    const { status, headers, body } = answer;
    const response = this.#response;
    // The library closes by itself only where `close` is the only option, and no other request follows.
    const last = close || this.#owner.stopping || (this.#isLast && body.length <= MAX_UNCHECKED_LENGTH);
    if (typeof body === 'string' && body.length > MAX_LENGTH_AT_ONCE && !last) {
      void this.#sendInSlices(answer, body);
      return;
    }
    this.#sendHead(status, headers);
    if (status === 204 || status === 304 || this.method === 'HEAD') {
      if (status !== 204 && status !== 304) this.#writeLength(byteLength(body));
      if (last) response.writeHeader('connection', 'close');
      response.endWithoutBody();
    } else if (last) {
      this.#owner.onLastAnswer(this.remoteAddress);
      response.end(body, true);
    } else if (body.length > MAX_UNCHECKED_LENGTH || this.#owner.checksNext()) {
      this.#sendChecked(body);
      return;
    } else {
      response.end(typeof body === 'string' ? shortAnswer(body) : body);
    }
    this.#sent();
  }

  #sendHead(status: number, headers: HttpResponse['headers']): void {
    const response = this.#response;
    if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
    for (let i = 0; i < headers.length; i++) {
      const header = headers[i];
      if (header !== undefined) response.writeHeader(header[0], header[1]);
    }
  }

  /** `endWithoutBody` waits for a body if given a length, and sends 2^63 if given undefined. */
  #writeLength(bytes: number): void {
    this.#response.writeHeader('content-length', String(bytes));
  }

  /** Never rejects. */
  async #sendInSlices({ status, headers }: HttpResponse, body: string): Promise<void> {
    const { work, onError } = this.#owner.options;
    if (!this.#hold(body.length)) return;
    try {
      const bytes = await work.run(measuredInSlices(body), this.#receiver());
      if (this.isOver) return;
      this.#response.cork(() => {
        this.#sendHead(status, headers);
        if (this.method === 'HEAD') {
          this.#writeLength(bytes.length);
          this.#response.endWithoutBody();
          this.#sent();
        } else this.#sendAll(bytes);
      });
    } catch (error) {
      if (!(error instanceof CallerGoneError)) onError(error);
    }
  }

  /** The client as a caller that is gone once its connection is closed. */
  #receiver(): Caller {
    const isOver = () => this.isOver;
    return {
      client: clientOf({ remoteAddress: this.remoteAddress, subject: undefined }),
      get isGone() {
        return isOver();
      },
    };
  }

  /** Counts an answer that is not sent yet. Returns false, and closes the connection, if there is no room for it. */
  #hold(length: number): boolean {
    const { budget } = this.#owner.options;
    this.#unsent ??= budget.hold(length, () => this.#response.close(), this.remoteAddress);
    if (this.#unsent !== undefined) return true;
    // Deferred, because the caller may be writing to the connection.
    setImmediate(() => {
      if (!this.isOver) this.#response.close();
    });
    return false;
  }

  #sent(): void {
    this.end();
    this.#unsent?.release();
    this.#owner.onExchangeEnded(this);
  }

  #sendChecked(body: string | Uint8Array): void {
    const isText = typeof body === 'string';
    const bytes = isText ? transientBytes(body) : body;
    const [taken, done] = this.#response.tryEnd(bytes, bytes.length);
    if (done) this.#sent();
    else this.#sendRest(encodedAnswer(isText ? new Uint8Array(bytes) : bytes), taken);
  }

  #sendAll(bytes: AnswerBytes): void {
    const [taken, done] = this.#response.tryEnd(bytes.from(0), bytes.length);
    if (done) this.#sent();
    else this.#sendRest(bytes, taken);
  }

  #sendRest(bytes: AnswerBytes, taken: boolean): void {
    if (!this.#hold(bytes.length)) return;
    this.#moveDeadline();
    this.#response.onWritable((offset) => this.#sendMore(bytes, offset));
    if (taken) this.#sendLaterOn(bytes);
  }

  #sendLaterOn(bytes: AnswerBytes): void {
    setImmediate(() => {
      if (this.isOver) return;
      this.#response.cork(() => this.#sendMore(bytes, this.#response.getWriteOffset()));
    });
  }

  #sendMore(bytes: AnswerBytes, offset: number): boolean {
    const [taken, done] = this.#response.tryEnd(bytes.from(offset), bytes.length);
    if (done) {
      this.#sent();
    } else {
      this.#moveDeadline();
      if (taken) this.#sendLaterOn(bytes);
    }
    return taken;
  }

  #moveDeadline(): void {
    this.#deadlineMs = this.#owner.nowMs + this.#owner.options.requestTimeoutMs;
  }
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

/** Formats an address; IPv4 peers of a dual-stack socket are shown as IPv4. */
export function textAddress(address: ArrayBuffer): string {
  const text = Buffer.from(address).toString('latin1');
  return text.startsWith('0000:0000:0000:0000:0000:ffff:') ? mappedIpv4(text) : text;
}

function mappedIpv4(text: string): string {
  const digits = text.slice(30).replace(':', '');
  return [0, 2, 4, 6].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join('.');
}

import { Buffer } from 'node:buffer';
import type { UwsRequest } from './uws-binding.js';

/** Why a head is refused: HTTP status and message. */
export type HeadProblem = readonly [status: number, message: string];

const FORWARDED_FOR = 'x-forwarded-for';
/** Names as bytes, because the library has to encode strings each time. */
const FORWARDED_FOR_BYTES = Buffer.from(FORWARDED_FOR);
const CONNECTION_BYTES = Buffer.from('connection');
/** Headers whose repeated lines are joined (RFC 9110, section 5.3): lists, and those that a handshake may have only once. */
const JOINED: ReadonlySet<string> = new Set([
  FORWARDED_FOR,
  'connection',
  'upgrade',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
]);
/** The option `close` in a list of connection options. */
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const NO_BYTES = new Uint8Array(0);
const NINE = 0x39;
const ZERO = 0x30;

/** Number of heads per second that are always checked, at a cost of 0.4 % of a CPU. */
const CHECKED_EACH_SECOND = 2_000;

/** The lowercase names of headers to read. */
export class HeaderNames {
  readonly names: readonly string[];
  readonly bytes: readonly Uint8Array[];
  readonly haveForwardedFor: boolean;

  constructor(names: readonly string[]) {
    this.names = names;
    this.bytes = names.map((name) => Buffer.from(name));
    this.haveForwardedFor = names.includes(FORWARDED_FOR);
  }
}

/**
 * Reads the headers of a request and checks what the library does not. Of several headers with one name the library
 * returns only the first; if a proxy uses another one, it and this server disagree about where the next request
 * begins (RFC 9112, section 11.2).
 *
 * The library also parses a chunk's extension as digits of its size. A chunked body that came through a proxy is
 * therefore refused.
 *
 * Checking all headers costs 2 µs, a seventh of a cheap call. Beyond {@link CHECKED_EACH_SECOND} requests per second,
 * only requests with `X-Forwarded-For`, which came through a proxy, are checked: a client that sends two lengths
 * directly harms only itself.
 *
 * A server reuses one instance for all requests. Hot path; `bench/http.bench.ts` guards it.
 */
export class HeadReader {
  /** Value of `Content-Length`; empty without one. */
  contentLength = '';
  #connection = '';
  readonly #maxHeaders: number;
  #checksLeft = CHECKED_EACH_SECOND;
  #isChecked = false;
  #names: readonly string[] = [];
  #values: string[] = [];
  #headers = 0;
  #hosts = 0;
  #lengths = 0;
  #codings = 0;
  #coding = '';
  #isForwarded = false;
  readonly #each = (name: string, value: string): void => {
    this.#headers++;
    // Compares lengths first: names from the library are new strings, so comparing two looks at every character.
    switch (name.length) {
      case 4:
        if (name === 'host') this.#hosts++;
        break;
      case 3:
        if (name === 'via') this.#isForwarded = true;
        break;
      case 9:
        if (name === 'forwarded') this.#isForwarded = true;
        break;
      case 15:
        if (name === FORWARDED_FOR) this.#isForwarded = true;
        break;
      case 10:
        if (name === 'connection') this.#connection += this.#connection === '' ? value : `, ${value}`;
        break;
      case 14:
        if (name === 'content-length') {
          this.#lengths++;
          this.contentLength = value;
        }
        break;
      case 17:
        if (name === 'transfer-encoding') {
          this.#codings++;
          this.#coding = value;
        }
        break;
    }
    const names = this.#names;
    for (let i = 0; i < names.length; i++) {
      const kept = names[i];
      if (kept === undefined || kept.length !== name.length || kept !== name) continue;
      const known = this.#values[i];
      if (known === '') this.#values[i] = value;
      else if (JOINED.has(name)) this.#values[i] = `${known}, ${value}`;
      return;
    }
  };

  constructor(maxHeaders: number) {
    this.#maxHeaders = maxHeaders;
  }

  /** Allows more checks for the time elapsed; called periodically. */
  elapsed(milliseconds: number): void {
    const left = this.#checksLeft + (milliseconds / 1_000) * CHECKED_EACH_SECOND;
    this.#checksLeft = Math.min(left, CHECKED_EACH_SECOND);
  }

  /** @returns the values of the named headers, in the same order; the empty string for absent ones */
  read(request: UwsRequest, { names, bytes, haveForwardedFor }: HeaderNames): readonly string[] {
    this.contentLength = '';
    this.#connection = '';
    // An empty first line may precede others.
    this.#isChecked =
      this.#checksLeft >= 1 || haveForwardedFor || request.getHeader(FORWARDED_FOR_BYTES) !== '';
    if (this.#isChecked) return this.#readAll(request, names);
    const values = new Array<string>(names.length);
    for (let i = 0; i < values.length; i++) values[i] = request.getHeader(bytes[i] ?? NO_BYTES);
    this.#connection = request.getHeader(CONNECTION_BYTES);
    return values;
  }

  #readAll(request: UwsRequest, names: readonly string[]): readonly string[] {
    this.#checksLeft = Math.max(0, this.#checksLeft - 1);
    const values = new Array<string>(names.length).fill('');
    this.#names = names;
    this.#values = values;
    this.#headers = 0;
    this.#hosts = 0;
    this.#lengths = 0;
    this.#codings = 0;
    this.#isForwarded = false;
    request.forEach(this.#each);
    return values;
  }

  get isLast(): boolean {
    return this.#connection !== '' && CLOSE.test(this.#connection);
  }

  problem(): HeadProblem | undefined {
    if (!this.#isChecked) return undefined;
    if (this.#hosts !== 1) return [400, 'a request has one Host header'];
    if (this.#lengths > 1) return [400, 'Content-Length: given more than once'];
    if (this.#lengths === 1 && !isDecimal(this.contentLength)) {
      return [400, 'Content-Length: expected a decimal number'];
    }
    if (this.#codings > 0) return this.#codingProblem();
    if (this.#headers > this.#maxHeaders) return [431, `at most ${this.#maxHeaders} headers are taken`];
    return undefined;
  }

  #codingProblem(): HeadProblem | undefined {
    if (this.#lengths > 0) return [400, 'Content-Length and Transfer-Encoding are mutually exclusive'];
    if (this.#codings > 1 || this.#coding.trim().toLowerCase() !== 'chunked') {
      return [400, 'Transfer-Encoding: expected chunked'];
    }
    if (this.#isForwarded) return [411, 'a request that came through a proxy needs a Content-Length'];
    return undefined;
  }
}

function isDecimal(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character < ZERO || character > NINE) return false;
  }
  return text !== '';
}

/*
 * A channel: memory that a thread that has calls and one worker share for as long as the worker serves it, so that a batch of
 * calls goes over and comes back without a message. Numbers are 32 bits:
 *
 *   REQUEST   of the last batch written by the thread that has calls
 *   ANSWER    of the last batch answered by the worker; the two are equal while nothing is under way
 *   LEAVE     1 where the worker is wanted for other tasks
 *   ASLEEP    1 where the other thread does not look at ANSWER but waits to be notified
 *   REQUEST_BYTES, ANSWER_BYTES   what lies in the two areas behind the numbers
 *   ANSWER_IS_LATIN1   how the answer's text is encoded: 1 for Latin-1, 0 for UTF-8
 *   HAS_MORE  1 where what was answered is a part of the answer
 *
 * A long answer goes over in parts, so that neither thread has to copy it whole: for the next one the thread that has calls
 * sends a batch of NEXT_PART bytes, which is none.
 */

const REQUEST = 0;
const ANSWER = 1;
const LEAVE = 2;
const ASLEEP = 3;
const REQUEST_BYTES = 4;
const ANSWER_BYTES = 5;
const ANSWER_IS_LATIN1 = 6;
const HAS_MORE = 7;
const NEXT_PART = -1;
const HEAD_BYTES = 64;

/** The longest batch that a channel takes, in bytes: a little more than a batch of short calls has. */
export const MAX_REQUEST_BYTES = 320 * 1024;
/** The longest text that a channel gives back at a time, in bytes; and in characters, whatever they are. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_PART = Math.floor(MAX_ANSWER_BYTES / 3);

/** Made by the thread that has calls and handed to the worker that serves it. */
export function createChannelMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + MAX_REQUEST_BYTES + MAX_ANSWER_BYTES);
}

interface Parts {
  readonly words: Int32Array;
  readonly request: Buffer;
  readonly answer: Buffer;
}

function partsOf(memory: SharedArrayBuffer): Parts {
  return {
    words: new Int32Array(memory, 0, HEAD_BYTES / 4),
    request: Buffer.from(memory, HEAD_BYTES, MAX_REQUEST_BYTES),
    answer: Buffer.from(memory, HEAD_BYTES + MAX_REQUEST_BYTES, MAX_ANSWER_BYTES),
  };
}

/** Asks the worker that serves a channel to give it up after the batch it is at; from any thread. */
export function requestRelease(memory: SharedArrayBuffer): void {
  const words = new Int32Array(memory, 0, HEAD_BYTES / 4);
  Atomics.store(words, LEAVE, 1);
  Atomics.notify(words, REQUEST);
}

/** The end of a channel of the thread that has calls. */
export class ChannelClient {
  readonly #words: Int32Array;
  readonly #request: Buffer;
  readonly #answer: Buffer;

  constructor(memory: SharedArrayBuffer) {
    const { words, request, answer } = partsOf(memory);
    this.#words = words;
    this.#request = request;
    this.#answer = answer;
  }

  /** Whether a batch waits to be answered. */
  get isBusy(): boolean {
    return this.#words[REQUEST] !== Atomics.load(this.#words, ANSWER);
  }

  /** Writes a batch of at most MAX_REQUEST_BYTES, and wakes the worker where one sleeps on the channel. */
  send(batch: Uint8Array): void {
    const words = this.#words;
    this.#request.set(batch);
    words[REQUEST_BYTES] = batch.length;
    Atomics.store(words, ASLEEP, 0);
    Atomics.add(words, REQUEST, 1);
    Atomics.notify(words, REQUEST);
  }

  /** Asks for the next part of the answer. */
  requestNextPart(): void {
    const words = this.#words;
    words[REQUEST_BYTES] = NEXT_PART;
    Atomics.store(words, ASLEEP, 0);
    Atomics.add(words, REQUEST, 1);
    Atomics.notify(words, REQUEST);
  }

  /** Whether what the channel holds is not the end of the answer. */
  get hasMore(): boolean {
    return this.#words[HAS_MORE] === 1;
  }

  /** The text of the answer, or of a part; to be asked for when the channel is no longer busy. */
  take(): string {
    const words = this.#words;
    const bytes = words[ANSWER_BYTES] ?? 0;
    return this.#answer.toString(words[ANSWER_IS_LATIN1] === 1 ? 'latin1' : 'utf8', 0, bytes);
  }

  /**
   * To be told when the batch under way is answered, or forgotten.
   * @returns undefined where it has been answered already
   */
  waitForAnswer(): Promise<unknown> | undefined {
    const words = this.#words;
    Atomics.store(words, ASLEEP, 1);
    const waiting = Atomics.waitAsync(words, ANSWER, ((words[REQUEST] ?? 0) - 1) | 0);
    return waiting.async ? waiting.value : undefined;
  }

  /** To be called before a worker is asked to serve the channel. */
  open(): void {
    Atomics.store(this.#words, LEAVE, 0);
  }

  /** Forgets the batch that a worker was at when it was lost. */
  reset(): void {
    Atomics.store(this.#words, ANSWER, this.#words[REQUEST] ?? 0);
    Atomics.notify(this.#words, ANSWER);
  }
}

/** How long a worker goes on looking for the next batch before it sleeps, in milliseconds. */
const SPIN_MS = 0.02;
/** How long it sleeps before it gives up the channel. */
const IDLE_MS = 20;

/** How long it keeps the rest of an answer that nobody fetches. */
const UNFETCHED_MS = 10_000;

/**
 * Serves a channel in a worker until nothing comes for a while, or the worker is wanted elsewhere. A batch that is still
 * unanswered then stays in the channel.
 * @param run answers a batch
 * @throws Error where the rest of an answer was not fetched, or is not here
 */
export function serveChannel(memory: SharedArrayBuffer, run: (batch: Uint8Array) => string): void {
  const { words, request, answer } = partsOf(memory);
  // Looking for the next batch pays only where batches follow each other closely.
  let isDense = true;
  /** What of the last answer has not been fetched. */
  let rest = '';
  // Each time it is served a channel gets one batch done, however many other tasks there are.
  for (let hasRun = false; ; ) {
    const answered = Atomics.load(words, ANSWER);
    const isIdle = Atomics.load(words, REQUEST) === answered;
    if (rest === '' && (hasRun || isIdle) && Atomics.load(words, LEAVE) === 1) return;
    if (isIdle && rest !== '') {
      if (Atomics.wait(words, REQUEST, answered, UNFETCHED_MS) === 'timed-out') {
        throw new Error('calls: nobody fetched the rest of an answer');
      }
      continue;
    }
    if (isIdle) {
      const begin = performance.now();
      if (!(isDense && spin(words, answered, begin + SPIN_MS))) {
        if (Atomics.wait(words, REQUEST, answered, IDLE_MS) === 'timed-out') return;
        isDense = performance.now() - begin < 2 * SPIN_MS;
      }
      continue;
    }
    const length = words[REQUEST_BYTES] ?? 0;
    if (length === NEXT_PART && rest === '') throw new Error('calls: the rest of an answer is not here');
    // A copy: what reads it may not know of memory that changes.
    const text = length === NEXT_PART ? rest : run(Uint8Array.prototype.slice.call(request, 0, length));
    const end = partEnd(text);
    rest = text.slice(end);
    words[HAS_MORE] = rest === '' ? 0 : 1;
    writeAnswer(words, answer, text.slice(0, end));
    Atomics.store(words, ANSWER, answered + 1);
    if (Atomics.load(words, ASLEEP) === 1) Atomics.notify(words, ANSWER);
    hasRun = true;
  }
}

/** Where the next part of a text ends: not between the halves of a character. */
function partEnd(text: string): number {
  if (text.length <= MAX_PART) return text.length;
  const last = text.charCodeAt(MAX_PART - 1);
  return last >= 0xd800 && last < 0xdc00 ? MAX_PART - 1 : MAX_PART;
}

/** Looks for a batch until a time. */
function spin(words: Int32Array, answered: number, untilMs: number): boolean {
  while (performance.now() < untilMs) {
    for (let look = 0; look < 20; look++) {
      if (Atomics.load(words, REQUEST) !== answered) return true;
    }
    if (Atomics.load(words, LEAVE) === 1) return true;
  }
  return false;
}

function writeAnswer(words: Int32Array, answer: Buffer, text: string): void {
  const bytes = answer.write(text, 0, 'utf8');
  words[ANSWER_BYTES] = bytes;
  // Where every character takes one byte the two encodings are the same, and Latin-1 is the cheaper to read.
  words[ANSWER_IS_LATIN1] = bytes === text.length ? 1 : 0;
}

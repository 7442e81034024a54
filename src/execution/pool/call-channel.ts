/*
 * A channel: memory shared by a thread that sends calls and the worker that serves it, so that a batch of calls and its
 * results need no messages. Numbers are 32 bits:
 *
 *   REQUEST number of the last batch written by the sender
 *   ANSWER number of the last batch answered by the worker; equal to REQUEST while none is in flight
 *   LEAVE 1 if the worker is needed for other tasks
 *   ASLEEP 1 if the sender does not poll ANSWER but waits to be notified
 *   REQUEST_BYTES, ANSWER_BYTES lengths of the contents of the two areas after the numbers
 *   ANSWER_IS_LATIN1 encoding of the result's text: 1 for Latin-1, 0 for UTF-8
 *   HAS_MORE 1 if the result continues in another part
 *
 * A long result is sent in parts, so that neither thread has to copy it whole: the sender requests the next one with
 * NEXT_PART as the length of the batch.
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

/** Maximum size of a batch in bytes: a little more than a full batch of short calls has. */
export const MAX_REQUEST_BYTES = 320 * 1024;
/** Maximum size of a part of a result, in bytes; MAX_PART is the maximum in characters, of at most 3 bytes each. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_PART = Math.floor(MAX_ANSWER_BYTES / 3);

/** Creates a channel's memory, in the sender's thread. */
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

/** Asks the worker that serves a channel to leave it after its current batch; callable from any thread. */
export function requestRelease(memory: SharedArrayBuffer): void {
  const words = new Int32Array(memory, 0, HEAD_BYTES / 4);
  Atomics.store(words, LEAVE, 1);
  Atomics.notify(words, REQUEST);
}

/** The sender's end of a channel. */
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

  /** True while a batch is in flight. */
  get isBusy(): boolean {
    return this.#words[REQUEST] !== Atomics.load(this.#words, ANSWER);
  }

  /** Writes a batch of at most MAX_REQUEST_BYTES, and wakes a worker that sleeps on the channel. */
  send(batch: Uint8Array): void {
    const words = this.#words;
    this.#request.set(batch);
    words[REQUEST_BYTES] = batch.length;
    Atomics.store(words, ASLEEP, 0);
    Atomics.add(words, REQUEST, 1);
    Atomics.notify(words, REQUEST);
  }

  requestNextPart(): void {
    const words = this.#words;
    words[REQUEST_BYTES] = NEXT_PART;
    Atomics.store(words, ASLEEP, 0);
    Atomics.add(words, REQUEST, 1);
    Atomics.notify(words, REQUEST);
  }

  /** Whether the result continues after the part in the channel. */
  get hasMore(): boolean {
    return this.#words[HAS_MORE] === 1;
  }

  /** Returns the text of the result, or of a part of it; valid once the channel is no longer busy. */
  take(): string {
    const words = this.#words;
    const bytes = words[ANSWER_BYTES] ?? 0;
    return this.#answer.toString(words[ANSWER_IS_LATIN1] === 1 ? 'latin1' : 'utf8', 0, bytes);
  }

  /** Resolves when the batch in flight is answered or discarded; undefined if it already is. */
  waitForAnswer(): Promise<unknown> | undefined {
    const words = this.#words;
    Atomics.store(words, ASLEEP, 1);
    const waiting = Atomics.waitAsync(words, ANSWER, ((words[REQUEST] ?? 0) - 1) | 0);
    return waiting.async ? waiting.value : undefined;
  }

  /** Prepares the channel for a new worker. */
  open(): void {
    Atomics.store(this.#words, LEAVE, 0);
  }

  /** Discards the batch of a worker that was lost. */
  reset(): void {
    Atomics.store(this.#words, ANSWER, this.#words[REQUEST] ?? 0);
    Atomics.notify(this.#words, ANSWER);
  }
}

/** Time that a worker polls for the next batch before it sleeps, in milliseconds. */
const SPIN_MS = 0.02;
/** Time that a worker sleeps before it leaves the channel, in milliseconds. */
const IDLE_MS = 20;

/** Time that a worker keeps the rest of a result that is not fetched, in milliseconds. */
const UNFETCHED_MS = 10_000;

/**
 * Serves a channel until it has been idle for a while, or the worker is needed elsewhere; a batch may stay in it.
 * @throws Error if the rest of a result was not fetched, or does not exist
 */
export function serveChannel(memory: SharedArrayBuffer, run: (batch: Uint8Array) => string): void {
  const { words, request, answer } = partsOf(memory);
  // Polling pays only if batches follow each other closely.
  let isDense = true;
  /** The part of the last result that has not been fetched. */
  let rest = '';
  // The worker answers at least one waiting batch before it leaves the channel, even if other tasks wait.
  for (let hasRun = false; ; ) {
    const answered = Atomics.load(words, ANSWER);
    const isIdle = Atomics.load(words, REQUEST) === answered;
    if (rest === '' && (hasRun || isIdle) && Atomics.load(words, LEAVE) === 1) return;
    if (isIdle && rest !== '') {
      if (Atomics.wait(words, REQUEST, answered, UNFETCHED_MS) === 'timed-out') {
        throw new Error('calls: the rest of a result was not fetched');
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
    if (length === NEXT_PART && rest === '') throw new Error('calls: there is no rest of a result to fetch');
    // Copied, because readers of the batch do not accept memory that changes.
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

/** Returns the end of the next part of a text; never splits a surrogate pair. */
function partEnd(text: string): number {
  if (text.length <= MAX_PART) return text.length;
  const last = text.charCodeAt(MAX_PART - 1);
  return last >= 0xd800 && last < 0xdc00 ? MAX_PART - 1 : MAX_PART;
}

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
  // With one byte per character the encodings are equal, and Latin-1 is cheaper to read.
  words[ANSWER_IS_LATIN1] = bytes === text.length ? 1 : 0;
}

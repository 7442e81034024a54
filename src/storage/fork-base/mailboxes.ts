import type { Purpose } from './state-base.js';

/*
 * Questions of blocked threads to the thread that reads another chain. The memory holds a word that counts questions,
 * followed by the boxes, each of three words and text: its state, the length of its text, what the question is for.
 */

const FREE = 0;
const CLAIMED = 1;
const ASKED = 2;
const TAKEN = 3;
const ANSWERED = 4;
const FAILED = 5;

const BOXES = 64;
const HEADER_WORDS = 3;
const TEXT_BYTES = 500;
const BOX_BYTES = 4 * HEADER_WORDS + TEXT_BYTES;
const BOX_WORDS = BOX_BYTES / 4;

/** Time after which a box that no thread takes further is free: longer than any thread waits. */
const LEFT_MS = 60_000;

/** Time that a thread waits for a free box before it looks again. */
const RETRY_MS = 1;

export interface Question {
  readonly box: number;
  readonly name: Uint8Array;
  readonly purpose: Purpose;
}

/** How a question ended. */
export type Answer = { readonly isHidden: boolean } | { readonly error: string };

export function createMailboxes(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 + BOXES * BOX_BYTES);
}

/** Both sides of the mailboxes. */
export class Mailboxes {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  /** When {@link reclaim} first found a box in its state. */
  readonly #found = new Map<number, { readonly state: number; readonly atMs: number }>();

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  /** Asks, and blocks the thread until the answer; undefined if it does not come in time. @param name up to 500 bytes */
  ask(name: Uint8Array, purpose: Purpose, timeoutMs: number): Answer | undefined {
    const deadline = performance.now() + timeoutMs;
    const box = this.#claim(deadline);
    if (box === undefined) return undefined;
    const at = stateAt(box);
    this.#bytes.set(name, textAt(box));
    this.#words[at + 1] = name.length;
    this.#words[at + 2] = purpose === 'execute' ? 1 : 0;
    Atomics.store(this.#words, at, ASKED);
    Atomics.add(this.#words, 0, 1);
    Atomics.notify(this.#words, 0);
    for (let state = ASKED; state !== ANSWERED && state !== FAILED; state = Atomics.load(this.#words, at)) {
      const left = deadline - performance.now();
      // The box stays taken, because its answer may still come; `reclaim` frees it.
      if (left <= 0 || Atomics.wait(this.#words, at, state, left) === 'timed-out') return undefined;
    }
    const answer: Answer =
      Atomics.load(this.#words, at) === ANSWERED
        ? { isHidden: this.#words[at + 2] === 1 }
        : { error: new TextDecoder().decode(this.#text(box)) };
    Atomics.store(this.#words, at, FREE);
    return answer;
  }

  /** Number of questions so far, for {@link asked}. */
  get count(): number {
    return Atomics.load(this.#words, 0);
  }

  /** Resolves once there are more questions than `count`. */
  async asked(count: number): Promise<void> {
    const waiting = Atomics.waitAsync(this.#words, 0, count);
    if (waiting.async) await waiting.value;
  }

  /** Takes the questions that nobody has taken. */
  take(): Question[] {
    const questions: Question[] = [];
    for (let box = 0; box < BOXES; box++) {
      const at = stateAt(box);
      if (Atomics.compareExchange(this.#words, at, ASKED, TAKEN) !== ASKED) continue;
      const purpose = this.#words[at + 2] === 1 ? 'execute' : 'show';
      questions.push({ box, name: this.#text(box), purpose });
    }
    return questions;
  }

  answer({ box }: Question, answer: Answer): void {
    const at = stateAt(box);
    if ('error' in answer) {
      const text = new TextEncoder().encode(answer.error).subarray(0, TEXT_BYTES);
      this.#bytes.set(text, textAt(box));
      this.#words[at + 1] = text.length;
    } else {
      this.#words[at + 2] = answer.isHidden ? 1 : 0;
    }
    Atomics.store(this.#words, at, 'error' in answer ? FAILED : ANSWERED);
    Atomics.notify(this.#words, at);
  }

  /** Frees the boxes of threads that gave up or were terminated; call now and then. @param nowMs a monotonic clock */
  reclaim(nowMs: number): void {
    for (let box = 0; box < BOXES; box++) {
      const state = Atomics.load(this.#words, stateAt(box));
      const found = this.#found.get(box);
      if (state === FREE || state === ASKED || state === TAKEN) this.#found.delete(box);
      else if (found?.state !== state) this.#found.set(box, { state, atMs: nowMs });
      else if (nowMs - found.atMs >= LEFT_MS) {
        Atomics.compareExchange(this.#words, stateAt(box), state, FREE);
        this.#found.delete(box);
      }
    }
  }

  #claim(deadline: number): number | undefined {
    for (;;) {
      for (let box = 0; box < BOXES; box++) {
        if (Atomics.compareExchange(this.#words, stateAt(box), FREE, CLAIMED) === FREE) return box;
      }
      if (performance.now() >= deadline) return undefined;
      Atomics.wait(this.#words, 0, this.count, RETRY_MS);
    }
  }

  /** A copy: text decoders and hashes refuse shared memory. */
  #text(box: number): Uint8Array {
    const start = textAt(box);
    return Uint8Array.from(this.#bytes.subarray(start, start + (this.#words[stateAt(box) + 1] ?? 0)));
  }
}

/** The word of a box's state. */
function stateAt(box: number): number {
  return 1 + box * BOX_WORDS;
}

/** The byte where a box's text starts. */
function textAt(box: number): number {
  return 4 * (stateAt(box) + HEADER_WORDS);
}

import { LONG_ANSWER } from './messages.js';

/** Limits, in characters, on the answers being made or in flight to front threads: per client, and in total. */
const CLIENT_WINDOW = 4 * 1024 * 1024;
const WINDOW = 64 * 1024 * 1024;
/** Characters reserved for the first answer of a method. */
const UNKNOWN_ANSWER = 64 * 1024;

/**
 * Bounds the answers that the main thread makes and front threads have not received yet. A client with a full window
 * starts no further call until a front thread has received some of its answers.
 */
export class AnswerWindow {
  readonly #clients = new Map<string, number>();
  /** Longest answer so far of each asynchronous method. */
  readonly #longest = new Map<string, number>();
  #all = 0;

  get isEmpty(): boolean {
    return this.#all === 0;
  }

  mayBegin(client: string): boolean {
    return this.#all < WINDOW && (this.#clients.get(client) ?? 0) < CLIENT_WINDOW;
  }

  /** Characters to reserve while a method's answer is being made; 0 if its answers are short. */
  reserveFor(method: string): number {
    const longest = this.#longest.get(method) ?? UNKNOWN_ANSWER;
    return longest < LONG_ANSWER ? 0 : longest;
  }

  recordAnswer(method: string, length: number): void {
    if (length > (this.#longest.get(method) ?? 0)) this.#longest.set(method, length);
  }

  add(client: string, length: number): void {
    if (length === 0) return;
    this.#all += length;
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + length);
  }

  remove(client: string, length: number): void {
    if (length === 0) return;
    this.#all -= length;
    const left = (this.#clients.get(client) ?? 0) - length;
    if (left > 0) this.#clients.set(client, left);
    else this.#clients.delete(client);
  }
}

import type { StoreReader } from '../store.js';
import { cachedBlob, cachedValue } from './fork-cache.js';
import { Mailboxes } from './mailboxes.js';
import { type Purpose, type StateBase, StateBaseError } from './state-base.js';

/** Longer than the reading thread takes to give up on the other chain's node. */
const ANSWER_MS = 40_000;

/** A thread's view of a base: reads the cache, and asks the reading thread for the rest. */
export class BaseReader implements StateBase {
  readonly #cache: StoreReader;
  readonly #boxes: Mailboxes;

  constructor(cache: StoreReader, mailboxes: SharedArrayBuffer) {
    this.#cache = cache;
    this.#boxes = new Mailboxes(mailboxes);
  }

  value(name: Uint8Array, purpose: Purpose): Uint8Array | undefined {
    const known = cachedValue(this.#cache, name);
    if (known !== undefined && (known.value === undefined || purpose === 'show')) return known.value;
    const answer = this.#boxes.ask(name, purpose, ANSWER_MS);
    if (answer === undefined) throw new StateBaseError('the forked chain has not answered in time');
    if ('error' in answer) throw new StateBaseError(answer.error);
    if (answer.isHidden) return undefined;
    const read = cachedValue(this.#cache, name);
    if (read === undefined) throw new StateBaseError('a value of the forked chain is missing from the cache');
    return read.value;
  }

  blob(hash: Uint8Array): Uint8Array | undefined {
    return cachedBlob(this.#cache, hash);
  }

  close(): Promise<void> {
    return this.#cache.close();
  }
}

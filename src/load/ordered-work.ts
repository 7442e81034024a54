/** Maximum number of items that are started but not settled, as a multiple of the concurrency. */
const WINDOW = 8;

/** Maximum total size of finished work that waits for its turn; no more work starts above it. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

export interface OrderedWork<Item, Done> {
  /** Read only as fast as the work is done. */
  readonly items: AsyncIterable<Item>;
  /** Maximum number of items worked on at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** @param place number of the item, from 1. @returns null if there is nothing to do */
  work(item: Item, place: number): Promise<Done> | null;
  /** Approximate size of finished work, in characters. */
  sizeOf(done: Done): number;
  /** Takes finished work, in the order of the items and one at a time. */
  settle(done: Done | null, item: Item, place: number): Promise<void> | void;
}

/** Works on items concurrently, and settles them in order. @throws the first error, or the signal's reason */
export function workInOrder<Item, Done>(options: OrderedWork<Item, Done>): Promise<void> {
  return new OrderedRun(options).run();
}

/** An item that has been read but not settled. */
interface Pending<Item, Done> {
  readonly item: Item;
  readonly place: number;
  /** Undefined while the work is in progress. */
  done: Done | null | undefined;
}

class OrderedRun<Item, Done> {
  readonly #options: OrderedWork<Item, Done>;
  /** In order. */
  readonly #pending: Pending<Item, Done>[] = [];
  #failure: { readonly reason: unknown } | undefined;
  /** Callbacks waiting for a state change. */
  #waiting: (() => void)[] = [];
  #end: () => void = () => undefined;
  #inFlight = 0;
  #waitingCharacters = 0;
  #allRead = false;

  constructor(options: OrderedWork<Item, Done>) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const onAbort = () => this.#fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const failing = (error: unknown) => this.#fail(error);
    try {
      // A failed run ends even if its source or its last step never settles.
      await new Promise<void>((resolve) => {
        this.#end = resolve;
        this.#read().catch(failing);
        this.#settleAll().then(resolve, failing);
        if (this.#failure !== undefined) resolve();
      });
      if (this.#failure !== undefined) throw this.#failure.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #read(): Promise<void> {
    const iterator = this.#options.items[Symbol.asyncIterator]();
    let place = 0;
    try {
      for (;;) {
        while (this.#isFull()) {
          await this.#change();
          if (this.#failure !== undefined) return;
        }
        const next = await this.#next(iterator);
        if (this.#failure !== undefined) return;
        if (next === undefined) break;
        place++;
        this.#begin(next.item, place);
      }
    } finally {
      // Not awaited: a pipe without a writer would never end.
      void iterator.return?.();
    }
    this.#allRead = true;
    this.#announce();
  }

  #isFull(): boolean {
    const { concurrency } = this.#options;
    return (
      this.#inFlight >= concurrency ||
      this.#pending.length >= concurrency * WINDOW ||
      this.#waitingCharacters > MAX_WAITING_CHARACTERS
    );
  }

  /** Returns the next item, or undefined at the end or once the run has failed. */
  #next(iterator: AsyncIterator<Item>): Promise<{ readonly item: Item } | undefined> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#failure === undefined) this.#waiting.push(look);
        else resolve(undefined);
      };
      iterator.next().then(({ done, value }) => {
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve(done === true ? undefined : { item: value });
      }, reject);
      look();
    });
  }

  #begin(item: Item, place: number): void {
    const pending: Pending<Item, Done> = { item, place, done: undefined };
    this.#pending.push(pending);
    const work = this.#options.work(item, place);
    if (work === null) {
      pending.done = null;
      this.#announce();
    } else {
      void this.#finish(work, pending);
    }
  }

  /** Never rejects. */
  async #finish(work: Promise<Done>, pending: Pending<Item, Done>): Promise<void> {
    this.#inFlight++;
    try {
      const done = await work;
      this.#waitingCharacters += this.#options.sizeOf(done);
      pending.done = done;
    } catch (error) {
      this.#fail(error);
    }
    this.#inFlight--;
    this.#announce();
  }

  async #settleAll(): Promise<void> {
    const { settle, sizeOf, concurrency } = this.#options;
    while (this.#failure === undefined) {
      const first = this.#pending[0];
      if (first?.done === undefined) {
        if (first === undefined && this.#allRead) return;
        await this.#change();
        continue;
      }
      const { done, item, place } = first;
      const settled = settle(done, item, place);
      if (settled !== undefined) await settled;
      this.#pending.shift();
      if (done !== null) this.#waitingCharacters -= sizeOf(done);
      if (this.#pending.length === 0 || this.#inFlight < concurrency) this.#announce();
    }
  }

  /** Ends the run; only the first reason is kept. */
  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#announce();
    this.#end();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Takes a result or an error, once. A promise's cost matters where every transaction passes. */
export interface ResultListener<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface PendingItem<Item, Result> extends ResultListener<Result> {
  readonly item: Item;
}

/**
 * Collects the requests of one event loop tick so that they can be sent together: a message, a task or a write costs
 * about the same for one item as for many. Items keep their order.
 */
export class TickBatch<Item, Result> {
  readonly #onTick: () => void;
  readonly #schedule: (work: () => void) => void;
  #pending: PendingItem<Item, Result>[] = [];

  /**
   * @param onTick called once after a tick in which the first item was added; calls {@link take}. It is not
   *   called again until the items it leaves have been taken
   * @param schedule schedules a callback for the end of the tick; pass another where `setImmediate` is missing
   */
  constructor(onTick: () => void, schedule: (work: () => void) => void = setImmediate) {
    this.#onTick = onTick;
    this.#schedule = schedule;
  }

  get size(): number {
    return this.#pending.length;
  }

  /** Adds an item. The promise settles when the taker of the item resolves or rejects it. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => this.push({ item, resolve, reject }));
  }

  /** Adds an item without creating a promise: the taker of the item calls `resolve` or `reject`. */
  push(pending: PendingItem<Item, Result>): void {
    if (this.#pending.length === 0) this.#schedule(this.#onTick);
    this.#pending.push(pending);
  }

  /** Takes the first `count` items, by default all. The caller must resolve or reject each. */
  take(count: number = this.#pending.length): readonly PendingItem<Item, Result>[] {
    if (count < this.#pending.length) return this.#pending.splice(0, count);
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }
}

/** Settles each item with its result, or all with the error of `answer`; one without a result fails. Never rejects. */
export async function answerAll<Item, Result>(
  asked: readonly PendingItem<Item, Result>[],
  answer: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await answer(asked.map(({ item }) => item));
    for (const [place, { resolve, reject }] of asked.entries()) {
      if (place < results.length) resolve(results[place] as Result);
      else reject(new Error(`expected a result for each of ${asked.length} items, got ${results.length}`));
    }
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

export function* chunks<T>(items: readonly T[], size: number): IterableIterator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** An item that waits for its result. */
export interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what is asked for in one turn of the event loop, so that it can be sent as one: a message, a task or a write costs
 * about the same for one item as for many. Items stay in the order in which they were asked for.
 *
 * @example
 * const batch = new TickBatch<Uint8Array, Uint8Array>(() => void answerAll(batch.take(), signMany));
 * const [one, other] = await Promise.all([batch.ask(first), batch.ask(second)]);
 */
export class TickBatch<Item, Result> {
  readonly #onTick: () => void;
  readonly #schedule: (work: () => void) => void;
  #pending: PendingItem<Item, Result>[] = [];

  /**
   * @param onTick called once after a turn in which the first item came; takes what it sends. Items that it leaves stay until
   *   somebody takes them, and while there are any, it is not called again
   * @param schedule how to get to the end of the turn; where there is no `setImmediate`, give another
   */
  constructor(onTurn: () => void, schedule: (work: () => void) => void = setImmediate) {
    this.#onTick = onTurn;
    this.#schedule = schedule;
  }

  /** How many items wait to be taken. */
  get size(): number {
    return this.#pending.length;
  }

  /** Resolves or rejects as whoever takes the item says. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) this.#schedule(this.#onTick);
      this.#pending.push({ item, resolve, reject });
    });
  }

  /** Takes the first so many items; all of them, if not said. They are to be resolved or rejected by the caller. */
  take(count: number = this.#pending.length): readonly PendingItem<Item, Result>[] {
    if (count < this.#pending.length) return this.#pending.splice(0, count);
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }
}

/**
 * Settles items with what `answer` returns for them: one result each, in their order. Where it rejects, all are rejected with
 * its error; an item without a result is rejected too. Never rejects itself.
 */
export async function answerAll<Item, Result>(
  asked: readonly PendingItem<Item, Result>[],
  answer: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await answer(asked.map(({ item }) => item));
    for (const [place, { resolve, reject }] of asked.entries()) {
      if (place < results.length) resolve(results[place] as Result);
      else reject(new Error(`got ${results.length} results for ${asked.length} items`));
    }
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** Cuts a list into parts of at most `size`. */
export function* chunks<T>(items: readonly T[], size: number): IterableIterator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

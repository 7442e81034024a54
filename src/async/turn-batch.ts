/** An item that waits for its result. */
export interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what is asked for in one turn of the event loop, so that it can be sent as one: a message, a task or a write costs
 * about the same for one item as for many. Items stay in the order in which they were asked for.
 *
 * @example
 * const batch = new TurnBatch<Uint8Array, Uint8Array>(() => void answerAll(batch.take(), signMany));
 * const [one, other] = await Promise.all([batch.ask(first), batch.ask(second)]);
 */
export class TurnBatch<Item, Result> {
  readonly #onTurn: () => void;
  readonly #schedule: (work: () => void) => void;
  #asked: Asked<Item, Result>[] = [];

  /**
   * @param onTurn called once after a turn in which the first item came; takes what it sends. Items that it leaves stay until
   *   somebody takes them, and while there are any, it is not called again
   * @param schedule how to get to the end of the turn; where there is no `setImmediate`, give another
   */
  constructor(onTurn: () => void, schedule: (work: () => void) => void = setImmediate) {
    this.#onTurn = onTurn;
    this.#schedule = schedule;
  }

  /** How many items wait to be taken. */
  get size(): number {
    return this.#asked.length;
  }

  /** Resolves or rejects as whoever takes the item says. */
  ask(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) this.#schedule(this.#onTurn);
      this.#asked.push({ item, resolve, reject });
    });
  }

  /** Takes the first so many items; all of them, if not said. They are to be resolved or rejected by the caller. */
  take(count: number = this.#asked.length): readonly Asked<Item, Result>[] {
    if (count < this.#asked.length) return this.#asked.splice(0, count);
    const taken = this.#asked;
    this.#asked = [];
    return taken;
  }
}

/**
 * Settles items with what `answer` returns for them: one result each, in their order. Where it rejects, all are rejected with
 * its error; an item without a result is rejected too. Never rejects itself.
 */
export async function answerAll<Item, Result>(
  asked: readonly Asked<Item, Result>[],
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
export function* portions<T>(items: readonly T[], size: number): IterableIterator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

import { pruneHistory } from '../storage/prune.js';
import type { Store } from '../storage/store.js';
import type { Chain } from './chain.js';

/** Number of heights between two pruning rounds. */
const ROUND_HEIGHTS = 64n;

/**
 * Deletes state history older than the retention, shortly after every {@link ROUND_HEIGHTS} blocks. This also deletes
 * the lists of changed keys that the state tree needs to catch up at startup, so a minimum of heights is always kept.
 */
export class Pruner {
  /** Maximum lag of the stored state tree behind the tip. */
  static readonly minRetention = 1_000n;

  readonly #store: Store;
  readonly #chain: Chain;
  readonly #retention: bigint;
  readonly #onError: (error: unknown) => void;
  readonly #oldestHeld: () => bigint | undefined;
  readonly #unsubscribe: () => void;
  #round: Promise<void> | undefined;
  #nextRound: bigint;
  #stopped = false;

  /**
   * @param retention number of heights below the tip whose state stays readable; 0 keeps all
   * @param oldestHeld returns the lowest height to keep however old it is, if any
   */
  constructor(
    store: Store,
    chain: Chain,
    retention: bigint,
    onError: (error: unknown) => void,
    oldestHeld: () => bigint | undefined = () => undefined,
  ) {
    this.#store = store;
    this.#chain = chain;
    this.#retention = retention > Pruner.minRetention ? retention : Pruner.minRetention;
    this.#onError = onError;
    this.#oldestHeld = oldestHeld;
    this.#nextRound = chain.tip.header.height + ROUND_HEIGHTS;
    this.#unsubscribe =
      retention === 0n ? () => undefined : chain.onCommit('pruning', () => this.#committed());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#round;
  }

  #committed(): void {
    const tip = this.#chain.tip.header.height;
    if (tip < this.#nextRound || this.#round !== undefined) return;
    this.#nextRound = tip + ROUND_HEIGHTS;
    const held = this.#oldestHeld();
    const byAge = tip - this.#retention;
    const line = held !== undefined && held < byAge ? held : byAge;
    if (line <= 0n) return;
    this.#round = this.#prune(line)
      .catch(this.#onError)
      .finally(() => {
        this.#round = undefined;
      });
  }

  async #prune(line: bigint): Promise<void> {
    let done = false;
    while (!done && !this.#stopped) ({ done } = await pruneHistory(this.#store, line));
  }
}

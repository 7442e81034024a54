import { DEFAULT_IDLE_BLOCK_TIME_MS } from '../../config/defaults.js';
import { fallsTo } from '../../ledger/fees.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Work } from '../core/types.js';

export interface WorkWatchOptions {
  readonly pool: Pick<Mempool, 'hasReady' | 'heldBackFee'>;
  /** Whether something else waits for a block: an envelope to be opened, a dealing. */
  readonly other: () => boolean;
  /** Whether a chain that has nothing to do seals nothing. */
  readonly isQuietWhenIdle: boolean;
  /** Milliseconds since the last block was begun. */
  readonly sinceBlockMs: () => number;
  /** Told when there is other work than before. */
  readonly onWork: (work: Work) => void;
}

/** Watches what waits for a block (rule 1). */
export class WorkWatch {
  readonly #options: WorkWatchOptions;
  #told: Work | undefined = { transactions: false, other: false };
  /** All that is ready in the pool waits for a lower base fee or more balance: then it is no work. */
  #nothingSelected = false;
  /** While a block is being made, what waits is taken to be in it. */
  #isHeld = false;
  /** An empty block is due so that the base fee falls. */
  #isFeeDue = false;
  #feeTimer: NodeJS.Timeout | undefined;
  /** Since when something has waited for a block, on the clock of `performance.now`. */
  #waitingSince: number | undefined;

  constructor(options: WorkWatchOptions) {
    this.#options = options;
  }

  /** How long something has waited while no block was committed, milliseconds; undefined where nothing waits. */
  get waitingMs(): number | undefined {
    return this.#waitingSince === undefined ? undefined : performance.now() - this.#waitingSince;
  }

  /** Looks again. */
  refresh(): void {
    if (this.#isHeld) return;
    const { pool, other } = this.#options;
    this.#watchFee();
    this.#tell({
      transactions: !this.#nothingSelected && pool.hasReady(),
      other: this.#isFeeDue || other(),
    });
  }

  /** The pool has something new. */
  added(): void {
    this.#nothingSelected = false;
    this.refresh();
  }

  /** Nothing of what is ready could be in a block. */
  nothingSelected(): void {
    this.#nothingSelected = true;
    this.refresh();
  }

  /** Whoever is told may have put aside what it knew. */
  tellAgain(): void {
    this.#told = undefined;
    this.refresh();
  }

  /** Tells of no work until {@link release}. */
  hold(): void {
    this.#isHeld = true;
    this.#tell({ transactions: false, other: false });
  }

  release(): void {
    this.#isHeld = false;
    this.refresh();
  }

  /** A block is committed. @param changed whether what could not be selected before may be so now */
  committed(changed: boolean): void {
    if (changed) this.#nothingSelected = false;
    this.#waitingSince = undefined;
    this.#isFeeDue = false;
    clearTimeout(this.#feeTimer);
    this.#feeTimer = undefined;
    this.refresh();
  }

  stop(): void {
    this.#isHeld = true;
    clearTimeout(this.#feeTimer);
  }

  #tell(work: Work): void {
    if (work.transactions || work.other) this.#waitingSince ??= performance.now();
    else if (!this.#isHeld) this.#waitingSince = undefined;
    if (work.transactions === this.#told?.transactions && work.other === this.#told.other) return;
    this.#told = work;
    this.#options.onWork(work);
  }

  /** With every empty block the base fee falls, so that who waits for that is not left to wait for others' transactions. */
  #watchFee(): void {
    if (!this.#options.isQuietWhenIdle || this.#isFeeDue || this.#feeTimer !== undefined) return;
    const fee = this.#options.pool.heldBackFee();
    if (fee === undefined || !fallsTo(fee)) return;
    this.#feeTimer = setTimeout(
      () => {
        this.#feeTimer = undefined;
        const still = this.#options.pool.heldBackFee();
        this.#isFeeDue = still !== undefined && fallsTo(still);
        this.refresh();
      },
      Math.max(0, DEFAULT_IDLE_BLOCK_TIME_MS - this.#options.sinceBlockMs()),
    );
  }
}

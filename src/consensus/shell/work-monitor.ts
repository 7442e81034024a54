import { DEFAULT_IDLE_BLOCK_TIME_MS } from '../../config/defaults.js';
import { canBaseFeeFallTo } from '../../ledger/fees.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Work } from '../core/types.js';

export interface WorkMonitorOptions {
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
export class WorkMonitor {
  readonly #options: WorkMonitorOptions;
  #lastReported: Work | undefined = { transactions: false, other: false };
  /** All that is ready in the pool waits for a lower base fee or more balance: then it is no work. */
  #nothingSelected = false;
  /** While a block is being made, what waits is taken to be in it. */
  #isPaused = false;
  /** An empty block is due so that the base fee falls. */
  #isFeeDue = false;
  #feeTimer: NodeJS.Timeout | undefined;
  /** Since when something has waited for a block, on the clock of `performance.now`. */
  #waitingSince: number | undefined;

  constructor(options: WorkMonitorOptions) {
    this.#options = options;
  }

  /** How long something has waited while no block was committed, milliseconds; undefined where nothing waits. */
  get waitingMs(): number | undefined {
    return this.#waitingSince === undefined ? undefined : performance.now() - this.#waitingSince;
  }

  /** Looks again. */
  refresh(): void {
    if (this.#isPaused) return;
    const { pool, other } = this.#options;
    this.#watchFee();
    this.#report({
      transactions: !this.#nothingSelected && pool.hasReady(),
      other: this.#isFeeDue || other(),
    });
  }

  /** The pool has something new. */
  onTransactionAdded(): void {
    this.#nothingSelected = false;
    this.refresh();
  }

  /** Nothing of what is ready could be in a block. */
  nothingSelected(): void {
    this.#nothingSelected = true;
    this.refresh();
  }

  /** Whoever is told may have put aside what it knew. */
  reannounce(): void {
    this.#lastReported = undefined;
    this.refresh();
  }

  /** Tells of no work until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
    this.#report({ transactions: false, other: false });
  }

  resume(): void {
    this.#isPaused = false;
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
    this.#isPaused = true;
    clearTimeout(this.#feeTimer);
  }

  #report(work: Work): void {
    if (work.transactions || work.other) this.#waitingSince ??= performance.now();
    else if (!this.#isPaused) this.#waitingSince = undefined;
    if (work.transactions === this.#lastReported?.transactions && work.other === this.#lastReported.other)
      return;
    this.#lastReported = work;
    this.#options.onWork(work);
  }

  /** With every empty block the base fee falls, so that who waits for that is not left to wait for others' transactions. */
  #watchFee(): void {
    if (!this.#options.isQuietWhenIdle || this.#isFeeDue || this.#feeTimer !== undefined) return;
    const fee = this.#options.pool.heldBackFee();
    if (fee === undefined || !canBaseFeeFallTo(fee)) return;
    this.#feeTimer = setTimeout(
      () => {
        this.#feeTimer = undefined;
        const still = this.#options.pool.heldBackFee();
        this.#isFeeDue = still !== undefined && canBaseFeeFallTo(still);
        this.refresh();
      },
      Math.max(0, DEFAULT_IDLE_BLOCK_TIME_MS - this.#options.sinceBlockMs()),
    );
  }
}

import type { Cancel, Runtime } from '../../async/runtime.js';
import { DEFAULT_IDLE_BLOCK_TIME_MS } from '../../config/defaults.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Work } from '../core/types.js';
import type { CoreClock } from './core-clock.js';

export interface WorkMonitorOptions {
  readonly runtime: Runtime;
  readonly pool: Pick<Mempool, 'hasReady' | 'heldBackFee'>;
  /** Whether anything other than a transaction waits for a block, such as an envelope to open or a dealing. */
  readonly other: () => boolean;
  /** Whether somebody wants a block now; default false. */
  readonly urgent?: () => boolean;
  /** Whether the chain produces blocks only when there is work. */
  readonly isQuietWhenIdle: boolean;
  readonly sinceBlockMs: () => number;
  /** A sole validator's clock, which stands still during a proposal, so that blocks start at an even pace. */
  readonly clock?: Pick<CoreClock, 'pause' | 'resume'> | undefined;
  readonly onWork: (work: Work) => void;
}

/** Monitors the work that waits for a block (rule 1). */
export class WorkMonitor {
  readonly #options: WorkMonitorOptions;
  #lastReported: Work | undefined = { transactions: false, other: false };
  /** Set while all ready transactions wait for a lower base fee or more balance and so do not count as work. */
  #nothingSelected = false;
  /** Whether a transaction has arrived since the last selection began, which may have missed it. */
  #hasNew = false;
  /** Set while a sole validator builds a block, which is assumed to include the waiting work. */
  #isPaused = false;
  #isStopped = false;
  /** Whether an empty block is due to lower the base fee or the price of opening slots. */
  #isFeeDue = false;
  #cancelFeeTimer: Cancel | undefined;
  /** Time at which work began to wait for a block, on the clock of `Runtime.now`; undefined if none waits. */
  #waitingSince: number | undefined;

  constructor(options: WorkMonitorOptions) {
    this.#options = options;
  }

  /** How long work has waited since the last commit, in milliseconds; undefined if none waits. */
  get waitingMs(): number | undefined {
    return this.#waitingSince === undefined ? undefined : this.#options.runtime.now() - this.#waitingSince;
  }

  /** Re-evaluates the work and reports changes. */
  refresh(): void {
    if (this.#isPaused || this.#isStopped) return;
    const { pool, other, urgent } = this.#options;
    this.#watchFee();
    this.#report({
      transactions: !this.#nothingSelected && pool.hasReady(),
      other: this.#isFeeDue || other(),
      ...(urgent?.() === true ? { urgent: true } : {}),
    });
  }

  selectionBegins(): void {
    this.#hasNew = false;
  }

  onTransactionAdded(): void {
    this.#hasNew = true;
    this.#nothingSelected = false;
    this.refresh();
  }

  /** Called when no ready transaction could be included. */
  nothingSelected(): void {
    if (this.#hasNew) {
      this.reannounce();
      return;
    }
    this.#nothingSelected = true;
    this.refresh();
  }

  /** Reports the work again, because the listener may have discarded it. */
  reannounce(): void {
    this.#lastReported = undefined;
    this.refresh();
  }

  /** Called when a proposal begins: a sole validator reports no work until {@link resume}. */
  pause(): void {
    const { clock } = this.#options;
    if (clock === undefined) return;
    clock.pause();
    this.#isPaused = true;
    this.#report({ transactions: false, other: false });
  }

  /** Called when the block is committed or given up. */
  resume(): void {
    const { clock } = this.#options;
    if (clock === undefined) return;
    clock.resume();
    this.#isPaused = false;
    this.refresh();
  }

  /** @param changed whether transactions that could not be included before may be now */
  committed(changed: boolean): void {
    if (changed) this.#nothingSelected = false;
    this.#waitingSince = undefined;
    this.#isFeeDue = false;
    this.#cancelFeeTimer?.();
    this.#cancelFeeTimer = undefined;
    this.refresh();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelFeeTimer?.();
  }

  #report(work: Work): void {
    if (work.transactions || work.other || work.urgent === true)
      this.#waitingSince ??= this.#options.runtime.now();
    else if (!this.#isPaused) this.#waitingSince = undefined;
    const last = this.#lastReported;
    const isSame = work.transactions === last?.transactions && work.other === last.other;
    if (isSame && work.urgent === last.urgent) return;
    this.#lastReported = work;
    this.#options.onWork(work);
  }

  /** Schedules an empty block to lower the prices, so that held-back transactions need not wait for other work. */
  #watchFee(): void {
    if (!this.#options.isQuietWhenIdle || this.#isFeeDue || this.#cancelFeeTimer !== undefined) return;
    if (this.#options.pool.heldBackFee() === undefined) return;
    const delayMs = Math.max(0, DEFAULT_IDLE_BLOCK_TIME_MS - this.#options.sinceBlockMs());
    this.#cancelFeeTimer = this.#options.runtime.after(delayMs, () => {
      this.#cancelFeeTimer = undefined;
      this.#isFeeDue = this.#options.pool.heldBackFee() !== undefined;
      this.refresh();
    });
  }
}

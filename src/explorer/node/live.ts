import { signal } from '@preact/signals';
import type {
  BlockSummary,
  HealthResult,
  Status,
  TxpoolStats,
  TxSummary,
} from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { polling } from './connection.js';
import { type Failure, failureOf } from './failure.js';
import type { Sample } from './sample.js';

/** Number of rows in each live list. */
const ROWS = 12;
const MAX_SAMPLES = 300;
/** Time between polls while the node answers, in milliseconds. */
const POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;

export const status = signal<Status | undefined>(undefined);
export const pool = signal<TxpoolStats | undefined>(undefined);
export const health = signal<HealthResult | undefined>(undefined);
/** Newest first. */
export const latestBlocks = signal<readonly BlockSummary[] | undefined>(undefined);
/** Newest first. */
export const latestTransactions = signal<readonly TxSummary[] | undefined>(undefined);
/** Oldest first. */
export const samples = signal<readonly Sample[]>([]);
/** Failure of the last poll; undefined if it succeeded. */
export const liveFailure = signal<Failure | undefined>(undefined);
/** True while the user pauses the feed. */
export const isPaused = signal(false);
/** The node's clock, in milliseconds; follows the local clock between polls. */
export const nowMs = signal(Date.now());

let clockOffsetMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let delayMs = POLL_MS;

/**
 * Follows the node's tip. Each poll is one small request; blocks and transactions are listed only when the tip has
 * moved. Polling slows down while the node does not answer, and stops while the tab is hidden or the feed is paused.
 */
export function startLive(): void {
  document.addEventListener('visibilitychange', pollNow);
  setInterval(() => {
    if (!document.hidden && !isPaused.value) nowMs.value = Date.now() + clockOffsetMs;
  }, 1_000);
  pollNow();
}

/** Pauses or resumes the feed. */
export function pause(paused: boolean): void {
  isPaused.value = paused;
  pollNow();
}

/** Polls now instead of at the next interval. */
export function pollNow(): void {
  delayMs = POLL_MS;
  schedule(0);
}

function schedule(inMs: number): void {
  clearTimeout(timer);
  timer = undefined;
  if (document.hidden || isPaused.value || isPolling) return;
  timer = setTimeout(() => void poll(), inMs);
}

async function poll(): Promise<void> {
  isPolling = true;
  try {
    await update();
    liveFailure.value = undefined;
    delayMs = POLL_MS;
  } catch (error) {
    liveFailure.value = failureOf(error);
    delayMs = Math.min(MAX_POLL_MS, delayMs * 2);
  } finally {
    isPolling = false;
    schedule(delayMs);
  }
}

async function update(): Promise<void> {
  const node = polling.value;
  const [nextStatus, nextPool, nextHealth] = await Promise.all([
    node.status(),
    node.txpool_stats(),
    node.health(),
  ]);
  clockOffsetMs = Number(nextStatus.now_ms) - Date.now();
  nowMs.value = Number(nextStatus.now_ms);
  const known = latestBlocks.value?.[0];
  const hasMoved = known === undefined || toHex(known.hash) !== toHex(nextStatus.tip.hash);
  if (hasMoved) {
    const [{ blocks }, { transactions }] = await Promise.all([
      node.list_blocks({ limit: ROWS }),
      node.list_txs({ limit: ROWS }),
    ]);
    latestBlocks.value = blocks;
    latestTransactions.value = transactions;
  }
  status.value = nextStatus;
  pool.value = nextPool;
  health.value = nextHealth;
  const sample = {
    atMs: nowMs.value,
    poolSize: nextPool.size,
    lagMs: nextHealth.event_loop_lag_ms,
  };
  samples.value = [...samples.value, sample].slice(-MAX_SAMPLES);
}

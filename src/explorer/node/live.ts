import { computed, effect, signal } from '@preact/signals';
import { RpcCallError } from '../../client/client.js';
import type {
  BlockSummary,
  HealthResult,
  Status,
  TxpoolStats,
  TxSummary,
} from '../../generated/node-rpc-v1.js';
import { openBlockStream } from './block-stream.js';
import { feed } from './connection.js';
import { type Failure, failureOf } from './failure.js';
import { isSameTip, withFinal, withNewBlocks } from './latest-blocks.js';
import type { Sample } from './sample.js';

/** Number of rows in each live list. */
const ROWS = 12;
const MAX_SAMPLES = 300;
/** Time between polls while the node answers, in milliseconds; also the least time between polls caused by blocks. */
const POLL_MS = 2_000;
/** Time between polls while blocks arrive over a WebSocket; they update the figures that blocks do not contain. */
const IDLE_POLL_MS = 5_000;
const MAX_POLL_MS = 30_000;
/** Blocks that arrive within this time are shown together, in milliseconds. */
const GATHER_MS = 100;
/** Time until the next attempt to open a WebSocket; doubles with each failure in a row. */
const FIRST_ATTEMPT_MS = 2_000;
const MAX_ATTEMPT_MS = 60_000;

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
const isHidden = signal(false);
/** True while the page follows the node. */
export const isFollowing = computed(() => !isPaused.value && !isHidden.value);
/** True while blocks arrive over a WebSocket. Otherwise the page polls. */
export const isStreaming = signal(false);
/** The node's clock, in milliseconds; follows the local clock between polls. */
export const nowMs = signal(Date.now());

let clockOffsetMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let delayMs = POLL_MS;
let lastPollMs = 0;
/** Blocks to show soon, oldest first. */
let arrived: BlockSummary[] = [];
let gathering: ReturnType<typeof setTimeout> | undefined;
let closeStream: (() => void) | undefined;
let attemptMs = FIRST_ATTEMPT_MS;
let nextAttemptMs = 0;
/** Height of the last block with transactions that the list may lack. */
let unlistedHeight = 0n;

/**
 * Follows the node's tip. Blocks arrive over WebSockets; where none can connect, for example behind a proxy that blocks
 * them, each poll also lists blocks if the tip has moved. Polls slow down while the node does not answer. While the tab
 * is hidden or the feed is paused, nothing is asked and no WebSocket is open.
 */
export function startLive(): void {
  isHidden.value = document.hidden;
  document.addEventListener('visibilitychange', () => {
    isHidden.value = document.hidden;
  });
  setInterval(() => {
    if (isFollowing.value) nowMs.value = Date.now() + clockOffsetMs;
  }, 1_000);
  effect(() => {
    if (!isFollowing.value) stopStream();
    pollNow();
  });
}

/** Polls now instead of at the next interval, and connects if no WebSocket is open. */
export function pollNow(): void {
  attemptMs = FIRST_ATTEMPT_MS;
  nextAttemptMs = 0;
  delayMs = POLL_MS;
  schedule(0);
}

function schedule(inMs: number): void {
  clearTimeout(timer);
  timer = undefined;
  if (!isFollowing.peek() || isPolling) return;
  timer = setTimeout(() => void poll(), inMs);
}

async function poll(): Promise<void> {
  isPolling = true;
  try {
    await update();
    liveFailure.value = undefined;
    stream();
    delayMs = isStreaming.peek() && !lacksTransactions() ? IDLE_POLL_MS : POLL_MS;
  } catch (error) {
    liveFailure.value = failureOf(error);
    delayMs = Math.min(MAX_POLL_MS, Math.max(POLL_MS, delayMs) * 2);
  } finally {
    isPolling = false;
    lastPollMs = Date.now();
    schedule(delayMs);
  }
}

async function update(): Promise<void> {
  const node = feed.peek();
  const [nextStatus, nextPool, nextHealth] = await Promise.all([
    node.status(),
    node.txpool_stats(),
    node.health(),
  ]);
  clockOffsetMs = Number(nextStatus.now_ms) - Date.now();
  nowMs.value = Number(nextStatus.now_ms);
  const known = latestBlocks.value?.[0];
  const hasMoved = !isStreaming.value && !isSameTip(known, nextStatus.tip.hash);
  if (known === undefined || hasMoved) {
    const [{ blocks }, { transactions }] = await Promise.all([
      node.list_blocks({ limit: ROWS }),
      node.list_txs({ limit: ROWS }),
    ]);
    unlistedHeight = 0n;
    latestBlocks.value = blocks;
    latestTransactions.value = transactions;
  } else {
    if (lacksTransactions()) {
      latestTransactions.value = (await node.list_txs({ limit: ROWS })).transactions;
    }
    showFinal(nextStatus.finalized_height);
  }
  status.value = withStreamed(nextStatus);
  pool.value = nextPool;
  health.value = nextHealth;
  const sample = { atMs: nowMs.value, poolSize: nextPool.size, lagMs: nextHealth.event_loop_lag_ms };
  samples.value = [...samples.value, sample].slice(-MAX_SAMPLES);
}

/** The node's status with the blocks that arrived while it was asked. */
function withStreamed(answer: Status): Status {
  const shown = status.peek();
  if (!isStreaming.peek() || shown === undefined) return answer;
  const { tip, finalized_height } = shown;
  return {
    ...answer,
    ...(tip.height > answer.tip.height && { tip }),
    ...(finalized_height > answer.finalized_height && { finalized_height }),
  };
}

function lacksTransactions(): boolean {
  return unlistedHeight > (latestTransactions.peek()?.[0]?.height ?? 0n);
}

/** Connects if it is time to, after a poll has shown that the node answers. */
function stream(): void {
  const tip = latestBlocks.peek()?.[0]?.height;
  const finalized = status.peek()?.finalized_height;
  if (closeStream !== undefined || Date.now() < nextAttemptMs || !isFollowing.peek()) return;
  if (tip === undefined || finalized === undefined) return;
  closeStream = openBlockStream(
    feed.peek(),
    { tip, finalized },
    {
      onStarted: () => {
        isStreaming.value = true;
      },
      onBlock: (block) => {
        attemptMs = FIRST_ATTEMPT_MS;
        arrived.push(block);
        gathering ??= setTimeout(showArrived, GATHER_MS);
      },
      onFinal: ({ height }) => showFinal(height),
      onEnd: (error) => {
        stopStream();
        const asked = error instanceof RpcCallError ? (error.retryAfterMs ?? 0) : 0;
        nextAttemptMs = Date.now() + Math.max(asked, attemptMs);
        attemptMs = Math.min(MAX_ATTEMPT_MS, attemptMs * 2);
        schedule(0);
      },
    },
  );
}

function stopStream(): void {
  closeStream?.();
  closeStream = undefined;
  isStreaming.value = false;
  clearTimeout(gathering);
  gathering = undefined;
  arrived = [];
}

function showArrived(): void {
  gathering = undefined;
  const blocks = arrived;
  arrived = [];
  const newest = blocks.at(-1);
  if (newest === undefined) return;
  latestBlocks.value = withNewBlocks(latestBlocks.value ?? [], blocks, ROWS);
  const now = status.value;
  if (now !== undefined && newest.height > now.tip.height) status.value = { ...now, tip: newest };
  const filled = blocks.findLast(({ tx_count }) => tx_count > 0);
  if (filled === undefined) return;
  unlistedHeight = filled.height;
  schedule(Math.max(0, lastPollMs + POLL_MS - Date.now()));
}

function showFinal(height: bigint): void {
  latestBlocks.value = withFinal(latestBlocks.value ?? [], height);
  const now = status.value;
  if (now !== undefined && height > now.finalized_height) {
    status.value = { ...now, finalized_height: height };
  }
}

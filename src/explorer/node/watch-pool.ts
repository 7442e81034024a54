import { effect } from '@preact/signals';
import { subscribeOnce } from './block-stream.js';
import { feed } from './connection.js';
import { isFollowing, isStreaming, latestBlocks, pool } from './live.js';

/** The least time between two calls, in milliseconds. */
const PERIOD_MS = 1_000;

/**
 * Calls `onChange` soon after a transaction enters the pool, or may have left it for a block. Without a WebSocket, the
 * polls of the live feed tell.
 * @returns a function that ends it
 */
export function watchPool(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;
  const change = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        lastMs = Date.now();
        onChange();
      },
      Math.max(0, lastMs + PERIOD_MS - Date.now()),
    );
  };
  const endEvents = effect(() => {
    if (!isFollowing.value || !isStreaming.value) return;
    // If the node refuses or ends this subscription, the polls still tell of changes.
    return subscribeOnce(feed.peek(), 'pending_txs', { onEvent: change });
  });
  let known: string | undefined;
  const endPolls = effect(() => {
    const now = `${pool.value?.size} ${pool.value?.ready} ${latestBlocks.value?.find((block) => block.tx_count > 0)?.height}`;
    if (known !== undefined && now !== known && isFollowing.value) change();
    known = now;
  });
  return () => {
    endEvents();
    endPolls();
    clearTimeout(timer);
  };
}

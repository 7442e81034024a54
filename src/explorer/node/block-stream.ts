import type { Client } from '../../client/client.js';
import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { subscribeOnce } from './subscribe-once.js';

export interface BlockStreamListeners {
  /** Called once the node has accepted both subscriptions. */
  readonly onStarted: () => void;
  readonly onBlock: (block: BlockSummary) => void;
  readonly onFinal: (block: BlockSummary) => void;
  /** Called once, at the first failure; the stream is closed then. */
  readonly onEnd: (error: unknown) => void;
}

/**
 * Receives blocks over WebSockets until the first failure. It never reconnects: the caller polls meanwhile, and so
 * learns whether the node is back.
 * @param after heights of the last known block and of the last known final block
 * @returns a function that closes the stream; no call of a listener follows
 */
export function openBlockStream(
  node: Client,
  after: { readonly tip: bigint; readonly finalized: bigint },
  { onStarted, onBlock, onFinal, onEnd }: BlockStreamListeners,
): () => void {
  let waiting = 2;
  const shared = {
    onStarted: () => {
      if (--waiting === 0) onStarted();
    },
    onEnd: (error: unknown) => {
      close();
      onEnd(error);
    },
  };
  const endings = [
    subscribeOnce(node, 'new_blocks', { ...shared, fromHeight: after.tip + 1n, onEvent: onBlock }),
    subscribeOnce(node, 'finalized_blocks', {
      ...shared,
      fromHeight: after.finalized + 1n,
      onEvent: onFinal,
    }),
  ];
  const close = (): void => {
    for (const end of endings) end();
  };
  return close;
}

import { pause } from '../async/pause.js';
import { ClientError } from '../client/client-error.js';
import { RpcCallError } from '../client/rpc-call-error.js';
import type { Client } from '../client/rpc-client.js';
import type { InclusionTracker } from './inclusion-tracker.js';
import type { LoadAccounts } from './load-accounts.js';
import type { SeenBlock } from './recorder.js';

/** Polling interval in milliseconds, and therefore the error of measured inclusion latencies. */
const POLL_MS = 50;
/** Maximum number of heights per block query. */
const MAX_HEIGHTS = 1_000n;

export interface ChainWatcherParts {
  readonly tracker: InclusionTracker;
  readonly onBlock: (block: SeenBlock) => void;
  /** Called whenever the node answers. */
  readonly onAnswer: () => void;
}

/** Follows the chain during a load: new blocks, nonces of the load accounts, pool size. */
export class ChainWatcher {
  readonly #client: Client;
  readonly #accounts: LoadAccounts;
  readonly #parts: ChainWatcherParts;
  #height: bigint;
  #polling: Promise<void> | undefined;
  #poolSize = 0;

  /** @param height height of the last block before the load */
  constructor(client: Client, accounts: LoadAccounts, height: bigint, parts: ChainWatcherParts) {
    this.#client = client;
    this.#accounts = accounts;
    this.#height = height;
    this.#parts = parts;
  }

  /** Number of transactions in the node's pool at the last poll. */
  get poolSize(): number {
    return this.#poolSize;
  }

  /** Polls until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.poll();
      await pause(POLL_MS, signal);
    }
  }

  /** Polls once. If the node does not answer, the next poll tries again. */
  async poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
    await this.#polling;
  }

  async #poll(): Promise<void> {
    const { onAnswer } = this.#parts;
    try {
      const { tip, txpool_size: poolSize } = await this.#client.status();
      onAnswer();
      this.#poolSize = poolSize;
      if (tip.height <= this.#height) return;
      await Promise.all([this.#readBlocks(tip.height), this.#readNonces()]);
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof RpcCallError)) throw error;
    }
  }

  async #readBlocks(tip: bigint): Promise<void> {
    while (this.#height < tip) {
      const from = this.#height + 1n;
      const to = tip - from >= MAX_HEIGHTS ? from + MAX_HEIGHTS - 1n : tip;
      const { blocks } = await this.#client.get_block_summaries({ from_height: from, to_height: to });
      for (const { tx_count, gas_used, gas_limit } of blocks) {
        this.#parts.onBlock({ transactions: tx_count, fill: Number(gas_used) / Number(gas_limit) });
      }
      if (blocks.length === 0) return;
      this.#height += BigInt(blocks.length);
    }
  }

  async #readNonces(): Promise<void> {
    const addresses = this.#accounts.signers.map(({ address }) => address);
    const { accounts } = await this.#client.accounts({ addresses });
    const nowMs = performance.now();
    accounts.forEach(({ lanes }, account) => {
      for (const { lane, next_nonce } of lanes) {
        this.#parts.tracker.advance(account, lane, next_nonce, nowMs);
      }
    });
  }
}

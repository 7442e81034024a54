import { pause } from '../async/pause.js';
import { ClientError } from '../client/client-error.js';
import { RpcCallError } from '../client/rpc-call-error.js';
import type { Client } from '../client/rpc-client.js';
import type { LoadAccounts } from './load-accounts.js';
import type { SeenBlock } from './recorder.js';

/** Transactions of one account lane that are not in a block yet. */
class TrackedLane {
  /** Send time of the transaction with nonce `#first + index`; undefined if it has not been accepted. */
  readonly #sentAt: (number | undefined)[] = [];
  #first = 0n;

  accepted(nonce: bigint, sentAtMs: number): boolean {
    if (nonce < this.#first) return false;
    this.#sentAt[Number(nonce - this.#first)] = sentAtMs;
    return true;
  }

  /** Advances to nonce `next` and returns the send times of the transactions that are now in blocks. */
  advance(next: bigint): number[] {
    if (next <= this.#first) return [];
    const passed = this.#sentAt.splice(0, Number(next - this.#first)).filter((at) => at !== undefined);
    this.#first = next;
    return passed;
  }
}

export interface AcceptedTransaction {
  readonly account: number;
  readonly lane: number;
  readonly nonce: bigint;
  readonly sentAtMs: number;
  /** Time of the acknowledgement; also the inclusion time if the transaction was already in a block by then. */
  readonly nowMs: number;
}

/**
 * Measures the time from sending to inclusion. Nonces of a lane enter blocks in order, so the next nonces alone show
 * which transactions are included: one query for all accounts per block is enough for any number in flight.
 */
export class InclusionTracker {
  readonly #lanes = new Map<string, TrackedLane>();
  readonly #onSealed: (latencyMs: number) => void;
  /** Number of transactions accepted but not yet seen in a block. */
  waiting = 0;

  constructor(onSealed: (latencyMs: number) => void) {
    this.#onSealed = onSealed;
  }

  accepted({ account, lane, nonce, sentAtMs, nowMs }: AcceptedTransaction): void {
    if (this.#lane(account, lane).accepted(nonce, sentAtMs)) this.waiting++;
    else this.#onSealed(nowMs - sentAtMs);
  }

  /** Records the next nonce of an account's lane. */
  advance(account: number, lane: number, next: bigint, nowMs: number): void {
    const passed = this.#lane(account, lane).advance(next);
    this.waiting -= passed.length;
    for (const sentAtMs of passed) this.#onSealed(nowMs - sentAtMs);
  }

  #lane(account: number, lane: number): TrackedLane {
    const key = `${account}/${lane}`;
    const tracked = this.#lanes.get(key) ?? new TrackedLane();
    this.#lanes.set(key, tracked);
    return tracked;
  }
}

/** Polling interval in milliseconds, and therefore the error of measured inclusion latencies. */
const POLL_MS = 50;
/** Maximum number of heights per block query. */
const MAX_HEIGHTS = 1_000n;

export interface ChainWatcherParts {
  readonly client: Client;
  readonly accounts: LoadAccounts;
  readonly tracker: InclusionTracker;
  readonly onBlock: (block: SeenBlock) => void;
  /** Called whenever the node answers. */
  readonly onAnswer: () => void;
}

/** Follows the chain during a load: new blocks, nonces of the load accounts, pool size. */
export class ChainWatcher {
  readonly #parts: ChainWatcherParts;
  #height: bigint;
  #polling: Promise<void> | undefined;
  /** Number of transactions in the node's pool at the last poll. */
  poolSize = 0;

  /** @param height height of the last block before the load */
  constructor(parts: ChainWatcherParts, height: bigint) {
    this.#parts = parts;
    this.#height = height;
  }

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
    const { client, onAnswer } = this.#parts;
    try {
      const { tip, txpool_size: poolSize } = await client.status();
      onAnswer();
      this.poolSize = poolSize;
      if (tip.height <= this.#height) return;
      await Promise.all([this.#readBlocks(tip.height), this.#readNonces()]);
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof RpcCallError)) throw error;
    }
  }

  async #readBlocks(tip: bigint): Promise<void> {
    const { client, onBlock } = this.#parts;
    while (this.#height < tip) {
      const from = this.#height + 1n;
      const to = tip - from >= MAX_HEIGHTS ? from + MAX_HEIGHTS - 1n : tip;
      const { blocks } = await client.get_block_summaries({ from_height: from, to_height: to });
      for (const { tx_count, gas_used, gas_limit } of blocks)
        onBlock({ transactions: tx_count, fill: Number(gas_used) / Number(gas_limit) });
      if (blocks.length === 0) return;
      this.#height += BigInt(blocks.length);
    }
  }

  async #readNonces(): Promise<void> {
    const { client, accounts, tracker } = this.#parts;
    const states = await client.accounts({ addresses: accounts.signers.map(({ address }) => address) });
    const nowMs = performance.now();
    for (const [account, { lanes }] of states.accounts.entries())
      for (const { lane, next_nonce } of lanes) tracker.advance(account, lane, next_nonce, nowMs);
  }
}

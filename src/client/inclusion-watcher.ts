import type { Receipt, TxByHashResult } from '../generated/node-rpc-v1.js';
import type { NodeRpcV1Client } from '../generated/node-rpc-v1-client.js';
import { toHex } from '../idl/hex.js';
import type { Abortable } from './call-options.js';
import { ClientError } from './client-error.js';
import { firstMissing, readLaneNonces } from './lane-nonces.js';
import { sleep } from './retry.js';

export interface WaitOptions extends Abortable {
  /** Maximum wait in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Wait until the block is final. */
  readonly finalized?: boolean;
  /**
   * Wait for a receipt above this height. For a sealed transaction, its opening height selects the opening's receipt.
   */
  readonly above?: bigint;
  /** Time in milliseconds after which a transaction unknown to the node is given up; default 5,000. */
  readonly unknownMs?: number;
}

export const DEFAULT_WAIT_MS = 60_000;
const DEFAULT_UNKNOWN_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** Number of polls for a receipt per check of whether the transaction is in the pool. */
const LOOKS_PER_POOL_CHECK = 10;

interface Watched {
  readonly hash: Uint8Array;
  readonly txHash: string;
  readonly finalized: boolean;
  readonly above: bigint;
  readonly deadlineMs: number;
  readonly unknownMs: number;
  /** When the node was first found not to know the transaction; undefined if it knew it at the last check. */
  unknownSinceMs: number | undefined;
  looks: number;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits for any number of receipts by requesting all of them every 50 ms. Its client sends JSON-RPC batches, so a
 * thousand waiting transactions take a handful of requests.
 */
export class InclusionWatcher {
  readonly #client: NodeRpcV1Client;
  readonly #watched = new Set<Watched>();
  #looking = false;

  /** @param client a batching client */
  constructor(client: NodeRpcV1Client) {
    this.#client = client;
  }

  /** Waits for a transaction's receipt, as `ReadClient.waitForReceipt` describes. @param hash 32 bytes */
  wait(hash: Uint8Array, options: WaitOptions = {}): Promise<Receipt> {
    const { signal, finalized = false, above = -1n, timeoutMs = DEFAULT_WAIT_MS } = options;
    const { unknownMs = DEFAULT_UNKNOWN_MS } = options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const settled = () => {
        this.#watched.delete(entry);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Watched = {
        hash,
        txHash: toHex(hash),
        finalized,
        above,
        deadlineMs: Date.now() + timeoutMs,
        unknownMs,
        unknownSinceMs: Date.now(),
        looks: 0,
        resolve: (receipt) => {
          settled();
          resolve(receipt);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      const onAbort = () => entry.reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#watched.add(entry);
      if (!this.#looking) void this.#keepLooking();
    });
  }

  /** Polls until nothing is watched; never rejects. */
  async #keepLooking(): Promise<void> {
    this.#looking = true;
    while (this.#watched.size > 0) {
      await Promise.all([...this.#watched].map((entry) => this.#look(entry)));
      if (this.#watched.size > 0) await sleep(LOOK_EVERY_MS);
    }
    this.#looking = false;
  }

  /** Never rejects: errors reject the entry's promise. */
  async #look(entry: Watched): Promise<void> {
    try {
      const isLast = Date.now() >= entry.deadlineMs;
      const checkPool = isLast || entry.looks++ % LOOKS_PER_POOL_CHECK === LOOKS_PER_POOL_CHECK - 1;
      const [{ receipt }, found] = await Promise.all([
        this.#client.tx_receipt({ tx_hash: entry.hash }),
        checkPool ? this.#client.tx_by_hash({ tx_hash: entry.hash }) : undefined,
      ]);
      const { txHash } = entry;
      if (receipt !== undefined && receipt.height > entry.above && (!entry.finalized || receipt.finalized)) {
        entry.resolve(receipt);
      } else if (found?.status.type === 'rejected') {
        const message = `transaction ${txHash} left the pool: ${found.status.value}`;
        entry.reject(new ClientError('dropped', message, { txHash }));
      } else if (found !== undefined && isUnknown(entry, found, isLast)) {
        entry.reject(new ClientError('unknown_transaction', unknownMessage(txHash, found), { txHash }));
      } else if (isLast) {
        const block = entry.finalized ? 'final block' : 'block';
        const missing =
          receipt === undefined || entry.above < 0n ? `is in no ${block}` : `no ${block} opened it`;
        const gap = found === undefined ? '' : await this.#gapBefore(found);
        const message = `transaction ${txHash} was taken, but ${missing} in the time waited${gap}; it may still come`;
        entry.reject(new ClientError('not_included', message, { txHash }));
      }
    } catch (error) {
      entry.reject(error);
    }
  }

  /** Names the nonce that keeps a pending transaction from inclusion; empty if none does. */
  async #gapBefore({ status, transaction }: TxByHashResult): Promise<string> {
    if (status.type !== 'pending' || status.value.ready) return '';
    const { lane, nonce } = status.value;
    const waits = `: nonce ${nonce} of lane ${lane} waits`;
    const unnamed = `${waits} for an earlier one`;
    // The status of an envelope names no sender.
    if (transaction === undefined) return unnamed;
    const named = readLaneNonces(this.#client, transaction.transaction.sender, lane).then((nonces) => {
      const missing = firstMissing(nonces);
      return missing < nonce ? `${waits} for nonce ${missing}, which no transaction has` : '';
    });
    // A node that lists no pending transactions for this caller leaves the gap without a name.
    return named.catch(() => unnamed);
  }
}

/** Records whether the node knows the transaction; true if it has been unknown for too long. */
function isUnknown(entry: Watched, { status }: TxByHashResult, isLast: boolean): boolean {
  if (status.type !== 'not_found') {
    entry.unknownSinceMs = undefined;
    return false;
  }
  const nowMs = Date.now();
  entry.unknownSinceMs ??= nowMs;
  return isLast || nowMs - entry.unknownSinceMs >= entry.unknownMs;
}

function unknownMessage(txHash: string, { oldest_height: oldest }: TxByHashResult): string {
  const unknown = `the node knows no transaction ${txHash}: it is in no block and not in its pool`;
  return oldest === undefined ? unknown : `${unknown}; it has blocks from height ${oldest} on`;
}

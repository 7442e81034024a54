import { bytesToHex } from '@noble/hashes/utils.js';
import type { Receipt } from '../generated/node-rpc-v1.js';
import { ClientError } from './client-error.js';
import { sleep } from './retry.js';
import type { Client } from './rpc-client.js';

export interface WaitOptions {
  /** How long to wait at most, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Wait until the block is final, not only there. */
  readonly finalized?: boolean;
  readonly signal?: AbortSignal;
}

export const DEFAULT_WAIT_MS = 60_000;
const POLL_MS = 100;

/**
 * Asks for a transaction's receipt until it is there.
 * @param hash 32 bytes
 * @throws ClientError `not_included` when the time is over, `dropped` when the pool gave the transaction up
 */
export async function waitForReceipt(
  client: Client,
  hash: Uint8Array,
  options: WaitOptions = {},
): Promise<Receipt> {
  const txHash = bytesToHex(hash);
  const timeoutMs = options.timeoutMs ?? DEFAULT_WAIT_MS;
  const deadline = Date.now() + timeoutMs;
  const call = options.signal === undefined ? {} : { signal: options.signal };
  for (;;) {
    const { receipt } = await client.call('tx_receipt', { tx_hash: hash }, call);
    if (receipt !== undefined && (options.finalized !== true || receipt.finalized)) return receipt;
    if (receipt === undefined) {
      const { status } = await client.call('tx_by_hash', { tx_hash: hash }, call);
      if (status.type === 'rejected') {
        throw new ClientError('dropped', `transaction ${txHash} left the pool: ${status.value}`, { txHash });
      }
    }
    if (Date.now() + POLL_MS > deadline) {
      throw new ClientError(
        'not_included',
        `transaction ${txHash} was taken, but is in no ${options.finalized === true ? 'final ' : ''}block in the time waited; it may still come`,
        { txHash },
      );
    }
    await sleep(POLL_MS, options.signal);
  }
}

// Calls that only the main thread can answer, in long batches.
import { type Flood, rpcBody } from './flood.js';
import { WaitingTransfers } from './transactions.js';

const CONNECTIONS = 50;
const BATCH = 200;

function batchOf(count: number, method: string, params: unknown): Buffer {
  const call = rpcBody(method, params);
  return Buffer.from(`[${Array(count).fill(call).join(',')}]`);
}

/** Each batch of 16 KB asks for 40 MB of listings. */
export const LISTED_POOL: Flood = {
  name: 'listed-pool',
  attacks: '50 connections send batches of 200 list_pending_txs with 1,024 transfers in the pool',
  arm: async ({ url, world }) => {
    const transfers = await WaitingTransfers.fund(url, world, 1);
    const body = batchOf(BATCH, 'list_pending_txs', { limit: 500 });
    return async (attack) => {
      await transfers.submit(attack);
      await attack.keepSending(CONNECTIONS, () => body);
    };
  },
};

const COPIES = 1_000;
/** Number of calls that fit into a body. */
const CALLS = 88;

export const COPIED_ACCOUNTS: Flood = {
  name: 'copied-accounts',
  attacks:
    '4 connections send batches of 88 accounts, each with 1,000 copies of an address with 16 lanes in the pool',
  arm: async ({ url, world }) => {
    const transfers = await WaitingTransfers.fund(url, world, 1);
    const addresses = Array(COPIES).fill(transfers.addresses[0]);
    const body = batchOf(CALLS, 'accounts', { addresses });
    return async (attack) => {
      await transfers.submit(attack);
      await attack.keepSending(4, () => body);
    };
  },
};

const SENDERS = 8;

/** Distinct accounts, so each is looked up. */
export const WAITING_ACCOUNTS: Flood = {
  name: 'waiting-accounts',
  attacks:
    '16 connections send batches of 88 accounts, each with 1,000 addresses of which 8 have 16 lanes in the pool',
  arm: async ({ url, world }) => {
    const transfers = await WaitingTransfers.fund(url, world, SENDERS);
    const others = world.newcomers.slice(0, COPIES - SENDERS);
    const body = batchOf(CALLS, 'accounts', { addresses: [...transfers.addresses, ...others] });
    return async (attack) => {
      await transfers.submit(attack);
      await attack.keepSending(16, () => body);
    };
  },
};

export const LIGHT_CONTEXTS: Flood = {
  name: 'light-contexts',
  attacks:
    '50 connections send batches of 200 light_client_context: cheap calls that the main thread answers',
  arm: () => {
    const body = batchOf(BATCH, 'light_client_context', {});
    return (attack) => attack.keepSending(CONNECTIONS, () => body);
  },
};

const HANG_UP_MS = 20;

export const ABANDONED_LISTINGS: Flood = {
  name: 'abandoned-listings',
  attacks: '50 connections send batches of 200 list_pending_txs with 1,024 transfers in the pool and hang up',
  arm: async ({ url, world }) => {
    const transfers = await WaitingTransfers.fund(url, world, 1);
    const body = batchOf(BATCH, 'list_pending_txs', { limit: 500 });
    return async (attack) => {
      await transfers.submit(attack);
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          while (!attack.isOver) {
            const connection = attack.connectOnce();
            const hangUp = AbortSignal.any([attack.signal, AbortSignal.timeout(HANG_UP_MS)]);
            await attack.send(connection, body, hangUp);
            connection.close();
          }
        }),
      );
    };
  },
};

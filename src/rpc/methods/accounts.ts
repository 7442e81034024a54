import type { Chain } from '../../chain/chain.js';
import type { Account, NonceLane } from '../../generated/node-rpc-v1.js';
import type { CachedAccount } from '../../ledger/account-cache.js';
import { isEmptyAccount } from '../../ledger/accounts.js';
import { type AddressHex, addressHex } from '../../ledger/hex-names.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { Mempool } from '../../mempool/pool.js';
import { limitExceeded } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';

/** What the account methods look at. */
export interface AccountSources {
  readonly chain: Chain;
  readonly pool: Mempool;
  /** The most addresses in one call of `accounts`. */
  readonly maxAccounts: number;
}

export type AccountHandlers = Pick<MethodHandlers, 'account' | 'accounts'>;

export function accountHandlers({ chain, pool, maxAccounts }: AccountSources): AccountHandlers {
  return {
    account: accountHandler(chain, pool),
    accounts: ({ addresses }) => {
      if (addresses.length > maxAccounts)
        throw limitExceeded('accounts', maxAccounts, addresses.length, 'params.addresses');
      const names = addresses.map(addressHex);
      chain.accounts.prefetch(names);
      const accounts = addresses.map((address, place) => {
        const name = names[place] ?? addressHex(address);
        return account(address, name, chain.accounts.get(name), pool);
      });
      chain.accounts.trim();
      return { height: chain.tip.header.height, accounts };
    },
  };
}

/**
 * Answers are kept with the cache's entry, which a commit replaces when the account changes, and used while nothing of the
 * account waits in the pool. Guarded by `bench/load/rpc-load.ts`.
 */
function accountHandler(chain: Chain, pool: Mempool): AccountHandlers['account'] {
  return ({ address }) => {
    const name = addressHex(address);
    const entry = chain.accounts.get(name);
    if (pool.hasPending(name)) return account(address, name, entry, pool);
    entry.shown ??= rpcTypes.Account.toJson(account(address, name, entry, pool));
    return new EncodedResult(entry.shown);
  };
}

function account(address: Uint8Array, name: AddressHex, { record }: CachedAccount, pool: Mempool): Account {
  return {
    address,
    exists: !isEmptyAccount(record),
    balance: record.balance,
    lanes: lanes(record.lanes, pool, name),
    deploy_index: record.deploy_index,
    is_contract: record.contract !== undefined,
  };
}

function lanes(
  used: readonly { readonly lane: number; readonly next_nonce: bigint }[],
  pool: Mempool,
  address: AddressHex,
): readonly NonceLane[] {
  const waiting = pool.lanesOf(address);
  if (waiting.length === 0) {
    return used.map(({ lane, next_nonce }) => ({ lane, next_nonce, pending: 0 }));
  }
  const byLane = new Map<number, NonceLane>();
  for (const { lane, pending } of waiting) byLane.set(lane, { lane, next_nonce: 0n, pending });
  for (const { lane, next_nonce } of used) {
    byLane.set(lane, { lane, next_nonce, pending: byLane.get(lane)?.pending ?? 0 });
  }
  return [...byLane.values()].sort((a, b) => a.lane - b.lane);
}

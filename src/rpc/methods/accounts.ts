import type { Chain } from '../../chain/chain.js';
import type { AccountRecord } from '../../generated/ledger.js';
import type { Account, NonceLane } from '../../generated/node-rpc-v1.js';
import type { CachedAccount } from '../../ledger/account-cache.js';
import { isEmptyAccount } from '../../ledger/accounts.js';
import { type AddressHex, addressHex } from '../../ledger/hex-names.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingLane } from '../../mempool/pool-types.js';
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
      expectAccounts(addresses, maxAccounts);
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

/** @throws RpcError limit_exceeded */
export function expectAccounts({ length }: readonly Uint8Array[], maxAccounts: number): void {
  if (length > maxAccounts) throw limitExceeded('accounts', maxAccounts, length, 'params.addresses');
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
  return accountView(address, record, pool.lanesOf(name));
}

/** An account as callers are shown it. @param waiting what of it waits in the pool */
export function accountView(
  address: Uint8Array,
  record: AccountRecord,
  waiting: readonly PendingLane[],
): Account {
  return {
    address,
    exists: !isEmptyAccount(record),
    balance: record.balance,
    lanes: lanes(record.lanes, waiting),
    deploy_index: record.deploy_index,
    is_contract: record.contract !== undefined,
  };
}

/** The accounts of which something waits in the pool, at one height. */
export interface PendingAccounts {
  readonly height: bigint;
  /** One an address that was asked for; undefined where nothing of it waits. */
  readonly accounts: readonly (Account | undefined)[];
}

export function pendingAccounts(
  { chain, pool }: Pick<AccountSources, 'chain' | 'pool'>,
  addresses: readonly Uint8Array[],
): PendingAccounts {
  const accounts = addresses.map((address) => {
    const name = addressHex(address);
    return pool.hasPending(name) ? account(address, name, chain.accounts.get(name), pool) : undefined;
  });
  return { height: chain.tip.header.height, accounts };
}

function lanes(
  used: readonly { readonly lane: number; readonly next_nonce: bigint }[],
  waiting: readonly PendingLane[],
): readonly NonceLane[] {
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

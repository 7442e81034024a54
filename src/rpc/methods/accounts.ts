import type { Chain } from '../../consensus/chain.js';
import type { Account, NonceLane } from '../../generated/node-rpc-v1.js';
import { isEmptyAccount } from '../../ledger/accounts.js';
import type { Mempool } from '../../mempool/pool.js';
import { limitExceeded } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';

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
    account: ({ address }) => account(chain, pool, address),
    accounts: ({ addresses }) => {
      if (addresses.length > maxAccounts) throw limitExceeded('addresses', maxAccounts, addresses.length);
      chain.accounts.prefetch(addresses.map((address) => Buffer.from(address).toString('hex')));
      const accounts = addresses.map((address) => account(chain, pool, address));
      chain.accounts.trim();
      return { height: chain.tip.header.height, accounts };
    },
  };
}

function account(chain: Chain, pool: Mempool, address: Uint8Array): Account {
  const hex = Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('hex');
  const { record } = chain.accounts.get(hex);
  return {
    address,
    exists: !isEmptyAccount(record),
    balance: record.balance,
    lanes: lanes(record.lanes, pool, hex),
    deploy_index: record.deploy_index,
    is_contract: record.contract !== undefined,
  };
}

function lanes(
  used: readonly { readonly lane: number; readonly next_nonce: bigint }[],
  pool: Mempool,
  address: string,
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

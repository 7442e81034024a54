import type { Branch } from '../execution/pending-writes.js';
import type { AccountRecord } from '../generated/ledger.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import type { AddressHex } from '../ledger/hex-types.js';
import { nextNonce } from '../ledger/lanes.js';
import type { AccountView, DrawnBranch } from '../mempool/pool-types.js';
import type { Chain } from './chain.js';
import type { BlockParent } from './pending-blocks.js';

export function tipAccounts(chain: Chain): AccountView {
  const { accounts, genesis } = chain;
  const began = genesis.accounts.reduce((sum, { balance }) => sum + balance, 0n);
  return {
    nextNonce: (address, lane) => nextNonce(accounts.account(address), lane),
    balance: (address) => accounts.account(address).balance,
    // No money is created after genesis. A chain restored from a snapshot may not know the initial balances.
    supply: began > 0n ? began : MAX_BALANCE,
    lanesUsed: (address) => accounts.account(address).lanes.length,
  };
}

/** The uncommitted changes that the pool must respect when it draws on a branch; undefined on the tip. */
export function drawnBranch(
  { branch }: Pick<BlockParent, 'branch'>,
  committed: AccountView,
): DrawnBranch | undefined {
  if (branch.length === 0) return undefined;
  const changed = new Set<AddressHex>();
  for (const { writes } of branch) {
    for (const address of writes.accounts.keys()) changed.add(address as AddressHex);
  }
  return { changed, accounts: accountsAfter(branch, committed) };
}

function accountsAfter(branch: Branch, committed: AccountView): AccountView {
  const blocks = branch.map(({ writes }) => writes.accounts).reverse();
  const record = (address: AddressHex): AccountRecord | undefined => {
    for (const accounts of blocks) {
      const entry = accounts.get(address);
      if (entry !== undefined) return entry.record;
    }
    return undefined;
  };
  return {
    nextNonce: (address, lane) => {
      const found = record(address);
      return found === undefined ? committed.nextNonce(address, lane) : nextNonce(found, lane);
    },
    balance: (address) => record(address)?.balance ?? committed.balance(address),
    supply: committed.supply,
    lanesUsed: (address) => record(address)?.lanes.length ?? committed.lanesUsed(address),
  };
}

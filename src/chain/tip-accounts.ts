import { nextNonce } from '../ledger/accounts.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import type { AccountView } from '../mempool/pool-types.js';
import type { Chain } from './chain.js';

/** Account view at the chain's tip, for the pool. */
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

import { nextNonce } from '../ledger/accounts.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import type { AccountView } from '../mempool/account-view.js';
import type { Chain } from './chain.js';

/** The accounts at the chain's tip, as the pool asks for them. */
export function tipAccounts(chain: Chain): AccountView {
  const { accounts, genesis } = chain;
  const began = genesis.accounts.reduce((sum, { balance }) => sum + balance, 0n);
  return {
    nextNonce: (address, lane) => nextNonce(accounts.account(address), lane),
    balance: (address) => accounts.account(address).balance,
    // Nothing is ever made after the genesis. A chain that came with a snapshot may not know who had what in it.
    supply: began > 0n ? began : MAX_BALANCE,
    lanesUsed: (address) => accounts.account(address).lanes.length,
  };
}

import { nextNonce } from '../ledger/accounts.js';
import type { AccountView } from '../mempool/account-view.js';
import type { Chain } from './chain.js';

/** The accounts at the chain's tip, as the pool asks for them. */
export function tipAccounts(chain: Chain): AccountView {
  const { accounts } = chain;
  return {
    nextNonce: (address, lane) => nextNonce(accounts.account(address), lane),
    balance: (address) => accounts.account(address).balance,
    lanesUsed: (address) => accounts.account(address).lanes.length,
  };
}

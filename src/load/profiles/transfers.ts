import { defaultGasLimit } from '../../ledger/gas.js';
import type { LoadProfile, WorkItem } from '../workload.js';

/** Every account sends to the next: no two transactions of different accounts touch a third one's money. */
export const transfers: LoadProfile = {
  description: 'native transfers among the accounts',
  prepare: async ({ accounts }) => ({
    next: (account) => transferTo(accounts.signer(account + 1).address),
  }),
};

/** Everybody pays the same account. */
export const hotAccount: LoadProfile = {
  description: 'native transfers of all accounts to a single one',
  prepare: async ({ owner }) => ({ next: () => transferTo(owner.address) }),
};

export function transferTo(to: Uint8Array): WorkItem {
  const action = { type: 'transfer', value: { to, amount: 1n } } as const;
  return { action, gasLimit: defaultGasLimit(action) };
}

import { defaultGasLimit } from '../../ledger/gas.js';
import type { LoadProfile, WorkItem } from '../workload.js';

/** Every account pays the next one: a transaction conflicts only with those of its two accounts. */
export const transfers: LoadProfile = {
  description: 'native transfers among the accounts',
  prepare: async ({ accounts }) => ({
    next: (account) => transferTo(accounts.signer(account + 1).address),
  }),
};

export const hotAccount: LoadProfile = {
  description: 'native transfers of all accounts to a single one',
  prepare: async ({ owner }) => ({ next: () => transferTo(owner.address) }),
};

export function transferTo(to: Uint8Array): WorkItem {
  const action = { type: 'transfer', value: { to, amount: 1n } } as const;
  return { action, gasLimit: defaultGasLimit(action) };
}

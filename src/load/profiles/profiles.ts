import { randomBelow } from '../seeded-random.js';
import type { LoadProfile, Workload } from '../workload.js';
import { amm } from './amm.js';
import { token } from './token.js';
import { hotAccount, transfers } from './transfers.js';

/** Percentage of each profile in the mixed load. */
const PARTS = [
  { profile: transfers, percent: 50 },
  { profile: token, percent: 30 },
  { profile: amm, percent: 15 },
  { profile: hotAccount, percent: 5 },
] as const;

const mixed: LoadProfile = {
  description: '50 % transfers, 30 % token transfers, 15 % swaps, 5 % transfers to one account',
  prepare: async (setup) => {
    const workloads: { readonly workload: Workload; readonly percent: number }[] = [];
    for (const { profile, percent } of PARTS) {
      workloads.push({ workload: await profile.prepare(setup), percent });
    }
    return {
      next: (account, random) => {
        let place = randomBelow(random, 100);
        const chosen = workloads.find(({ percent }) => {
          place -= percent;
          return place < 0;
        });
        if (chosen === undefined) throw new RangeError('the parts do not add up to 100 percent');
        return chosen.workload.next(account, random);
      },
    };
  },
};

/** All load profiles by command line name. */
export const PROFILES = {
  transfers,
  token,
  'hot-account': hotAccount,
  amm,
  mixed,
} as const satisfies Readonly<Record<string, LoadProfile>>;

export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

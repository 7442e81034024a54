import type { LoadProfile } from '../workload.js';
import { amm } from './amm.js';
import { mixed } from './mixed.js';
import { token } from './token.js';
import { hotAccount, transfers } from './transfers.js';

/** Every kind of load, by its name on the command line. */
export const PROFILES = {
  transfers,
  token,
  'hot-account': hotAccount,
  amm,
  mixed,
} as const satisfies Readonly<Record<string, LoadProfile>>;

export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

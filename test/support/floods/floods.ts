import { ABANDONED_CALLS } from './abandoned-calls.js';
import { BATCHED_VIEWS } from './batched-calls.js';
import { BURNING_PIPELINES, BURNING_VIEWS, HUGE_TRACES } from './burning-calls.js';
import { COLD_ACCOUNTS } from './cold-accounts.js';
import { A_THOUSAND_SOCKETS, CROWDED_SOCKETS } from './crowded-sockets.js';
import type { Flood } from './flood.js';
import {
  ABANDONED_LISTINGS,
  COPIED_ACCOUNTS,
  LIGHT_CONTEXTS,
  LISTED_POOL,
  WAITING_ACCOUNTS,
} from './forwarded-calls.js';
import { IDLE_CONNECTIONS, SLOW_READERS } from './idle-clients.js';
import { DEEP_PARAMS, OBJECTS_8, OBJECTS_100, WIDE_PARAMS } from './large-bodies.js';
import { SEALED_ENVELOPES, UNPAID_CALLS } from './pool-churn.js';
import { REPLAYS } from './replays.js';
import { SNAPSHOT_CHUNKS } from './snapshot-chunks.js';
import { ALL_LOGS, OLD_PROOFS } from './store-reads.js';
import { BAD_SIGNATURES, pendingTransfers } from './transactions.js';
import { VARIED_VIEWS } from './varied-views.js';
import { WIDE_OVERRIDES } from './wide-overrides.js';

export const FLOODS: readonly Flood[] = [
  OBJECTS_8,
  OBJECTS_100,
  DEEP_PARAMS,
  WIDE_PARAMS,
  COLD_ACCOUNTS,
  BURNING_PIPELINES,
  BURNING_VIEWS,
  BATCHED_VIEWS,
  VARIED_VIEWS,
  ABANDONED_CALLS,
  WIDE_OVERRIDES,
  HUGE_TRACES,
  REPLAYS,
  OLD_PROOFS,
  ALL_LOGS,
  SNAPSHOT_CHUNKS,
  BAD_SIGNATURES,
  SEALED_ENVELOPES,
  UNPAID_CALLS,
  SLOW_READERS,
  IDLE_CONNECTIONS,
  CROWDED_SOCKETS,
  LISTED_POOL,
  ABANDONED_LISTINGS,
  COPIED_ACCOUNTS,
  WAITING_ACCOUNTS,
  LIGHT_CONTEXTS,
  pendingTransfers(50_000),
  // A small version that takes a few seconds.
  { ...pendingTransfers(10_000), name: 'pending-transfers-10k' },
];

/** Short forms of floods whose length is not only a matter of time. */
const SMALL_FLOODS: readonly Flood[] = [
  A_THOUSAND_SOCKETS,
  { ...pendingTransfers(1_000), name: 'pending-transfers-1k' },
];

/** @throws Error if there is none of that name */
export function floodOf(name: string): Flood {
  const flood = [...FLOODS, ...SMALL_FLOODS].find((each) => each.name === name);
  if (flood === undefined) {
    throw new Error(
      `no flood ${JSON.stringify(name)}; there are ${FLOODS.map((each) => each.name).join(', ')}`,
    );
  }
  return flood;
}

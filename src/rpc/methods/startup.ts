import { zeroMetrics } from '../../consensus/consensus-info.js';
import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import { RpcError } from '../errors.js';
import type { ChainHandlers } from '../handlers.js';

/** State of a node without a chain. */
export interface StartupReport {
  /** The current activity, and problems with sources. */
  readonly reasons: readonly string[];
  readonly stalled: boolean;
  readonly bestKnownHeight: bigint;
  readonly peers: readonly PeerHealth[];
}

/** A node without state reports its progress and refuses everything else. @param health the same as with a chain */
export function startupHandlers(report: () => StartupReport, health: ChainHandlers['health']): ChainHandlers {
  const notReady = (): never => {
    const { reasons } = report();
    const message = `this node has no state yet: ${reasons[0] ?? 'it has just started'}`;
    throw new RpcError('not_ready', message, { reasons });
  };
  const names = [...rpcMethods.keys()].filter((name) => name !== 'token_usage');
  const refusals = Object.fromEntries(names.map((name) => [name, notReady])) as Record<
    keyof ChainHandlers,
    () => never
  >;
  const sync = ({ bestKnownHeight, stalled }: StartupReport) => ({
    state: { type: stalled ? 'stalled' : 'catching_up' } as const,
    tip_height: 0n,
    finalized_height: 0n,
    best_known_height: bestKnownHeight,
    tip_age_ms: 0n,
  });
  const own = {
    health,
    readiness: () => {
      const now = report();
      return { ready: false, sync: sync(now), epoch_key_available: false, reasons: now.reasons };
    },
    validator_status: () => {
      const now = report();
      return {
        role: { type: 'follower' },
        dkg: { state: { type: 'idle' }, epoch: 0n, dealers_expected: 0, dealings_received: 0, complaints: 0 },
        sync: sync(now),
        peers: now.peers,
        pending_changes: [],
        consensus: zeroMetrics({ epoch: 0n, view: 0n, leader: 0 }),
      };
    },
  } satisfies Partial<ChainHandlers>;
  return { ...refusals, ...own };
}

import type { Chain } from '../../chain/chain.js';
import type { Agreement } from '../../consensus/agreement.js';
import type {
  CheckpointRef,
  Health,
  HealthResult,
  ReadinessResult,
  Status,
  SyncStatus,
  ValidatorStatus,
} from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { Mempool } from '../../mempool/pool.js';
import type { Checkpoints } from '../../sync/checkpoints.js';
import type { FollowReport } from '../../sync/follow/follower.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';

/** An event loop that is later than this does not serve callers as it should. */
const DEGRADED_LAG_MS = 1_000;

/** What the status methods look at. */
export interface StatusSources {
  readonly version: string;
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly agreement: Agreement;
  readonly checkpoints: Pick<Checkpoints, 'latest'>;
  readonly blockTimeMs: number;
  /** How long the node has been running, milliseconds. */
  readonly uptimeMs: () => number;
  readonly now: () => number;
  /** How late the event loop is, in milliseconds. */
  readonly eventLoopLagMs: () => number;
  /** Why the node cannot seal any more; undefined while it can. */
  readonly sealingFailure: () => string | undefined;
  /** How far a follower is; absent on a node that seals. */
  readonly following?: () => FollowReport;
}

export type StatusHandlers = Pick<MethodHandlers, 'status' | 'health' | 'readiness' | 'validator_status'>;

export function statusHandlers(sources: StatusSources): StatusHandlers {
  const status = statusHandler(sources);
  return {
    status,
    health: () => health(sources),
    readiness: () => readiness(sources),
    validator_status: () => validatorStatus(sources),
  };
}

/** `status` is asked more often than anything else, and its answer is the same for a whole millisecond. */
function statusHandler(sources: StatusSources): () => EncodedResult {
  const { chain, pool, now } = sources;
  let answer: EncodedResult | undefined;
  let answeredAt = 0;
  let tip: unknown;
  let poolSize = 0;
  return () => {
    const time = now();
    if (answer === undefined || time !== answeredAt || chain.tip !== tip || pool.size !== poolSize) {
      answeredAt = time;
      tip = chain.tip;
      poolSize = pool.size;
      answer = new EncodedResult(rpcTypes.Status.toJson(status(sources, time)));
    }
    return answer;
  };
}

function status(sources: StatusSources, now: number): Status {
  const { version, chain, pool, blockTimeMs, uptimeMs, following } = sources;
  const { header, hash } = chain.tip;
  const report = following?.();
  return {
    version,
    chain_id: header.chain_id,
    now_ms: BigInt(now),
    uptime_ms: BigInt(Math.floor(uptimeMs())),
    block_time_ms: report?.blockTimeMs ?? blockTimeMs,
    tip: {
      height: header.height,
      hash,
      timestamp_ms: header.timestamp_ms,
      state_root: header.state_root,
      epoch: header.epoch,
      view: header.view,
    },
    finalized_height: chain.finalizedHeight,
    latest_checkpoint: latestCheckpoint(sources),
    txpool_size: pool.size,
    epoch: header.epoch,
    validator_set: chain.validatorsAt(header.epoch),
    syncing: report !== undefined && report.bestKnownHeight > header.height,
  };
}

/** Until a checkpoint is cut, the one state that everybody can start from is that of genesis. */
function latestCheckpoint({ chain, checkpoints }: StatusSources): CheckpointRef {
  const { latest } = checkpoints;
  return latest === undefined
    ? { height: 0n, state_root: chain.genesisStateRoot }
    : { height: latest.height, state_root: latest.state_root };
}

/** How a node is, whether or not it has a chain. */
export function health(
  sources: Pick<StatusSources, 'uptimeMs' | 'eventLoopLagMs' | 'sealingFailure' | 'following'>,
): HealthResult {
  const { uptimeMs, eventLoopLagMs, sealingFailure } = sources;
  const lag = Math.round(eventLoopLagMs());
  const failure = sealingFailure();
  let state: Health = { type: 'ok' };
  if (failure !== undefined) state = { type: 'degraded', value: stopped(sources, failure) };
  else if (lag > DEGRADED_LAG_MS) state = { type: 'degraded', value: `the event loop is ${lag} ms late` };
  return { status: state, uptime_ms: BigInt(Math.floor(uptimeMs())), event_loop_lag_ms: lag };
}

function readiness(sources: StatusSources): ReadinessResult {
  const failure = sources.sealingFailure();
  const report = sources.following?.();
  const reasons = [
    ...(failure === undefined ? [] : [stopped(sources, failure)]),
    ...(report === undefined || report.state === 'synced' ? [] : report.reasons),
  ];
  return { ready: reasons.length === 0, sync: syncStatus(sources), epoch_key_available: true, reasons };
}

function stopped({ following }: Pick<StatusSources, 'following'>, failure: string): string {
  return `${following === undefined ? 'sealing' : 'following'} has stopped: ${failure}`;
}

/** A node that seals alone has the best tip there is; it is stalled only when sealing has stopped. */
function syncStatus({ chain, agreement, now, sealingFailure, following }: StatusSources): SyncStatus {
  const { header } = chain.tip;
  // The clock may have jumped since the block got its timestamp.
  const age = Math.min(
    now() - Number(header.timestamp_ms),
    agreement.sinceFinalMs ?? Number.POSITIVE_INFINITY,
  );
  const report = following?.();
  const failed = sealingFailure() !== undefined;
  return {
    state: { type: failed ? 'stalled' : (report?.state ?? 'synced') },
    tip_height: header.height,
    finalized_height: chain.finalizedHeight,
    best_known_height: report?.bestKnownHeight ?? header.height,
    tip_age_ms: BigInt(Math.max(0, Math.floor(age))),
  };
}

function validatorStatus(sources: StatusSources): ValidatorStatus {
  const { chain, agreement } = sources;
  const { header } = chain.tip;
  const report = sources.following?.();
  return {
    ...(report === undefined ? { role: { type: 'dev' }, index: 0 } : { role: { type: 'follower' } }),
    // The group key of a single validator is its own: there is nothing to generate together.
    dkg: {
      state: { type: 'ready' },
      epoch: header.epoch,
      dealers_expected: 1,
      dealings_received: 1,
      complaints: 0,
    },
    sync: syncStatus(sources),
    peers: report?.peers ?? [],
    consensus: agreement.metrics(),
  };
}

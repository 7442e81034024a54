import { flatText } from '../../base/flat-text.js';
import type { Chain } from '../../chain/chain.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import { type GatheredChange, pendingChanges } from '../../chain/epochs/pending-changes.js';
import { resharingStatus } from '../../chain/epochs/resharing-status.js';
import type { OpeningFault } from '../../chain/sealed/opening-attempts.js';
import type { ConsensusInfo } from '../../consensus/consensus-info.js';
import type { Crypto } from '../../crypto/crypto.js';
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
import type { FollowReport } from '../../sync/follow/follower.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';

const DEGRADED_LAG_MS = 1_000;

export interface TipStatusSources {
  readonly version: string;
  readonly chain: Pick<CommittedChain, 'tip' | 'finalizedHeight' | 'genesisStateRoot'>;
  readonly pool: Pick<Mempool, 'size'>;
  readonly checkpoints: { readonly latest: CheckpointRef | undefined };
  readonly blockTimeMs: number;
  readonly uptimeMs: () => number;
  /** The chain's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** A follower's view of its sources; absent on a node that seals. */
  readonly following?: () => Pick<FollowReport, 'blockTimeMs' | 'bestKnownHeight'>;
}

export interface StatusSources extends TipStatusSources {
  readonly chain: Pick<Chain, 'tip' | 'finalizedHeight' | 'genesisStateRoot' | 'validatorsAt'>;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly agreement: ConsensusInfo;
  /** The changes of the validator set that this validator gathers approvals of. */
  readonly gatheredChanges: () => readonly GatheredChange[];
  readonly eventLoopLagMs: () => number;
  /** Why the node can no longer seal; undefined while it can. */
  readonly sealingFailure: () => string | undefined;
  /** Why the node refuses all transactions; undefined while it takes them. */
  readonly admissionFailure: () => string | undefined;
  /** Heights with envelopes that failed to execute on this node and are retried. */
  readonly failingOpenings: () => readonly OpeningFault[];
  /** A follower's progress; absent on a node that seals. */
  readonly following?: () => FollowReport;
}

export function statusHandlers(sources: StatusSources) {
  return {
    status: statusHandler(sources),
    health: () => health(sources),
    readiness: () => readiness(sources),
    validator_status: () => validatorStatus(sources),
  } satisfies Partial<MethodHandlers>;
}

/** Caches the answer of `status`, the most frequent call, for a millisecond. */
export function statusHandler(sources: TipStatusSources): () => EncodedResult {
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
      answer = new EncodedResult(flatText(rpcTypes.Status.toJson(status(sources, time))));
    }
    return answer;
  };
}

function status(sources: TipStatusSources, now: number): Status {
  const { version, chain, pool, checkpoints, blockTimeMs, uptimeMs, following } = sources;
  const { header, hash, epochs } = chain.tip;
  const { validators } = epochs;
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
    // Every node can start from the genesis state.
    latest_checkpoint: checkpoints.latest ?? { height: 0n, state_root: chain.genesisStateRoot },
    txpool_size: pool.size,
    epoch: validators.epoch,
    validator_set: validators,
    syncing: report !== undefined && report.bestKnownHeight > header.height,
  };
}

export function health(
  sources: Pick<StatusSources, 'uptimeMs' | 'eventLoopLagMs' | 'sealingFailure' | 'following'> &
    Partial<Pick<StatusSources, 'agreement'>>,
): HealthResult {
  const { uptimeMs, eventLoopLagMs, sealingFailure } = sources;
  const lag = Math.round(eventLoopLagMs());
  const failure = sealingFailure();
  let state: Health = { type: 'ok' };
  const overdue = overdueText(sources.agreement);
  if (failure !== undefined) state = { type: 'degraded', value: stoppedText(sources, failure) };
  else if (overdue !== undefined) state = { type: 'degraded', value: overdue };
  else if (lag > DEGRADED_LAG_MS) state = { type: 'degraded', value: `the event loop is ${lag} ms late` };
  return { status: state, uptime_ms: BigInt(Math.floor(uptimeMs())), event_loop_lag_ms: lag };
}

function readiness(sources: StatusSources): ReadinessResult {
  const { agreement } = sources;
  const failure = sources.sealingFailure();
  const refusal = sources.admissionFailure();
  const report = sources.following?.();
  const hasKey = agreement.epochKeyAvailable ?? true;
  const overdue = overdueText(agreement);
  const reasons = [
    ...(failure === undefined ? [] : [stoppedText(sources, failure)]),
    ...(overdue === undefined ? [] : [overdue]),
    ...(refusal === undefined ? [] : [refusal]),
    ...(report === undefined || report.state === 'synced' ? [] : report.reasons),
    ...(report === undefined ? (agreement.sync?.().reasons ?? []) : []),
    ...sources.failingOpenings().map(failingText),
    ...(hasKey ? [] : ['the validator holds no share of the group key for this epoch']),
  ];
  return { ready: reasons.length === 0, sync: syncStatus(sources), epoch_key_available: hasKey, reasons };
}

function failingText({ height, hashHex, failures, message }: OpeningFault): string {
  const what = hashHex === undefined ? '' : `, in sealed transaction 0x${hashHex}`;
  return `what opens at height ${height} failed here ${failures} times in a row${what}: ${message}`;
}

function stoppedText({ following }: Pick<StatusSources, 'following'>, failure: string): string {
  return `${following === undefined ? 'sealing' : 'following'} has stopped: ${failure}`;
}

function overdueText(agreement: ConsensusInfo | undefined): string | undefined {
  const ms = agreement?.overdueMs;
  return ms === undefined ? undefined : `no block for ${Math.round(ms / 1_000)} s, though one is due`;
}

/** A node that seals alone always has the newest block, so it is stalled only if sealing has stopped. */
function syncStatus({ chain, agreement, now, sealingFailure, following }: StatusSources): SyncStatus {
  const { header } = chain.tip;
  // The clock may have jumped since the block was timestamped.
  const age = Math.min(
    now() - Number(header.timestamp_ms),
    agreement.sinceFinalMs ?? Number.POSITIVE_INFINITY,
  );
  const report = following?.() ?? agreement.sync?.();
  const failed = sealingFailure() !== undefined || agreement.overdueMs !== undefined;
  return {
    state: { type: failed ? 'stalled' : (report?.state ?? 'synced') },
    tip_height: header.height,
    finalized_height: chain.finalizedHeight,
    best_known_height: report?.bestKnownHeight ?? header.height,
    tip_age_ms: BigInt(Math.max(0, Math.floor(age))),
  };
}

function validatorStatus(sources: StatusSources): ValidatorStatus {
  const { chain, crypto, agreement } = sources;
  const report = sources.following?.();
  return {
    ...(report === undefined ? ownRole(sources) : { role: { type: 'follower' } }),
    dkg: resharingStatus(chain),
    sync: syncStatus(sources),
    peers: report?.peers ?? agreement.peers?.(chain.tip.header.height) ?? [],
    consensus: agreement.metrics(),
    pending_changes: pendingChanges(crypto, chain.tip, sources.gatheredChanges()),
  };
}

/** Role and index of a node that is not a follower; without an index if it is not in the validator set. */
function ownRole({ chain, agreement }: StatusSources): Pick<ValidatorStatus, 'role' | 'index'> {
  if (chain.tip.epochs.validators.validators.length === 1) return { role: { type: 'dev' }, index: 0 };
  const { index } = agreement;
  return { role: { type: 'validator' }, ...(index === undefined ? {} : { index }) };
}

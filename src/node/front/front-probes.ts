import type { CommittedChain } from '../../chain/committed-chain.js';
import type { HealthResult, ReadinessResult } from '../../generated/node-rpc-v1.js';
import type { EncodedResult, HandlerResult, MethodHandlers, Parked } from '../../rpc/handlers.js';
import type { Heartbeat } from './heartbeat.js';

/** Silence of the main thread after which probes stop waiting for it. A silent main thread seals nothing either. */
const SILENT_MS = 2_000;
/** Interval at which a waiting probe checks whether the main thread is silent. */
const POLL_MS = 250;

export interface FrontProbeParts {
  readonly heartbeat: Heartbeat;
  readonly chain: CommittedChain;
  /** The greatest height that a follower knows of; undefined on a node that follows nobody. */
  readonly bestKnownHeight: () => bigint | undefined;
  readonly uptimeMs: () => number;
  /** The chain's clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly forward: Pick<MethodHandlers, 'health' | 'readiness'>;
}

/** The probes of a front thread: the main thread's answers, or a report of its silence. */
export function frontProbes(parts: FrontProbeParts): Pick<MethodHandlers, 'health' | 'readiness'> {
  const { heartbeat, forward } = parts;
  return {
    health: (params, call) => answered(heartbeat, forward.health(params, call), () => health(parts)),
    readiness: (params, call) => answered(heartbeat, forward.readiness(params, call), () => readiness(parts)),
  };
}

/** The main thread's answer, or the fallback once the main thread is silent. */
async function answered<R>(
  heartbeat: Heartbeat,
  forwarded: HandlerResult<R>,
  instead: () => R,
): Promise<EncodedResult | Parked<R> | R> {
  if (heartbeat.silentMs > SILENT_MS) return instead();
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<R>((resolve) => {
    timer = setInterval(() => {
      if (heartbeat.silentMs > SILENT_MS) resolve(instead());
    }, POLL_MS);
  });
  try {
    const answer = await Promise.race([forwarded, silent]);
    if (answer instanceof Error) throw answer;
    return answer;
  } finally {
    clearInterval(timer);
  }
}

function health({ heartbeat, uptimeMs }: FrontProbeParts): HealthResult {
  return {
    status: { type: 'degraded', value: silence(heartbeat) },
    uptime_ms: BigInt(Math.floor(uptimeMs())),
    event_loop_lag_ms: Math.round(heartbeat.silentMs),
  };
}

function readiness({ heartbeat, chain, bestKnownHeight, now }: FrontProbeParts): ReadinessResult {
  const { header } = chain.tip;
  const best = bestKnownHeight() ?? 0n;
  const isBehind = best > header.height;
  return {
    ready: false,
    sync: {
      state: { type: 'stalled' },
      tip_height: header.height,
      finalized_height: chain.finalizedHeight,
      best_known_height: isBehind ? best : header.height,
      tip_age_ms: BigInt(Math.max(0, Math.floor(now() - Number(header.timestamp_ms)))),
    },
    epoch_key_available: heartbeat.hasKey,
    reasons: [silence(heartbeat)],
  };
}

function silence({ silentMs }: Heartbeat): string {
  return `the main thread has been silent for ${Math.round(silentMs)} ms`;
}

import type { BoundedLog } from '../../config/bounded-log.js';
import type { InvocationContext } from '../handlers.js';

/** How a call was answered. Durations in milliseconds. */
export interface AnsweredCall {
  /** `ok` or the kind of the error. */
  readonly outcome: string;
  /** Time to the result, with {@link parkedMs}. */
  readonly ms: number;
  /** Wait for a worker; undefined if unknown. */
  readonly waitedMs?: number | undefined;
  /** Wait for a block at the client's request, which does not count as slow. */
  readonly parkedMs?: number | undefined;
  readonly answerBytes: number;
}

/** Logs slow calls, but never their parameters, which may contain secrets. */
export class SlowCalls {
  readonly #log: BoundedLog;
  /** Infinity to log none. */
  readonly thresholdMs: number;

  /** @param log not the log of errors: neither uses up the other's records @param thresholdMs 0 to log none */
  constructor(log: BoundedLog, thresholdMs: number) {
    this.#log = log;
    this.thresholdMs = thresholdMs === 0 ? Number.POSITIVE_INFINITY : thresholdMs;
  }

  /** @param paramsBytes size of the parameters, or of the call's share of its request @returns whether it was slow */
  note(
    method: string,
    { outcome, ms, waitedMs, parkedMs, answerBytes }: AnsweredCall,
    paramsBytes: number,
    { client, requestId }: InvocationContext,
  ): boolean {
    const totalMs = ms - (parkedMs ?? 0);
    if (totalMs < this.thresholdMs) return false;
    this.#log.info(
      {
        method,
        outcome,
        client,
        request_id: requestId,
        total_ms: Math.round(totalMs),
        ...(waitedMs === undefined
          ? {}
          : { waited_ms: Math.round(waitedMs), run_ms: Math.round(Math.max(0, totalMs - waitedMs)) }),
        ...(parkedMs === undefined ? {} : { parked_ms: Math.round(parkedMs) }),
        params_bytes: paramsBytes,
        answer_bytes: answerBytes,
      },
      `slow call: ${method} took ${Math.round(totalMs)} ms`,
    );
    return true;
  }
}

import type { BoundedLog } from '../../config/bounded-log.js';
import type { InvocationContext } from '../handlers.js';

/** A call that was answered, for the log of slow calls. Durations in milliseconds. */
export interface AnsweredCall {
  readonly method: string;
  /** `ok` or the kind of the error. */
  readonly outcome: string;
  /** From the parsed request to the result, without {@link parkedMs}. */
  readonly totalMs: number;
  /** Wait for a worker; undefined if unknown. */
  readonly waitedMs?: number | undefined;
  /** Wait for a block that the client asked for. */
  readonly parkedMs?: number | undefined;
  /** Size of the parameters, or of the call's share of its request. */
  readonly paramsBytes: number;
  readonly answerBytes: number;
}

/** Logs slow calls, but never their parameters, which may contain secrets. */
export class SlowCalls {
  readonly #log: BoundedLog;
  /** Infinity to log none. */
  readonly thresholdMs: number;

  /**
   * @param log separate from the log of errors, so that neither uses up the other's records
   * @param thresholdMs 0 to log none
   */
  constructor(log: BoundedLog, thresholdMs: number) {
    this.#log = log;
    this.thresholdMs = thresholdMs === 0 ? Number.POSITIVE_INFINITY : thresholdMs;
  }

  /** Logs a call whose total reached the threshold. */
  write(call: AnsweredCall, { client, requestId }: Pick<InvocationContext, 'client' | 'requestId'>): void {
    const { method, outcome, totalMs, waitedMs, parkedMs, paramsBytes, answerBytes } = call;
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
  }
}

import { mapAsync } from '../../async/deferred.js';
import type { CallLimits, ReservedCall } from '../access/call-limits.js';
import { LimitedContext } from '../derived-contexts.js';
import { RpcError } from '../errors.js';
import type { CallerContext } from '../handlers.js';
import type { CallAnswer, Outcome } from '../rpc-answer.js';

/** A call that runs contracts for a token with limits of gas or time. */
export interface LimitedCall {
  readonly limits: CallLimits;
  readonly method: string;
  /** Not decoded yet. */
  readonly params: unknown;
  readonly context: CallerContext;
  /** Runs the call; never throws or rejects. */
  readonly run: (context: CallerContext) => CallAnswer;
  /** Answers for a call that is refused. */
  readonly refuse: (refusal: RpcError, isLate: boolean) => RpcError;
  /**
   * Waits in a slot for calls in flight.
   * @returns the outcome of `wait`, or an error if there is no slot
   */
  readonly waitInSlot: (wait: () => Promise<ReservedCall | RpcError>) => Promise<ReservedCall | RpcError>;
}

/** Reserves the gas and time of a call, runs it, and settles the reservation when the call ends. */
export function runLimited(call: LimitedCall): CallAnswer {
  const { limits, method, params, refuse } = call;
  const reserved = limits.reserve(method, params);
  if (reserved === 'wait') return runLater(call);
  return reserved instanceof RpcError ? refuse(reserved, false) : runReserved(call, reserved);
}

async function runLater(call: LimitedCall): Promise<Outcome> {
  const { limits, method, params, context, waitInSlot, refuse } = call;
  const reserved = await waitInSlot(() => limits.reserveLater(method, params, () => context.isGone));
  return reserved instanceof RpcError ? refuse(reserved, true) : runReserved(call, reserved);
}

function runReserved({ run, context }: LimitedCall, reserved: ReservedCall): CallAnswer {
  return mapAsync(run(new LimitedContext(context, reserved)), settled, reserved);
}

function settled(outcome: Outcome, reserved: ReservedCall): Outcome {
  reserved.settle();
  return outcome;
}

import type { Caller } from '../../async/caller.js';
import type { Deferred } from '../../async/deferred.js';
import { encodeCall } from '../../execution/calls/call-batch.js';
import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import type { TransactionTracer } from '../../execution/calls/transaction-tracer.js';
import type { CallKind } from '../../execution/views/batched-calls.js';
import { deferredResult, type EncodedResult, type Handler } from '../handlers.js';
import type { JsonSource } from '../json/json-text.js';

export interface CallSources {
  readonly views: CallScheduler;
  readonly tracer: TransactionTracer;
}

/** Handlers that give their results as JSON, and leave checking their parameters to the thread that runs the call. */
export type CallHandlers<K extends CallKind = CallKind> = Readonly<Record<K, Handler<JsonSource, never>>>;

/** View calls, simulations and traces: workers validate and execute them entirely. */
export function callHandlers({ views, tracer }: CallSources): CallHandlers {
  const ask =
    (kind: CallKind): Handler<JsonSource, never> =>
    ({ text }, call) =>
      askForCall(views, kind, text, call);
  return {
    view_call: ask('view_call'),
    tx_simulate: ask('tx_simulate'),
    tx_simulate_access: ask('tx_simulate_access'),
    tx_simulate_pipeline: ask('tx_simulate_pipeline'),
    chain_simulateBundle: ask('chain_simulateBundle'),
    chain_traceCall: ask('chain_traceCall'),
    chain_traceTransaction: ({ text }, call) =>
      deferredResult((resolve, reject) => tracer.trace(text, resolve, reject, call)),
    tx_simulate_trace: ask('tx_simulate_trace'),
  };
}

export function askForCall(
  views: CallScheduler,
  kind: CallKind,
  params: string,
  caller: Caller,
): Deferred<EncodedResult | Error> {
  return deferredResult((resolve, reject) =>
    views.ask(encodeCall(kind, params, caller.allowance?.gas), resolve, reject, caller),
  );
}

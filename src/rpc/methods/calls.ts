import type { Caller } from '../../async/caller.js';
import { Deferred } from '../../async/deferred.js';
import { readSharedText, shareText } from '../../base/shared-text.js';
import type { Calls } from '../../execution/calls/worker-calls.js';
import type { CallKind } from '../../execution/views/batched-calls.js';
import { EncodedResult, type HandlerContext } from '../handlers.js';
import type { JsonSource } from '../json/json-text.js';

export interface CallSources {
  readonly calls: Calls;
}

/** Handlers that give their results as JSON, and leave checking their parameters to the thread that runs the call. */
export type CallHandlers<K extends CallKind = CallKind> = Readonly<
  Record<K, (params: JsonSource, call: HandlerContext) => CallResult>
>;

export type CallResult = EncodedResult | Deferred<EncodedResult | Error>;

/** View calls, simulations and traces: workers validate and execute them entirely. */
export function callHandlers({ calls }: CallSources): CallHandlers {
  const ask =
    (kind: CallKind) =>
    ({ text }: JsonSource, call: HandlerContext) =>
      askForCall(calls, kind, text, call);
  return {
    view_call: ask('view_call'),
    tx_simulate: ask('tx_simulate'),
    tx_simulate_access: ask('tx_simulate_access'),
    tx_simulate_pipeline: ask('tx_simulate_pipeline'),
    chain_simulateBundle: ask('chain_simulateBundle'),
    chain_traceCall: ask('chain_traceCall'),
    chain_traceTransaction: ask('chain_traceTransaction'),
    tx_simulate_trace: ask('tx_simulate_trace'),
  };
}

export function askForCall(
  calls: Calls,
  kind: CallKind,
  text: string,
  caller: Caller,
): Deferred<EncodedResult | Error> {
  const answer = new Deferred<EncodedResult | Error>();
  const maxGas = caller.allowance?.gas;
  calls.ask(
    { kind, params: shareText(text), ...(maxGas === undefined ? {} : { maxGas }) },
    {
      resolve: (json, waitedMs) => answer.resolve(new EncodedResult(readSharedText(json), waitedMs)),
      reject: (error) => answer.resolve(error),
    },
    caller,
  );
  return answer;
}

import { encodeOtherCall } from '../../execution/calls/call-batch.js';
import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import type { TransactionTracer } from '../../execution/calls/transaction-tracer.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { limitExceeded } from '../errors.js';
import { laterResult, type MethodHandlers } from '../handlers.js';

/** What traces need. */
export interface TracingSources {
  readonly views: CallScheduler;
  readonly tracer: TransactionTracer;
  /** The most gas of one call. */
  readonly maxCallGas: number;
}

export type TracingHandlers = Pick<
  MethodHandlers,
  'chain_traceTransaction' | 'chain_traceCall' | 'tx_simulate_trace'
>;

/** Everything but the limit on a call's gas is checked and done by the workers. */
export function tracingHandlers({ views, tracer, maxCallGas }: TracingSources): TracingHandlers {
  return {
    chain_traceTransaction: (args, call) =>
      laterResult((resolve, reject) => tracer.trace(args, resolve, reject, call)),

    chain_traceCall: (args, call) => {
      if (args.gas_limit !== undefined && args.gas_limit > maxCallGas) {
        throw limitExceeded('call_gas', maxCallGas, args.gas_limit);
      }
      const encoded = encodeOtherCall('chain_traceCall', rpcTypes.ChainTraceCallArgs.toJson(args));
      return laterResult((resolve, reject) => views.ask(encoded, resolve, reject, call));
    },

    tx_simulate_trace: (args, call) => {
      const encoded = encodeOtherCall('tx_simulate_trace', rpcTypes.TxSimulateTraceArgs.toJson(args));
      return laterResult((resolve, reject) => views.ask(encoded, resolve, reject, call));
    },
  };
}

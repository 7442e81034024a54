import type { Caller } from '../../async/caller.js';
import { encodeOtherCall } from '../../execution/calls/call-batch.js';
import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import type { CallKind } from '../../execution/views/batched-calls.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { limitExceeded } from '../errors.js';
import { type EncodedResult, laterResult, type MethodHandlers } from '../handlers.js';
import type { Later } from '../later.js';

/** What simulations need. */
export interface SimulationSources {
  readonly views: CallScheduler;
  /** The most steps of a pipeline. */
  readonly maxPipelineSteps: number;
  /** The most transactions of a bundle. */
  readonly maxBundleTransactions: number;
}

export type SimulationHandlers = Pick<
  MethodHandlers,
  'tx_simulate' | 'tx_simulate_access' | 'tx_simulate_pipeline' | 'chain_simulateBundle'
>;

/** Everything but the limits on lengths is checked and done by the workers. */
export function simulationHandlers(sources: SimulationSources): SimulationHandlers {
  const { views, maxPipelineSteps, maxBundleTransactions } = sources;
  return {
    tx_simulate: (args, call) => askForCall(views, 'tx_simulate', rpcTypes.TxSimulateArgs.toJson(args), call),
    tx_simulate_access: (args, call) =>
      askForCall(views, 'tx_simulate_access', rpcTypes.TxSimulateAccessArgs.toJson(args), call),
    tx_simulate_pipeline: (args, call) => {
      const { length } = args.steps;
      if (length > maxPipelineSteps) throw limitExceeded('pipeline_steps', maxPipelineSteps, length);
      return askForCall(views, 'tx_simulate_pipeline', rpcTypes.TxSimulatePipelineArgs.toJson(args), call);
    },
    chain_simulateBundle: (args, call) => {
      const { length } = args.transactions;
      if (length > maxBundleTransactions) {
        throw limitExceeded('bundle_transactions', maxBundleTransactions, length);
      }
      return askForCall(views, 'chain_simulateBundle', rpcTypes.BundleSimulateArgs.toJson(args), call);
    },
  };
}

/** @param args JSON text of the method's arguments */
export function askForCall(
  views: CallScheduler,
  kind: CallKind,
  args: string,
  caller: Caller,
): Later<EncodedResult | Error> {
  return laterResult((resolve, reject) => views.ask(encodeOtherCall(kind, args), resolve, reject, caller));
}

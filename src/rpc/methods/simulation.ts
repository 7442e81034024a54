import { encodeOtherCall } from '../../execution/calls/call-batch.js';
import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import type { CallKind } from '../../execution/views/batched-calls.js';
import type { TxBuildArgs } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { limitExceeded } from '../errors.js';
import { EncodedResult, laterResult, type MethodHandlers } from '../handlers.js';
import type { Later } from '../later.js';
import { type BuildSources, buildTransaction } from './build.js';

/** What simulations need. */
export interface SimulationSources extends BuildSources {
  readonly views: CallScheduler;
  /** The most steps of a pipeline. */
  readonly maxPipelineSteps: number;
  /** The most transactions of a bundle. */
  readonly maxBundleTransactions: number;
}

export type SimulationHandlers = Pick<
  MethodHandlers,
  'tx_simulate' | 'tx_simulate_access' | 'tx_build_simulate' | 'tx_simulate_pipeline' | 'chain_simulateBundle'
>;

/** Everything but the limits on lengths is checked and done by the workers. */
export function simulationHandlers(sources: SimulationSources): SimulationHandlers {
  const { views, maxPipelineSteps, maxBundleTransactions } = sources;
  return {
    tx_simulate: (args) => ask(views, 'tx_simulate', rpcTypes.TxSimulateArgs.toJson(args)),
    tx_simulate_access: (args) =>
      ask(views, 'tx_simulate_access', rpcTypes.TxSimulateAccessArgs.toJson(args)),
    tx_build_simulate: (args) => buildAndSimulate(sources, args),
    tx_simulate_pipeline: (args) => {
      const { length } = args.steps;
      if (length > maxPipelineSteps) throw limitExceeded('pipeline_steps', maxPipelineSteps, length);
      return ask(views, 'tx_simulate_pipeline', rpcTypes.TxSimulatePipelineArgs.toJson(args));
    },
    chain_simulateBundle: (args) => {
      const { length } = args.transactions;
      if (length > maxBundleTransactions) {
        throw limitExceeded('bundle_transactions', maxBundleTransactions, length);
      }
      return ask(views, 'chain_simulateBundle', rpcTypes.BundleSimulateArgs.toJson(args));
    },
  };
}

async function buildAndSimulate(sources: SimulationSources, args: TxBuildArgs): Promise<EncodedResult> {
  const build = buildTransaction(sources, args);
  const simulation = await ask(
    sources.views,
    'tx_simulate',
    rpcTypes.TxSimulateArgs.toJson({ transaction: build.transaction }),
  );
  if (simulation instanceof Error) throw simulation;
  return new EncodedResult(
    `{"build":${rpcTypes.TxBuildResult.toJson(build)},"simulation":${simulation.json}}`,
  );
}

/** @param args JSON text of the method's arguments */
function ask(views: CallScheduler, kind: CallKind, args: string): Later<EncodedResult | Error> {
  return laterResult((resolve, reject) => views.ask(encodeOtherCall(kind, args), resolve, reject));
}

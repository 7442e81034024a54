import { checkAnswerSize } from '../../base/answer-limit.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import { readParams } from '../views/call-params.js';
import { type AccessRecord, accessList } from './access-record.js';
import { bundleJson } from './bundle.js';
import { pipelineJson } from './pipeline.js';
import type { Simulator } from './simulator.js';

/** Minimum JSON length of an account or slot in an access list. */
const ACCESS_LENGTH = 90;

/** The kinds of call that are simulations but not traces. */
export type SimulationKind = Exclude<
  CallKind,
  'view_call' | 'chain_traceCall' | 'chain_traceTransaction' | 'tx_simulate_trace'
>;

/**
 * Returns the JSON of the method's result.
 * @throws CallError, JsonDecodeError, StateUnavailableError, AnswerTooLongError
 */
export function answerSimulation(
  simulator: Simulator,
  kind: SimulationKind,
  params: string,
  head: BatchHead,
): string {
  switch (kind) {
    case 'tx_simulate': {
      const args = readParams(kind, params);
      return simulator.simulate(args, simulator.open(args, head)).json;
    }
    case 'tx_simulate_access': {
      const args = readParams(kind, params);
      const { json, simulated } = simulator.simulate(args, simulator.open(args, head), { withAccess: true });
      const access: AccessRecord = simulated.access ?? new Map();
      checkAnswerSize(json.length + access.size * ACCESS_LENGTH);
      const list = accessList(access);
      return `{"simulation":${json},"access_list":[${list.map((entry) => rpcTypes.AccessEntry.toJson(entry)).join(',')}]}`;
    }
    case 'tx_simulate_pipeline':
      return pipelineJson(readParams(kind, params), simulator, head);
    case 'chain_simulateBundle':
      return bundleJson(readParams(kind, params), simulator, head);
  }
}

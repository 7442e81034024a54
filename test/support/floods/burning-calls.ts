import { type Flood, rpcBody } from './flood.js';
import { ASKING_CALL, BURNING_CALL } from './flood-contracts.js';

const STEPS = 64;
/** Gas of a traced call, whose host calls fill a trace with little other work. */
const TRACED_GAS = 15_000_000;

/** Calls with 64 steps, each of which burns all of its gas. */
export const BURNING_PIPELINES: Flood = {
  name: 'burning-pipelines',
  attacks: '4 connections simulate pipelines of 64 burning views: the threads that run calls',
  arm: () => {
    const step = { type: 'view', value: BURNING_CALL };
    const body = rpcBody('tx_simulate_pipeline', { steps: Array.from({ length: STEPS }, () => step) });
    return (attack) => attack.keepSending(4, () => body);
  },
};

export const BURNING_VIEWS: Flood = {
  name: 'burning-views',
  attacks: '200 connections call a contract that burns all its gas: the queue of calls',
  arm: () => {
    const body = rpcBody('view_call', BURNING_CALL);
    return (attack) => attack.keepSending(200, () => body);
  },
};

/** Traces that are cut off at the limit of 16 MiB and sent in full up to there. */
export const HUGE_TRACES: Flood = {
  name: 'huge-traces',
  attacks: '8 connections trace every host call of a contract that makes nothing else: encoding of 16 MiB',
  arm: () => {
    const tracers = [{ type: 'call_tree' }, { type: 'host_ops' }, { type: 'gas_profile' }];
    const body = rpcBody('chain_traceCall', { ...ASKING_CALL, gas_limit: TRACED_GAS, tracers });
    return (attack) => attack.keepSending(8, () => body);
  },
};

import type { Genesis } from '../../generated/ledger.js';
import type { NodeBase } from '../open-base.js';
import type { CoreOptions } from './core-options.js';
import { type BlockServices, openBlockServices } from './open-block-services.js';
import { type CallServices, openCallServices } from './open-call-services.js';
import { type ChainServices, openChainServices } from './open-chain-services.js';
import { type ChainState, openChainState } from './open-chain-state.js';
import { type OpenedFaultRecord, openFaultRecord } from './open-fault-record.js';
import { openPool, type PoolServices } from './open-pool.js';
import { openWorkers, type Workers } from './open-workers.js';

/** All parts of a node except its front end and its agreement. */
export interface NodeCore
  extends ChainState,
    CallServices,
    ChainServices,
    OpenedFaultRecord,
    PoolServices,
    BlockServices {
  readonly workers: Workers;
}

/**
 * Opens the chain of a data directory, or creates it, with the services that maintain it; nothing is sealed yet.
 * @param genesis the genesis of the stored chain, or of the chain to create
 */
export async function openCore(options: CoreOptions, base: NodeBase, genesis: Genesis): Promise<NodeCore> {
  const { config, chainNow, faults } = options;
  const state = await openChainState(options, base, genesis);
  const workers = openWorkers(options, state);
  const calls = openCallServices({
    ...state,
    config,
    workers,
    now: chainNow,
    onFault: (error) => faults.report(error, 'answering a call'),
  });
  const services = await openChainServices(options, { ...state, workers });
  const opened = { ...state, workers, ...calls, ...services, ...openFaultRecord(options) };
  const pool = await openPool(options, opened);
  return { ...opened, ...pool, ...openBlockServices(options, { ...opened, ...pool }) };
}

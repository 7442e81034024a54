import { BlockChain } from '../chain/block-chain.js';
import { Containment, type ReportedFault } from '../chain/containment.js';
import { timedExecution } from '../chain/executed-candidates.js';
import { Proposer } from '../chain/propose-block.js';
import { tipAccounts } from '../chain/tip-accounts.js';
import { WavePace } from '../chain/wave-pace.js';
import type { Config } from '../config/config.js';
import { Sealer, type SealerOptions } from '../consensus/sealer.js';
import { expectedGas } from '../execution/parallel/predictions.js';
import type { NodeCore } from './core.js';
import type { Teardown } from './teardown.js';

export interface OpenValidatorOptions extends Pick<SealerOptions, 'now' | 'onSealed' | 'onFailure'> {
  readonly config: Config;
  readonly core: NodeCore;
  readonly teardown: Teardown;
  /** Told of a candidate that could not be executed. */
  readonly onAtFault: (fault: ReportedFault) => void;
}

/** Where several are named, the first one seals. */
const ONLY_VALIDATOR = 0;

/** Builds what seals blocks; nothing is sealed yet. */
export function openValidator(options: OpenValidatorOptions): Sealer {
  const { config, core, teardown, onAtFault, now, onSealed, onFailure } = options;
  const { chain, pool, blockParts, predictor, record, underWay } = core;
  const { executor } = blockParts;
  const containment = new Containment({
    pool,
    record,
    underWay,
    execute: (base, selection) => timedExecution(selection, () => executor.execute(base, selection)),
    onFault: onAtFault,
  });
  const proposer = new Proposer({
    ...blockParts,
    pool,
    containment,
    pace: new WavePace(config),
    accounts: tipAccounts(chain),
    expectedGas: (transaction) => expectedGas(transaction, predictor),
  });
  const sealer = new Sealer({
    chain: new BlockChain({ ...blockParts, proposer }),
    pool,
    pacing: config,
    validator: ONLY_VALIDATOR,
    now,
    onSealed,
    onFailure,
  });
  core.onAdmitted(() => sealer.notify());
  teardown.add(() => sealer.stop());
  return sealer;
}

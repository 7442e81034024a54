import { NODE_RUNTIME } from '../async/runtime.js';
import { BlockChain } from '../chain/block-chain.js';
import type { Chain } from '../chain/chain.js';
import type { GatheredChange } from '../chain/epochs/pending-changes.js';
import { timedExecution } from '../chain/executed-candidates.js';
import { Containment, type ReportedFault } from '../chain/faults/containment.js';
import { SoloFillPolicy, ValidatorFillPolicy } from '../chain/fill-policy.js';
import type { PendingBlock } from '../chain/pending-blocks.js';
import { Proposer } from '../chain/propose-block.js';
import type { StateCopies } from '../chain/state-copies.js';
import { tipAccounts } from '../chain/tip-accounts.js';
import type { Config } from '../config/config.js';
import type { CoreConfig } from '../consensus/core/types.js';
import type { SealKeys } from '../consensus/seal-keys.js';
import { ConsensusShell } from '../consensus/shell/shell.js';
import type { ShellOptions } from '../consensus/shell/shell-context.js';
import { NO_PEERS, SOLE_EPOCHS, SoleSignatures } from '../consensus/shell/sole-validator.js';
import { ValidatorSealKeys } from '../consensus/validator-seal-keys.js';
import { expectedGas } from '../execution/parallel/predictions.js';
import type { NodeCore } from './core/open-core.js';
import type { NodeContext } from './node-context.js';
import type { Teardown } from './teardown.js';
import type { OpenValidatorServicesOptions, ValidatorServices } from './validator/open-validator-services.js';

export interface OpenValidatorOptions
  extends Pick<NodeContext, 'config' | 'log' | 'report' | 'now' | 'sealing'>,
    Pick<ShellOptions, 'onFailure' | 'onInvalidProposal' | 'onEarlyProposal'> {
  readonly core: NodeCore;
  /** Undefined unless the chain is a fork. */
  readonly copies: StateCopies | undefined;
  readonly teardown: Teardown;
  readonly onSealed: ShellOptions<PendingBlock>['onFinal'];
  /** Adds the mesh's counters to the metrics. */
  readonly showCounts: OpenValidatorServicesOptions['showCounts'];
  /** Called when a candidate could not be executed. */
  readonly onAtFault: (fault: ReportedFault) => void;
}

export interface OpenedValidator {
  readonly shell: ConsensusShell<PendingBlock>;
  /** The changes of the validator set that this validator gathers approvals of. */
  gatheredChanges(): readonly GatheredChange[];
}

/** Δ of rule 1 in `consensus/core.ts`. */
const DELTA_MS = 500;

/** The only validator's stand-ins for signatures, network and epochs; if the genesis names several, it is the first. */
const SOLE_VALIDATOR = { signatures: new SoleSignatures(), network: NO_PEERS, epochs: SOLE_EPOCHS };

/**
 * Builds the agreement of the only validator or, with `--validator`, of one of several. In that case, the mesh is
 * connected when this resolves. Nothing is sealed yet.
 * @throws as `openValidatorServices` does; MeshError `listen_failed`
 */
export async function openValidator(options: OpenValidatorOptions): Promise<OpenedValidator> {
  const { config, core, log, teardown, sealing, onAtFault, now, onSealed, onFailure } = options;
  const validating =
    config.validator === undefined
      ? undefined
      : await openMultiValidator({ ...options, directory: config.validator });
  const { crypto, store } = core.base;
  const { chain, blocks } = core.chainState;
  const { pool, onAdmitted } = core.mempool;
  const { blockParts, predictor, record, marker } = core.blockServices;
  const { executor } = blockParts;
  const containment = new Containment({
    pool,
    record,
    marker,
    execute: (base, selection) => timedExecution(selection, () => executor.execute(base, selection)),
    onFault: onAtFault,
  });
  const fillPolicy = validating === undefined ? undefined : new ValidatorFillPolicy(config);
  const proposer = new Proposer({
    ...blockParts,
    pool,
    containment,
    fillPolicy: fillPolicy ?? new SoloFillPolicy(config),
    accounts: tipAccounts(chain),
    expectedGas: (transaction) => expectedGas(transaction, predictor),
    copies: options.copies,
  });
  const blockChain = new BlockChain({ ...blockParts, proposer });
  const joined = validating?.join(blockChain);
  const shell = new ConsensusShell({
    store,
    blocks,
    crypto,
    pool,
    onFailure,
    log,
    runtime: { ...NODE_RUNTIME, wallMs: now },
    config: sealing === 'manual' ? manualPacing(chain) : pacing(config, chain),
    chain: blockChain,
    sealKeys: joined?.sealKeys ?? soleSealKeys(core),
    ...(validating?.shell ?? SOLE_VALIDATOR),
    ...(fillPolicy === undefined ? {} : { fillPolicy }),
    groupPublicKey: chain.genesis.validator_set.group_public_key,
    isManual: sealing === 'manual',
    onFinal: onSealed,
    ...(options.onInvalidProposal === undefined ? {} : { onInvalidProposal: options.onInvalidProposal }),
    ...(options.onEarlyProposal === undefined ? {} : { onEarlyProposal: options.onEarlyProposal }),
  });
  onAdmitted(() => shell.onTransactionAdded());
  teardown.add(() => shell.stop());
  await joined?.connect(shell);
  return { shell, gatheredChanges: () => validating?.gatheredChanges() ?? [] };
}

/** Loaded on demand: the parts for several validators are a tenth of the code that a starting node loads. */
async function openMultiValidator(options: OpenValidatorServicesOptions): Promise<ValidatorServices> {
  const { openValidatorServices } = await import('./validator/open-validator-services.js');
  return openValidatorServices(options);
}

/** Without the key no envelope could open, and one due envelope would block all later transactions. */
function soleSealKeys({
  chainServices: { groupKey },
  chainState: { chain },
  workers,
}: NodeCore): SealKeys | undefined {
  if (groupKey === undefined) return undefined;
  return new ValidatorSealKeys(chain.genesis.chain_id, groupKey, workers.calls);
}

function pacing(
  config: Pick<Config, 'seal' | 'blockTimeMs' | 'idleBlockTimeMs'>,
  chain: Pick<Chain, 'tip'>,
): CoreConfig {
  return {
    epochLength: Number(chain.tip.epochs.parameters.epoch_length),
    deltaMs: DELTA_MS,
    blockTimeMs: config.blockTimeMs,
    idleBlockTimeMs: config.idleBlockTimeMs,
    sealInstantly: config.seal === 'instant',
  };
}

/**
 * Not 0: a block counts as work between its notarization and its finalization, so the next one would be due at once.
 */
function manualPacing(chain: Pick<Chain, 'tip'>): CoreConfig {
  return pacing({ seal: 'timer', blockTimeMs: 1, idleBlockTimeMs: 0 }, chain);
}

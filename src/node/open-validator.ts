import { NODE_RUNTIME } from '../async/runtime.js';
import { tipAccounts } from '../chain/account-views.js';
import { BlockChain } from '../chain/block-chain.js';
import type { Chain } from '../chain/chain.js';
import type { GatheredChange } from '../chain/epochs/pending-changes.js';
import { timedExecution } from '../chain/executed-candidates.js';
import { Containment } from '../chain/faults/containment.js';
import { SoloFillPolicy, ValidatorFillPolicy } from '../chain/fill-policy.js';
import type { PendingBlock } from '../chain/pending-blocks.js';
import { Proposer } from '../chain/propose-block.js';
import type { StateCopies } from '../chain/state-copies.js';
import type { CoreConfig } from '../consensus/core/types.js';
import type { SealKeys } from '../consensus/seal-keys.js';
import { validatorSealKeys } from '../consensus/seal-keys.js';
import { ConsensusShell } from '../consensus/shell/shell.js';
import type { ShellOptions } from '../consensus/shell/shell-context.js';
import { NO_PEERS, SOLE_EPOCHS, SOLE_SIGNATURES } from '../consensus/shell/sole-validator.js';
import { expectedGas } from '../execution/parallel/predictions.js';
import { ProposerCounts, watchConsensus } from '../rpc/metrics/consensus-metrics.js';
import type { NodeCore } from './core/open-core.js';
import type { NodeContext } from './node-context.js';
import { observeFault } from './observe-chain.js';
import type {
  openValidatorServices as OpenValidatorServices,
  ValidatorServices,
} from './validator/open-validator-services.js';

export interface OpenValidatorOptions {
  /** Undefined unless the chain is a fork. */
  readonly copies: StateCopies | undefined;
  /** The chain's clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly onSealed: ShellOptions<PendingBlock>['onFinal'];
}

export interface OpenedValidator {
  readonly shell: ConsensusShell<PendingBlock>;
  /** The changes of the validator set that this validator gathers approvals of. */
  gatheredChanges(): readonly GatheredChange[];
}

/** Δ of rule 1 in `consensus/core.ts`. */
const DELTA_MS = 500;

/** The only validator's stand-ins for signatures, network and epochs; if the genesis names several, it is the first. */
const SOLE_VALIDATOR = { signatures: SOLE_SIGNATURES, network: NO_PEERS, epochs: SOLE_EPOCHS };

/**
 * Builds the agreement of the only validator or, with `--validator`, of one of several. In that case, the mesh is
 * connected when this resolves. Nothing is sealed yet.
 * @throws as `openValidatorServices` does; MeshError `listen_failed`
 */
export async function openValidator(
  context: NodeContext,
  core: NodeCore,
  { copies, now, onSealed }: OpenValidatorOptions,
): Promise<OpenedValidator> {
  const { config, log, teardown, sealing, fail } = context;
  const validating =
    config.validator === undefined ? undefined : await openMultiValidator(context, core, config.validator);
  const { crypto, store, chain, blocks, pool, executor } = core;
  const containment = new Containment({
    ...core,
    execute: (base, selection) => timedExecution(selection, () => executor.execute(base, selection)),
    onFault: (fault) => observeFault(context, fault),
  });
  const fillPolicy = validating === undefined ? undefined : new ValidatorFillPolicy(config);
  const proposer = new Proposer({
    ...core,
    containment,
    copies,
    fillPolicy: fillPolicy ?? new SoloFillPolicy(config),
    accounts: tipAccounts(chain),
    expectedGas: (transaction) => expectedGas(transaction, core.predictor),
  });
  const blockChain = new BlockChain({ ...core, proposer });
  const joined = validating?.join(blockChain);
  const invalidProposals = new ProposerCounts();
  const earlyProposals = new ProposerCounts();
  const shell = new ConsensusShell({
    store,
    blocks,
    crypto,
    pool,
    log,
    onFailure: fail,
    runtime: { ...NODE_RUNTIME, wallMs: now },
    config: pacing(context, chain),
    chain: blockChain,
    sealKeys: joined?.sealKeys ?? soleSealKeys(core),
    ...(validating?.shell ?? SOLE_VALIDATOR),
    ...(fillPolicy === undefined ? {} : { fillPolicy }),
    groupPublicKey: chain.genesis.validator_set.group_public_key,
    isManual: sealing === 'manual',
    onFinal: onSealed,
    onInvalidProposal: (proposer) => invalidProposals.count(proposer),
    onEarlyProposal: (proposer) => earlyProposals.count(proposer),
  });
  core.onAdmitted(() => shell.onTransactionAdded());
  teardown.add(() => shell.stop());
  await joined?.connect(shell);
  watchConsensus(context.metrics.registry, {
    counts: () => shell.metrics(),
    peers: () => shell.peers(),
    sinceFinalMs: () => shell.sinceFinalMs,
    overdueMs: () => shell.overdueMs,
    hasEpochKey: () => shell.epochKeyAvailable,
    invalidProposals: () => invalidProposals.counts,
    earlyProposals: () => earlyProposals.counts,
  });
  return { shell, gatheredChanges: () => validating?.gatheredChanges() ?? [] };
}

/** Loaded on demand: the parts for several validators are a tenth of the code that a starting node loads. */
async function openMultiValidator(
  ...parts: Parameters<typeof OpenValidatorServices>
): Promise<ValidatorServices> {
  const { openValidatorServices } = await import('./validator/open-validator-services.js');
  return openValidatorServices(...parts);
}

/** Without the key no envelope could open, and one due envelope would block all later transactions. */
function soleSealKeys({ groupKey, chain, workers }: NodeCore): SealKeys | undefined {
  if (groupKey === undefined) return undefined;
  return validatorSealKeys(chain.genesis.chain_id, groupKey, workers.calls);
}

function pacing({ config, sealing }: NodeContext, chain: Chain): CoreConfig {
  const { seal, blockTimeMs, idleBlockTimeMs } = config;
  const shared = { epochLength: Number(chain.tip.epochs.parameters.epoch_length), deltaMs: DELTA_MS };
  if (sealing === 'paced')
    return { ...shared, blockTimeMs, idleBlockTimeMs, sealInstantly: seal === 'instant' };
  // Not 0: a block counts as work until it is final, so the next one would be due at once.
  return { ...shared, blockTimeMs: 1, idleBlockTimeMs: 0, sealInstantly: false };
}

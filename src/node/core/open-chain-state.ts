import type { Chain } from '../../chain/chain.js';
import { openChain, storedTip } from '../../chain/open-chain.js';
import { PendingBlocks } from '../../chain/pending-blocks.js';
import { checkpointInterval } from '../../config/defaults.js';
import type { Genesis } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { BlockReader } from '../../ledger/block-store.js';
import { ProofService, type ProofServiceOptions } from '../../proofs/proof-service.js';
import { writeTree } from '../../proofs/write-tree.js';
import { writeChainRecord } from '../../storage/chain-record.js';
import type { Store } from '../../storage/store.js';
import type { NodeBase } from '../open-base.js';
import type { CoreOptions } from './core-options.js';

/** The committed chain, its state tree, and the blocks above it. */
export interface ChainState extends NodeBase {
  readonly chain: Chain;
  readonly blocks: BlockReader;
  readonly pending: PendingBlocks;
  readonly proofs: ProofService;
}

/**
 * Opens the stored chain, or creates it with its genesis block, and starts the proof worker.
 * @throws GenesisError, ChainError, ProofError
 */
export async function openChainState(
  options: CoreOptions,
  base: NodeBase,
  genesis: Genesis,
): Promise<ChainState> {
  const { config, teardown } = options;
  const { crypto, store } = base;
  const proofs = await startProofs(options, store, treeTip(store));
  teardown.add(async () => writeTree(store, await proofs.stop()));
  const chain = await openChain(store, crypto, proofs, genesis, config.dataDir);
  await writeChainRecord(config.dataDir, {
    chain_id: `${genesis.chain_id}`,
    genesis_hash: toHex(chain.genesisHash),
    group_public_key: toHex(genesis.validator_set.group_public_key),
  });
  const pending = PendingBlocks.over(chain, proofs);
  return { ...base, chain, blocks: new BlockReader(store), pending, proofs };
}

function treeTip(store: Store): ProofServiceOptions['tip'] {
  const tip = storedTip(store);
  return tip === undefined
    ? undefined
    : { height: tip.height, hash: tip.hash, stateRoot: tip.header.state_root };
}

/** Starts the proof worker; resolves once it has the tree of the tip (undefined without blocks). */
function startProofs(
  { config, log, fail }: Pick<CoreOptions, 'config' | 'log' | 'fail'>,
  store: Store,
  tip: ProofServiceOptions['tip'],
): Promise<ProofService> {
  return ProofService.start({
    store: store.handle,
    native: config.native,
    tip,
    memoryBytes: config.treeMemoryBytes,
    proofWindow: config.proofWindow,
    checkpointInterval: checkpointInterval(config),
    onProgress: ({ stage, reason, fraction, keys }) =>
      log.info(
        { stage, reason, percent: Math.floor(fraction * 100), keys },
        stage === 'rebuild' ? 'rebuilding the state tree' : 'bringing the state tree up to the tip',
      ),
    onFailure: fail,
    writeTree: (encoded) => writeTree(store, encoded),
  });
}

/** Builds the state tree of a store that has just received a state, and stores it. */
export async function buildTree(
  options: Pick<CoreOptions, 'config' | 'log'>,
  store: Store,
  tip: ProofServiceOptions['tip'],
): Promise<void> {
  const proofs = await startProofs({ ...options, fail: () => undefined }, store, tip);
  await writeTree(store, await proofs.stop());
}

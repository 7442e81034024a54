import type { Chain } from '../../chain/chain.js';
import { openChain, storedTip } from '../../chain/open-chain.js';
import { PendingBlocks } from '../../chain/pending-blocks.js';
import type { Genesis } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { BlockReader } from '../../ledger/block-store.js';
import type { ProofService, ProofServiceOptions } from '../../proofs/proof-service.js';
import { writeTree } from '../../proofs/write-tree.js';
import { writeChainRecord } from '../../storage/chain-record.js';
import type { Store } from '../../storage/store.js';
import type { NodeBase } from '../open-base.js';
import { startProofs } from '../open-proofs.js';
import type { CoreOptions } from './core-options.js';

/** The committed chain, its state tree, and the blocks above it. */
export interface ChainState {
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
  options: Pick<CoreOptions, 'config' | 'log' | 'teardown' | 'onFailure'>,
  { crypto, store }: NodeBase,
  genesis: Genesis,
): Promise<ChainState> {
  const { config, teardown } = options;
  const proofs = await startProofs(options, store, treeTip(store));
  teardown.add(async () => {
    await writeTree(store, await proofs.stop());
  });
  const chain = await openChain(store, crypto, proofs, genesis, config.dataDir);
  await writeChainRecord(config.dataDir, {
    chain_id: `${genesis.chain_id}`,
    genesis_hash: toHex(chain.genesisHash),
    group_public_key: toHex(genesis.validator_set.group_public_key),
  });
  const pending = new PendingBlocks(
    () => chain.tip,
    ({ roots }) => proofs.drop(roots.id),
  );
  return { chain, blocks: new BlockReader(store), pending, proofs };
}

function treeTip(store: Store): ProofServiceOptions['tip'] {
  const tip = storedTip(store);
  return tip === undefined
    ? undefined
    : { height: tip.height, hash: tip.hash, stateRoot: tip.header.state_root };
}

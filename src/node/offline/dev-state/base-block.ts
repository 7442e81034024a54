import { signedCertificate } from '../../../chain/certificates.js';
import { headerHash, headerOfGenesis } from '../../../chain/genesis-block.js';
import type { NativeMode } from '../../../config/native-mode.js';
import { devValidatorKey } from '../../../consensus/validator-key.js';
import type { Crypto } from '../../../crypto/crypto.js';
import { loadBls } from '../../../crypto/load-bls.js';
import type { BlockHeader, Genesis } from '../../../generated/ledger.js';
import { appendBlock, NO_CONTENT } from '../../../ledger/block-store.js';
import { putBaseFinality } from '../../../ledger/certificate-store.js';
import { putGenesis, putSnapshotBase, putTip } from '../../../ledger/chain-meta.js';
import { ledger } from '../../../ledger/codecs.js';
import { nextBaseFee } from '../../../ledger/fees.js';
import { genesisState } from '../../../ledger/genesis.js';
import { nextSealExcess } from '../../../ledger/opening-slots.js';
import { putValidatorSet } from '../../../ledger/validators/validator-sets.js';
import { Mmr } from '../../../proofs/mmr.js';
import { KeptTree } from '../../../proofs/tree/kept-tree.js';
import { writeTree } from '../../../proofs/write-tree.js';
import { be64 } from '../../../storage/big-endian.js';
import { rawOf, setOldestHeight } from '../../../storage/state.js';
import type { Store } from '../../../storage/store.js';
import { WriteBatch } from '../../../storage/write-batch.js';

/** Height of the block that has the accounts in its state. */
export const BASE_HEIGHT = 1n;

/** Memory for the state tree. It is built in the order of its keys, so that no page is needed again. */
const TREE_BYTES = 64 * 1024 * 1024;

/** Time from block 0 to the next, in milliseconds. */
const BLOCK_TIME_MS = 250n;

export interface BaseBlockOptions {
  readonly store: Store;
  readonly crypto: Crypto;
  readonly native: NativeMode;
  readonly genesis: Genesis;
  readonly checkpointInterval: number;
  /** Called with the finished share of the state tree, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Makes a block on top of the genesis block from the state in the store, as if the chain had been restored from a
 * snapshot of that block: its validator has signed it, and nothing below it can be executed. The genesis would be the
 * other place for the accounts, but every node of the chain reads all of it at each start.
 */
export async function makeBaseBlock(options: BaseBlockOptions): Promise<void> {
  const { store, crypto, genesis } = options;
  const first = headerOfGenesis(crypto, genesis);
  const firstHash = headerHash(crypto, first);
  await addGenesisState(options);
  const stateRoot = await buildTree(options);
  const history = Mmr.empty(crypto);
  const nodes = history.append(firstHash);
  const header: BlockHeader = {
    ...first,
    height: BASE_HEIGHT,
    parent_hash: firstHash,
    view: 1n,
    timestamp_ms: first.timestamp_ms + BLOCK_TIME_MS,
    state_root: stateRoot,
    history_root: history.root(),
    base_fee: nextBaseFee(first),
    seal_excess: nextSealExcess(first, 0),
    extra: new Uint8Array(0),
  };
  const hash = headerHash(crypto, header);

  const batch = new WriteBatch();
  putGenesis(batch, genesis);
  for (const [block, own] of [
    [first, firstHash],
    [header, hash],
  ] as const) {
    appendBlock(batch, {
      header: block,
      encodedHeader: ledger.BlockHeader.encode(block),
      hash: own,
      ...NO_CONTENT,
    });
  }
  for (const node of nodes) batch.put('mmr', be64(node.position), node.hash);
  putValidatorSet(batch, genesis.validator_set);
  putSnapshotBase(batch, BASE_HEIGHT);
  const bls = await loadBls(options.native);
  // Signed with the key of every development chain.
  const sign = (message: Uint8Array) => bls.sign(message, devValidatorKey(crypto));
  const { group_public_key: groupPublicKey } = genesis.validator_set;
  const certificate = await signedCertificate({ header, hash }, first.view, groupPublicKey, sign);
  putBaseFinality(batch, { header, certificate, descendants: [] });
  setOldestHeight(batch, BASE_HEIGHT);
  putTip(batch, { height: BASE_HEIGHT, hash });
  await store.write(batch, { sync: true });
}

/** Adds the validators, and the accounts of every development chain. */
async function addGenesisState({ store, crypto, genesis }: BaseBlockOptions): Promise<void> {
  const batch = new WriteBatch();
  for (const { key, value } of genesisState(crypto, genesis)) {
    batch.put('state', key, rawOf(BASE_HEIGHT, value));
  }
  await store.write(batch, { sync: false });
}

async function buildTree(options: BaseBlockOptions): Promise<Uint8Array> {
  const { store, crypto, checkpointInterval, onProgress } = options;
  const tree = await KeptTree.build(
    {
      store,
      crypto,
      cacheBytes: TREE_BYTES,
      checkpointInterval: BigInt(checkpointInterval),
      onProgress: ({ fraction }) => onProgress(fraction),
      writePortion: (pages) => writeTree(store, pages),
    },
    BASE_HEIGHT,
  );
  return tree.tree.root();
}

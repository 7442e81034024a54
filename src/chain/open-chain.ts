import { sameBytes } from '../base/same-bytes.js';
import type { Crypto } from '../crypto/crypto.js';
import type { Genesis } from '../generated/ledger.js';
import { BlockReader } from '../ledger/block-store.js';
import { readGenesis, readSnapshotBase, readTip, type TipRecord } from '../ledger/chain-meta.js';
import { ledger } from '../ledger/codecs.js';
import { checkGenesis, genesisHeader, genesisState } from '../ledger/genesis.js';
import { blockHash } from '../ledger/header.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { Store, StoreReader } from '../storage/store.js';
import { Chain } from './chain.js';
import { ChainError } from './chain-error.js';
import { writeGenesis } from './commit-block.js';
import type { ChainTip } from './committed-chain.js';
import { headerHash, headerOfGenesis } from './genesis-block.js';
import { readImportMarker } from './import-marker.js';

/** The stored chain's last block; undefined in a new store. */
export function storedTip(store: StoreReader): (TipRecord & ChainTip) | undefined {
  const tip = readTip(store);
  return tip === undefined ? undefined : { ...tip, ...blockAt(store, tip.height) };
}

/**
 * Opens the stored chain, or creates it from its genesis. A crash leaves nothing to repair here, because a commit is one
 * atomic batch; only the state tree may lag, and `proofs/tree/kept-tree.ts` catches it up.
 * @param genesis expected genesis, or the one for a new chain; undefined accepts any stored chain
 * @param place name of the store in messages, such as its directory
 * @throws GenesisError if the genesis is invalid
 * @throws ChainError if the store holds another chain, a partial snapshot or damaged data, or no chain and no genesis
 * is given
 */
export async function openChain(
  store: Store,
  crypto: Crypto,
  proofs: ProofService,
  genesis: Genesis | undefined,
  place = 'the store',
): Promise<Chain> {
  const stored = readGenesis(store);
  if (stored === undefined) {
    expectNoImport(store, place);
    if (genesis === undefined) throw new ChainError('no_chain', `${place} holds no chain`);
    await beginChain(store, crypto, proofs, genesis);
  } else if (genesis !== undefined) {
    expectSameGenesis(store, crypto, stored, genesis, place);
  }
  const tip = storedTip(store);
  if (tip === undefined) throw new ChainError('damaged', 'the store has a genesis but no tip');
  const origin = stored ?? genesis;
  if (origin === undefined) throw new ChainError('no_chain', `${place} holds no chain`);
  const base = readSnapshotBase(store);
  const firstHeight = base === undefined ? 0n : base + 1n;
  return new Chain({ store, crypto, genesis: origin, genesisBlock: blockAt(store, 0n), tip, firstHeight });
}

/** A partially imported state must not get a genesis on top. */
function expectNoImport(store: StoreReader, place: string): void {
  const begun = readImportMarker(store);
  if (begun === undefined) return;
  throw new ChainError(
    'importing',
    `${place} holds part of the snapshot of block ${begun.checkpoint.height}: finish importing it, or name an empty --data-dir`,
  );
}

function expectSameGenesis(
  store: StoreReader,
  crypto: Crypto,
  stored: Genesis,
  wanted: Genesis,
  place: string,
): void {
  if (sameBytes(ledger.Genesis.encode(stored), ledger.Genesis.encode(wanted))) return;
  // A chain restored from a snapshot may not know its initial accounts, but it has block 0, which commits to them.
  const isImported = readSnapshotBase(store) !== undefined;
  const hash = isImported ? headerHash(crypto, headerOfGenesis(crypto, wanted)) : new Uint8Array(0);
  if (isImported && sameBytes(blockAt(store, 0n).hash, hash)) return;
  const difference =
    stored.chain_id === wanted.chain_id
      ? `both have chain id ${stored.chain_id}, but their genesis differs`
      : `it has chain id ${stored.chain_id}, the genesis given has ${wanted.chain_id}`;
  throw new ChainError(
    'other_chain',
    `${place} holds another chain: ${difference}; name another --data-dir, or the --genesis it was made with`,
  );
}

async function beginChain(
  store: Store,
  crypto: Crypto,
  proofs: ProofService,
  genesis: Genesis,
): Promise<void> {
  checkGenesis(genesis);
  const state = genesisState(crypto, genesis);
  const content = { changes: state, items: [], receipts: [] };
  const roots = await proofs.blockRoots({ height: 0n, parentHash: undefined, ...content });
  const header = genesisHeader(crypto, genesis, {
    state_root: roots.stateRoot,
    transactions_root: roots.transactionsRoot,
    receipts_root: roots.receiptsRoot,
    history_root: roots.historyRoot,
  });
  const encodedHeader = ledger.BlockHeader.encode(header);
  const hash = blockHash(crypto, encodedHeader);
  await writeGenesis({ store, proofs, crypto }, genesis, { header, encodedHeader, hash, state, roots });
}

/** The stored block at a height. @throws ChainError `damaged` if there is none */
export function blockAt(store: StoreReader, height: bigint): ChainTip {
  const stored = new BlockReader(store).header(height);
  if (stored === undefined) throw new ChainError('damaged', `block ${height} is missing from the store`);
  return { header: stored.header, hash: stored.hash };
}

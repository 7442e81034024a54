import type { Hashes } from '../crypto/crypto.js';
import type { BlockHeader, Genesis } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';
import { genesisHeader, genesisState } from '../ledger/genesis.js';
import { blockHash } from '../ledger/header.js';
import { listRoot } from '../proofs/list-root.js';
import { mmrRoot } from '../proofs/mmr.js';
import { subtreeRoot } from '../proofs/snapshot/subtree.js';

/** sha256("heddle/block/1" ‖ borsh(header)), 32 bytes. */
export function headerHash(hashes: Hashes, header: BlockHeader): Uint8Array {
  return blockHash(hashes, ledger.BlockHeader.encode(header));
}

export function headerOfGenesis(hashes: Hashes, genesis: Genesis): BlockHeader {
  const empty = listRoot(hashes, []);
  return genesisHeader(hashes, genesis, {
    state_root: subtreeRoot(hashes, genesisState(hashes, genesis), 0),
    transactions_root: empty,
    receipts_root: empty,
    history_root: mmrRoot(hashes, 0n, []),
  });
}

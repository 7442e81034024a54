import type { Crypto } from '../../crypto/crypto.js';
import type { Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { ledger } from '../../ledger/codecs.js';
import { dealingKey } from '../../ledger/state-keys.js';
import { isDealingHeight, lastHeight } from '../../ledger/validators/epochs.js';
import { readAt, StateUnavailableError } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';

/** Variant number of a dealing in BlockItem. */
const DEALING_ITEM = 3;

/** Access to final blocks and their states. */
export interface StoredBlocks {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly blocks: Pick<BlockReader, 'encodedItems'>;
  readonly store: StoreReader;
}

/** The dealings of a final block, in its order. */
export function dealingsAt({ blocks }: Pick<StoredBlocks, 'blocks'>, height: bigint): Dealing[] {
  return blocks
    .encodedItems(height)
    .filter(([variant]) => variant === DEALING_ITEM)
    .flatMap((encoded) => {
      const item = ledger.BlockItem.decode(encoded);
      return item.type === 'dealing' ? [item.value] : [];
    });
}

/** The dealings of an epoch whose last block is final; incomplete if this node lacks both its blocks and its states. */
export function dealingsOfEnded(
  stored: StoredBlocks,
  { epoch, quorum, validators }: ValidatorSet,
  epochLength: bigint,
): readonly Dealing[] {
  const { crypto, store } = stored;
  const end = lastHeight(epoch, epochLength);
  const last = dealingsAt(stored, end);
  const inBlocks = [...last];
  for (let height = end - 1n; isDealingHeight(height, epochLength) && inBlocks.length < quorum; height--) {
    if (height === end - epochLength) break;
    inBlocks.unshift(...dealingsAt(stored, height));
  }
  if (inBlocks.length >= quorum) return inBlocks;
  // On a chain that began with a snapshot, the state holds the dealings of the missing blocks.
  try {
    const before = validators.flatMap(({ index }) => {
      const value = readAt(store, dealingKey(crypto, epoch, index), end - 1n);
      return value === undefined ? [] : [ledger.Dealing.decode(value)];
    });
    return [...before, ...last];
  } catch (error) {
    if (error instanceof StateUnavailableError) return inBlocks;
    throw error;
  }
}

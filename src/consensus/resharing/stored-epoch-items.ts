import type { Sha256 } from '../../crypto/crypto.js';
import type { BlockItem, Complaint, Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { ledger } from '../../ledger/codecs.js';
import { complaintKey, dealingKey, dealingOrderKey } from '../../ledger/state-keys.js';
import { lastHeight, phaseAt } from '../../ledger/validators/epochs.js';
import { readAt, StateUnavailableError } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { IncludedItems } from './player.js';

/** Variant numbers in BlockItem. */
const DEALING_ITEM = 3;
const COMPLAINT_ITEM = 5;

/** Access to final blocks and their states. */
export interface StoredBlocks {
  readonly crypto: Sha256;
  readonly blocks: Pick<BlockReader, 'encodedItems'>;
  readonly store: StoreReader;
}

/** The dealings and complaints of a final block, in its order. */
export function itemsAt({ blocks }: Pick<StoredBlocks, 'blocks'>, height: bigint): IncludedItems {
  const items: BlockItem[] = blocks
    .encodedItems(height)
    .filter(([variant]) => variant === DEALING_ITEM || variant === COMPLAINT_ITEM)
    .map((encoded) => ledger.BlockItem.decode(encoded));
  return {
    dealings: items.flatMap((item) => (item.type === 'dealing' ? [item.value] : [])),
    complaints: items.flatMap((item) => (item.type === 'complaint' ? [item.value] : [])),
  };
}

/** The items of an ended epoch; incomplete if this node lacks both its states and its blocks. */
export function itemsOfEnded(stored: StoredBlocks, set: ValidatorSet, epochLength: bigint): IncludedItems {
  const end = lastHeight(set.epoch, epochLength);
  return joined(stateBefore(stored, set, end) ?? itemsBefore(stored, end, epochLength), itemsAt(stored, end));
}

export function joined(one: IncludedItems, other: IncludedItems): IncludedItems {
  return {
    dealings: [...one.dealings, ...other.dealings],
    complaints: [...one.complaints, ...other.complaints],
  };
}

/** The items of an epoch in the state before its last block; undefined if the node has no such state any more. */
function stateBefore(
  { crypto, store }: StoredBlocks,
  { epoch, validators }: ValidatorSet,
  end: bigint,
): IncludedItems | undefined {
  const read = <T>(key: Uint8Array, codec: { decode(value: Uint8Array): T }): T[] => {
    const value = readAt(store, key, end - 1n);
    return value === undefined ? [] : [codec.decode(value)];
  };
  try {
    const order = read(dealingOrderKey(crypto, epoch), ledger.DealingOrder);
    const dealers = order.flatMap((one) => one.dealers);
    return {
      dealings: dealers.flatMap((dealer) => read(dealingKey(crypto, epoch, dealer), ledger.Dealing)),
      complaints: validators.flatMap(({ index }) =>
        read(complaintKey(crypto, epoch, index), ledger.Complaint),
      ),
    };
  } catch (error) {
    if (error instanceof StateUnavailableError) return undefined;
    throw error;
  }
}

/** The items of an epoch's stored blocks before the last one. */
function itemsBefore(stored: StoredBlocks, end: bigint, epochLength: bigint): IncludedItems {
  const dealings: Dealing[] = [];
  const complaints: Complaint[] = [];
  for (let height = end - epochLength + 1n; height < end; height++) {
    if (phaseAt(height, epochLength) === 'changes') continue;
    const items = itemsAt(stored, height);
    dealings.push(...items.dealings);
    complaints.push(...items.complaints);
  }
  return { dealings, complaints };
}

import { encodeTransactionItem, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { AtomicGroup } from '../atomic-groups.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { SharedWrites } from '../pending-writes.js';
import type { CodeBlob } from '../state-writes.js';
import type { OverlayPart } from './block-overlay.js';
import { FlatReader, FlatWriter } from './flat-bytes.js';
import type { ProgressMark } from './progress-marks.js';

/** Work for a worker: groups of a block, to be executed one after another in block order. */
export interface SpeculationInput {
  readonly env: BlockEnvironment;
  /** The pending blocks that the block is on; absent on the last committed one. */
  readonly branch?: readonly SharedWrites[];
  /** The groups, flat: see {@link encodeGroups}. */
  readonly groups: Uint8Array;
  /**
   * Whether the groups are all that is left of the block, so that they are executed exactly as they will be in it.
   * Otherwise they are tried: each is taken to be fit for the block, which is for who asked to decide.
   */
  readonly exact: boolean;
  /** Gas that the block has left before the first group. */
  readonly gasLeft: bigint;
  /**
   * Shared, u64: the gas that all tasks of the block have used so far. Once it exceeds `gasSpentBefore` by `gasLeft`, no
   * further group begins, unless execution is exact: the result ends before it.
   */
  readonly gasSpent: SharedArrayBuffer;
  /** What `gasSpent` was when the block had `gasLeft`. */
  readonly gasSpentBefore: bigint;
  /** The block's writes before the first group; absent at the block's beginning. */
  readonly overlay?: readonly OverlayPart[];
  /** Code that the block has put on the chain before the first group. */
  readonly codes: readonly CodeBlob[];
  /** Shared: one word, the place of the group that is under way plus one, and 0 between groups. */
  readonly progress?: Int32Array<SharedArrayBuffer>;
  /** Where to note the same outside the process; nowhere if absent. */
  readonly mark?: ProgressMark;
}

/** A transaction to be tried. */
export interface SpeculatedTransaction {
  /** Its place among the block's candidates. */
  readonly index: number;
  readonly hash: Uint8Array;
  /** borsh(BlockItem). */
  readonly item: Uint8Array;
  /** Whether it is the first of its lane; not looked at where execution is exact. */
  readonly opensLane: boolean;
}

export type GroupToTry = AtomicGroup<TransactionEnvelope>;

const BUNDLE = 1;

/**
 * For each group u32 index of its first transaction ‖ u8 whether it is a bundle ‖ u32 members, and for each of those
 * u8 whether it opens its lane ‖ hash 32 ‖ bytes.
 */
export function encodeGroups(
  groups: Iterable<GroupToTry>,
  opensLane: (index: number) => boolean,
): Uint8Array {
  const writer = new FlatWriter();
  for (const { start, bundle, members } of groups) {
    writer.u32(start);
    writer.u8(bundle ? BUNDLE : 0);
    writer.u32(members.length);
    for (const [place, member] of members.entries()) {
      writer.u8(opensLane(start + place) ? 1 : 0);
      writer.raw(member.hash);
      writer.bytes(encodeTransactionItem(member));
    }
  }
  return writer.finish();
}

export function* decodeGroups(groups: Uint8Array): IterableIterator<AtomicGroup<SpeculatedTransaction>> {
  const reader = new FlatReader(groups);
  while (!reader.done) {
    const start = reader.u32();
    const bundle = reader.u8() === BUNDLE;
    const length = reader.u32();
    const members: SpeculatedTransaction[] = [];
    for (let place = 0; place < length; place++) {
      const opensLane = reader.u8() === 1;
      const hash = reader.raw(32);
      const item = reader.bytes() ?? new Uint8Array(0);
      members.push({ index: start + place, hash, item, opensLane });
    }
    yield { start, length, members, bundle };
  }
}

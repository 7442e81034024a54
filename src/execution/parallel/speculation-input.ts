import { encodeTransactionItem, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { AtomicGroup } from '../atomic-groups.js';
import type { BlockOnBranch } from '../pending-writes.js';
import type { CodeBlob } from '../state-writes.js';
import type { OverlayPart } from './block-overlay.js';
import { FlatReader, FlatWriter } from './flat-bytes.js';
import type { ProgressMark } from './progress-marks.js';

/** Work for a worker: groups of a block, to be executed one after another in block order. */
export interface SpeculationInput extends BlockOnBranch {
  /** Encoded groups: see {@link encodeGroups}. */
  readonly groups: Uint8Array;
  /** Whether the groups are the whole rest of the block and execute as in it, not only tried as eligible. */
  readonly exact: boolean;
  /**
   * First candidate whose writes the state lacks. A group there cannot turn out invalid: it may use any gas.
   */
  readonly from: number;
  /** Shared: see `SharedAllowance`. */
  readonly allowance: SharedArrayBuffer;
  /** Gas of the block left before the first group. */
  readonly gasLeft: bigint;
  /**
   * Shared, u64: the gas used so far by all tasks of the block. Once it exceeds `gasSpentBefore` by `gasLeft`, no
   * further group begins and the result ends early, unless execution is exact.
   */
  readonly gasSpent: SharedArrayBuffer;
  /** Value of `gasSpent` when the block had `gasLeft`. */
  readonly gasSpentBefore: bigint;
  /** The block's writes before the first group; absent at the start of the block. */
  readonly overlay?: readonly OverlayPart[];
  /** Code deployed in the block before the first group. */
  readonly codes: readonly CodeBlob[];
  /** Shared: one word, the index of the running group's first transaction plus one, or 0 between groups. */
  readonly progress?: Int32Array<SharedArrayBuffer>;
  /** Where to record the progress outside the process, if anywhere. */
  readonly mark?: ProgressMark;
}

export interface SpeculatedTransaction {
  /** Index among the block's candidates. */
  readonly index: number;
  readonly hash: Uint8Array;
  /** borsh(BlockItem). */
  readonly item: Uint8Array;
  /** Whether the transaction is the first of its lane; ignored in exact execution. */
  readonly opensLane: boolean;
}

export type GroupToTry = AtomicGroup<TransactionEnvelope>;

export interface EncodedGroup extends AtomicGroup<SpeculatedTransaction> {
  readonly expectedGas: bigint;
}

const BUNDLE = 1;
/** More than any block has. */
const MAX_EXPECTED = 2 ** 63;

/**
 * For each group u32 first transaction ‖ u8 whether it is a bundle ‖ u64 expected gas ‖ u32 members, and for each
 * member u8 whether it opens a lane ‖ hash 32 ‖ bytes.
 */
export function encodeGroups(
  groups: Iterable<GroupToTry>,
  opensLane: (index: number) => boolean,
  expectedGas: (group: GroupToTry) => number,
): Uint8Array {
  const writer = new FlatWriter();
  for (const group of groups) {
    const { start, bundle, members } = group;
    writer.u32(start);
    writer.u8(bundle ? BUNDLE : 0);
    writer.u64(BigInt(Math.min(Math.ceil(expectedGas(group)), MAX_EXPECTED)));
    writer.u32(members.length);
    for (const [place, member] of members.entries()) {
      writer.u8(opensLane(start + place) ? 1 : 0);
      writer.raw(member.hash);
      writer.bytes(encodeTransactionItem(member));
    }
  }
  return writer.finish();
}

export function* decodeGroups(groups: Uint8Array): IterableIterator<EncodedGroup> {
  const reader = new FlatReader(groups);
  while (!reader.done) {
    const start = reader.u32();
    const bundle = reader.u8() === BUNDLE;
    const expectedGas = reader.u64();
    const length = reader.u32();
    const members: SpeculatedTransaction[] = [];
    for (let place = 0; place < length; place++) {
      const opensLane = reader.u8() === 1;
      const hash = reader.raw(32);
      const item = reader.present();
      members.push({ index: start + place, hash, item, opensLane });
    }
    yield { start, length, members, bundle, expectedGas };
  }
}

import type { OpeningSchedule, ScheduledOpening } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { openingsName } from '../../ledger/state-keys.js';
import type { WorldState } from '../world-state.js';

/*
 * The schedule outlives the child of the last block that included an envelope, which opens two blocks later or more.
 */

export type RecordReader = Pick<WorldState, 'record'>;
export type Records = RecordReader & Pick<WorldState, 'writeRecord'>;

const NAME = openingsName();
const NOTHING: OpeningSchedule = { openings: [], reserved_at: 0n, reserved: 0 };

/** Returns the scheduled openings, one entry for each height, ascending. */
export function scheduledOpenings(state: RecordReader): readonly ScheduledOpening[] {
  return scheduleIn(state).openings;
}

/** Slots reserved at an opening height, and by the block of a height; both may still grow in the block. */
export interface ReservedSlots {
  readonly opening: ScheduledOpening;
  readonly byBlock: number;
}

/** @param height of the block that includes envelopes, or of its last one if it is complete */
export function reservedIn(state: RecordReader, height: bigint, opensAt: bigint): ReservedSlots {
  const schedule = scheduleIn(state);
  const found = schedule.openings.find((one) => one.height === opensAt);
  return { opening: found ?? { height: opensAt, count: 0, slots: 0 }, byBlock: reservedBy(schedule, height) };
}

/** Number of slots reserved by the block of a height, in the state after it or while it executes. */
export function slotsReservedBy(state: RecordReader, height: bigint): number {
  return reservedBy(scheduleIn(state), height);
}

export function scheduleEnvelope(
  state: Records,
  { height, opensAt, slots }: { readonly height: bigint; readonly opensAt: bigint; readonly slots: number },
): void {
  const schedule = scheduleIn(state);
  const openings = [...schedule.openings];
  const place = openings.findIndex((one) => one.height >= opensAt);
  const present = openings[place];
  if (present?.height === opensAt) {
    openings[place] = { height: opensAt, count: present.count + 1, slots: present.slots + slots };
  } else {
    openings.splice(place < 0 ? openings.length : place, 0, { height: opensAt, count: 1, slots });
  }
  const reserved = reservedBy(schedule, height) + slots;
  state.writeRecord(NAME, ledger.OpeningSchedule.encode({ openings, reserved_at: height, reserved }));
}

export function unschedule(state: Records, height: bigint): void {
  const schedule = scheduleIn(state);
  const openings = schedule.openings.filter((one) => one.height !== height);
  const left = openings.length === 0 ? undefined : ledger.OpeningSchedule.encode({ ...schedule, openings });
  state.writeRecord(NAME, left);
}

function scheduleIn(state: RecordReader): OpeningSchedule {
  const value = state.record(NAME);
  return value === undefined ? NOTHING : ledger.OpeningSchedule.decode(value);
}

function reservedBy({ reserved_at: at, reserved }: OpeningSchedule, height: bigint): number {
  return at === height ? reserved : 0;
}

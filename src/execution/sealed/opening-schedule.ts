import type { ScheduledOpening } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { openingsName } from '../../ledger/state-keys.js';
import type { WorldState } from '../world-state.js';

export type Records = Pick<WorldState, 'record' | 'writeRecord'>;

const NAME = openingsName();

/** Returns the scheduled openings, one entry for each height, ascending. */
export function scheduledOpenings(state: Pick<Records, 'record'>): readonly ScheduledOpening[] {
  const value = state.record(NAME);
  return value === undefined ? [] : ledger.OpeningSchedule.decode(value).openings;
}

export function scheduledAt(state: Pick<Records, 'record'>, height: bigint): ScheduledOpening {
  const found = scheduledOpenings(state).find((one) => one.height === height);
  return found ?? { height, count: 0, gas: 0n };
}

/** Replaces the openings scheduled at a height; removes them if the count is 0. */
export function schedule(state: Records, changed: ScheduledOpening): void {
  const openings = scheduledOpenings(state).filter(({ height }) => height !== changed.height);
  const place = openings.findIndex(({ height }) => height > changed.height);
  if (changed.count > 0) openings.splice(place < 0 ? openings.length : place, 0, changed);
  state.writeRecord(NAME, openings.length === 0 ? undefined : ledger.OpeningSchedule.encode({ openings }));
}

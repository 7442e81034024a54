import type { Fate } from './links.js';
import { kindOf, placeOf, type SimMessage } from './model.js';
import type { Scenario } from './scenario.js';

/** The longest delay of a late message, in virtual milliseconds. */
const LATEST_MS = 4_000;

/** The fate of a message whose kind does not reach a validator in time in a view, however often it is sent. */
export function gapOf({ seed, gaps }: Scenario, to: number, message: SimMessage): Fate | undefined {
  if (gaps === 0) return undefined;
  const kind = kindOf(message);
  const place = placeOf(message);
  if (kind === undefined || place === undefined) return undefined;
  let hash = seed ^ 0x2545f491;
  for (const part of [to, place.epoch, place.view, kind.length, kind.charCodeAt(0), kind.charCodeAt(4)])
    hash = mixed(hash ^ part);
  if ((hash >>> 8) / 0x100_0000 >= gaps) return undefined;
  return (hash & 1) === 0 ? 'lost' : { lateMs: ((hash >>> 1) & 0x7f) * (LATEST_MS / 0x7f) };
}

/** Spreads the bits of a number (the finalizer of MurmurHash3). */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

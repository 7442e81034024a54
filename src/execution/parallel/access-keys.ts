import type { AccessRecorder } from '../access-recorder.js';
import type { WorldState } from '../world-state.js';

/*
 * Expected accesses of a transaction, one number per key: 30 bits of a hash of the key, and two bits for the kind of
 * access. A hash collision makes transactions wait for each other needlessly: it affects speed, not correctness.
 */

/** Only read. */
export const READ = 1;
/** Written, or read and written. */
export const WRITTEN = 2;
/** A balance that is changed without being read. */
export const CHANGED = 3;

/** Keys with their kind of access: key · 4 + {@link READ}, {@link WRITTEN} or {@link CHANGED}. */
export type AccessKeys = Uint32Array;

/** The separately tracked parts of an account. */
export type AccountPart = 'balance' | 'contract' | 'deployments';

const PART_SEEDS: Readonly<Record<AccountPart, number>> = {
  balance: 0x1111,
  contract: 0x2222,
  deployments: 0x3333,
};
const SLOT_SEED = 0x4444;

/** @param address 40 lowercase hex digits */
export function accountAccess(part: AccountPart, address: string, how: number): number {
  return access(hash(address, PART_SEEDS[part]), how);
}

/** @param name see `slotName` in `access-recorder.ts` */
export function slotAccess(name: string, how: number): number {
  return access(hash(name, SLOT_SEED), how);
}

export function accessKindOf(key: number): number {
  return key & 3;
}

export function keyOf(key: number): number {
  return key >>> 2;
}

/** Returns the recorded accesses of a transaction that has just ended. */
export function recordedAccesses(recorder: AccessRecorder, state: WorldState): AccessKeys {
  const keys: number[] = [];
  for (const name of recorder.slotWrites) keys.push(slotAccess(name, WRITTEN));
  for (const name of recorder.slotReads.keys()) {
    if (!recorder.slotWrites.has(name)) keys.push(slotAccess(name, READ));
  }
  for (const address of recorder.contractWrites) keys.push(accountAccess('contract', address, WRITTEN));
  for (const address of recorder.contractReads.keys()) {
    if (!recorder.contractWrites.has(address)) keys.push(accountAccess('contract', address, READ));
  }
  for (const [address, { start, low, high }] of recorder.balances) {
    const isRead = low !== undefined && low === high;
    if (isRead) keys.push(accountAccess('balance', address, READ));
    if (state.peekAccount(address).balance !== start) keys.push(accountAccess('balance', address, CHANGED));
  }
  for (const address of recorder.deployIndexes.keys()) {
    keys.push(accountAccess('deployments', address, WRITTEN));
  }
  return Uint32Array.from(keys);
}

function access(hashed: number, how: number): number {
  return ((hashed << 2) | how) >>> 0;
}

/** FNV-1a with a final mix, over characters below 256. */
function hash(text: string, seed: number): number {
  let mixed = 0x811c9dc5 ^ seed;
  for (let place = 0; place < text.length; place++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(place), 0x01000193);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

import type { Access, AccessEntry, SlotAccess } from '../../generated/node-rpc-v1.js';
import { fromHex } from '../../idl/hex.js';
import { type RecordedReads, slotHex } from '../views/recorded-reads.js';
import type { WorldState } from '../world-state.js';

const ADDRESS_DIGITS = 40;

export interface KeyAccess {
  readonly reads: boolean;
  readonly writes: boolean;
}

/**
 * The accesses of one execution. A key is an address (40 lowercase hex digits) for an account, or contract and slot
 * (104) for a slot. Contains only reads of the state before the execution, and only writes that were not undone.
 */
export type AccessRecord = ReadonlyMap<string, KeyAccess>;

/** Returns the accesses, ascending by key: each account before its slots. */
export function accessRecord({ accounts, slots }: RecordedReads, state: WorldState): AccessRecord {
  const written = new Set<string>();
  for (const [address] of state.writtenAccounts()) written.add(address);
  for (const { contract, slot } of state.writtenSlots()) written.add(slotHex(contract, slot));
  const keys = [...new Set([...accounts.keys(), ...slots.keys(), ...written])].sort();
  return new Map(
    keys.map((key) => [key, { reads: accounts.has(key) || slots.has(key), writes: written.has(key) }]),
  );
}

export function placeOf(key: string): { readonly address: Uint8Array; readonly slot?: Uint8Array } {
  const address = bytes(key.slice(0, ADDRESS_DIGITS));
  return key.length === ADDRESS_DIGITS ? { address } : { address, slot: bytes(key.slice(ADDRESS_DIGITS)) };
}

export function accessList(record: AccessRecord): AccessEntry[] {
  const entries: { address: Uint8Array; account: Access; slots: SlotAccess[] }[] = [];
  let last = '';
  for (const [key, access] of record) {
    const name = key.slice(0, ADDRESS_DIGITS);
    const { address, slot } = placeOf(key);
    if (name !== last) entries.push({ address, account: { type: 'none' }, slots: [] });
    last = name;
    const entry = entries.at(-1);
    if (entry === undefined) continue;
    if (slot === undefined) entry.account = shown(access);
    else entry.slots.push({ slot, access: shown(access) });
  }
  return entries;
}

function shown({ reads, writes }: KeyAccess): Access {
  if (reads && writes) return { type: 'read_write' };
  if (reads) return { type: 'read' };
  return { type: writes ? 'write' : 'none' };
}

function bytes(hex: string): Uint8Array {
  const decoded = fromHex(hex, 0);
  if (decoded === undefined) throw new TypeError(`expected hex digits, got ${hex}`);
  return decoded;
}

import { sameBytes } from '../base/same-bytes.js';
import { toHex } from '../idl/hex.js';

interface Named {
  readonly address: Uint8Array;
  readonly name: string;
}

const ADDRESS_BYTES = 20;
/** A power of two. */
const KEPT = 64;

/** This thread's latest names, by the last bits of the address: a call needs those of few addresses, many times. */
const kept: (Named | undefined)[] = new Array<undefined>(KEPT).fill(undefined);

/** Returns an address as 40 lowercase hex digits, in a third of the time if it was encoded lately. */
export function addressName(address: Uint8Array): string {
  const place = (address[ADDRESS_BYTES - 1] as number) & (KEPT - 1);
  const known = kept[place];
  if (known !== undefined && sameBytes(known.address, address)) return known.name;
  const name = toHex(address);
  if (address.length === ADDRESS_BYTES) kept[place] = { address: Uint8Array.from(address), name };
  return name;
}

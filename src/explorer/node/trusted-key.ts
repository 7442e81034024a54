import { computed, signal } from '@preact/signals';
import { toHex } from '../../idl/hex.js';
import { status } from './live.js';

const given = signal<string | undefined>(undefined);

/** The group key for checking finality. */
export interface TrustedKey {
  /** 48 bytes as hex digits. */
  readonly hex: string;
  /** True if the user gave the key; otherwise the node reported it, and the check proves less. */
  readonly isGiven: boolean;
}

export const trustedKey = computed<TrustedKey | undefined>(() => {
  if (given.value !== undefined) return { hex: given.value, isGiven: true };
  const own = status.value?.validator_set.group_public_key;
  return own === undefined ? undefined : { hex: toHex(own), isGiven: false };
});

/** Trusts a key from another source; empty text restores that of the node. @returns whether the text is a key */
export function trustKey(text: string): boolean {
  const digits = text.trim().toLowerCase().replace(/^0x/, '');
  if (digits === '') given.value = undefined;
  else if (/^[0-9a-f]{96}$/.test(digits)) given.value = digits;
  else return false;
  return true;
}

import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { devAccount } from '../../client/client.js';
import { toHex } from '../../idl/hex.js';
import { DEV_ACCOUNTS, heldKey } from '../keys/key-store.js';
import { feed } from '../node/connection.js';
import { status } from '../node/live.js';
import { LookupCache } from '../node/lookup-cache.js';
import { useLookup } from '../node/use-lookup.js';
import { contractFinder, type KnownAddress } from './find-contracts.js';

/** An account may become a contract, and an upgrade may change an interface. */
const FRESH_MS = 300_000;
const MAX_BATCH = 64;

/** What addresses are, by 40 hex digits. Asked without a token, like the live feed, so that names cost no units. */
export const knownAddresses = new LookupCache<KnownAddress>({
  find: contractFinder(() => feed.peek()),
  maxBatch: MAX_BATCH,
  freshMs: FRESH_MS,
});

/** What an address is; undefined until the node has answered. @param digits 40 hex digits; undefined for none */
export function useKnownAddress(digits: string | undefined): KnownAddress | undefined {
  return useLookup(knownAddresses, digits);
}

/** Names of development accounts by address. */
const developers = signal<ReadonlyMap<string, string>>(new Map());

/** Computes the addresses of the development accounts, one a task, so that the page appears without delay. */
export function startNames(index = 0): void {
  if (index >= DEV_ACCOUNTS) return;
  setTimeout(() => {
    const { address } = devAccount(index);
    developers.value = new Map([...developers.value, [toHex(address), `dev:${index}`]]);
    startNames(index + 1);
  }, 0);
}

const validators = computed<ReadonlyMap<string, string>>(
  () =>
    new Map(
      status.value?.validator_set.validators.map(({ address, index }) => [
        toHex(address),
        `validator ${index}`,
      ]),
    ),
);

const NOBODY = '0'.repeat(40);

/** What this page itself knows of an address, such as `you, dev:0`; empty if nothing. @param digits 40 hex digits */
export function useAccountLabel(digits: string): string {
  // Not `useComputed`, which would keep the label of the former address when a row gets another one.
  const own = useMemo(() => computed(() => accountLabel(digits)), [digits]);
  return own.value;
}

function accountLabel(digits: string): string {
  const key = heldKey.value;
  const labels = [
    key !== undefined && toHex(key.signer.address) === digits ? 'you' : undefined,
    developers.value.get(digits),
    validators.value.get(digits),
    digits === NOBODY ? 'nobody' : undefined,
  ];
  return labels.filter((label) => label !== undefined).join(', ');
}

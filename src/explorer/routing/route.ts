import { type EventWords, eventWordsText, parseEventWords } from './event-words.js';

/** The tabs of a contract's page. Other accounts have the first one, and what they received. */
export const ADDRESS_TABS = [
  'overview',
  'interface',
  'transactions',
  'received',
  'events',
  'source',
] as const;
export type AddressTab = (typeof ADDRESS_TABS)[number];

/** A page of the explorer. Hex digits are lowercase, without prefix. */
export type Route =
  | { readonly page: 'home' | 'blocks' | 'transactions' | 'pool' | 'validators' | 'health' | 'settings' }
  | { readonly page: 'block'; readonly height: bigint }
  | { readonly page: 'transaction'; readonly hash: string }
  | {
      readonly page: 'address';
      readonly address: string;
      readonly tab: AddressTab;
      /** The filter of the tab with events; absent to show all. */
      readonly events?: EventWords;
    }
  | { readonly page: 'unknown' };

const PLAIN = ['blocks', 'transactions', 'pool', 'validators', 'health', 'settings'] as const;

/** Reads the fragment of a URL, such as `#/block/7`. */
export function parseRoute(fragment: string): Route {
  const [, path = '', query] = /^#?\/?([^?]*)(?:\?(.*))?$/s.exec(fragment) ?? [];
  const parts = path.split('/');
  const [page = '', argument = '', tab] = parts;
  if (query !== undefined && (page !== 'address' || tab !== 'events')) return { page: 'unknown' };
  if (page === '' && parts.length === 1) return { page: 'home' };
  const plain = PLAIN.find((name) => name === page);
  if (plain !== undefined && parts.length === 1) return { page: plain };
  if (page === 'block' && parts.length === 2 && /^\d{1,20}$/.test(argument)) {
    return { page, height: BigInt(argument) };
  }
  if (page === 'tx' && parts.length === 2 && /^[0-9a-f]{64}$/i.test(argument)) {
    return { page: 'transaction', hash: argument.toLowerCase() };
  }
  if (page === 'address' && parts.length <= 3 && /^0x[0-9a-f]{40}$/i.test(argument)) {
    const open = tab === undefined ? 'overview' : ADDRESS_TABS.find((name) => name === tab);
    const events = query === undefined ? undefined : parseEventWords(query);
    if (open !== undefined && (query === undefined || events !== undefined)) {
      const address = argument.slice(2).toLowerCase();
      return { page, address, tab: open, ...(events !== undefined && { events }) };
    }
  }
  return { page: 'unknown' };
}

export function blockLink(height: bigint): string {
  return `#/block/${height}`;
}

/** @param hash 64 hex digits */
export function transactionLink(hash: string): string {
  return `#/tx/${hash}`;
}

/** @param address 40 hex digits without prefix */
export function addressLink(address: string, tab: AddressTab = 'overview'): string {
  return `#/address/0x${address}${tab === 'overview' ? '' : `/${tab}`}`;
}

/** @param address 40 hex digits without prefix */
export function eventsLink(address: string, words: EventWords): string {
  const query = eventWordsText(words);
  return `${addressLink(address, 'events')}${query === '' ? '' : `?${query}`}`;
}

import { randomBytes } from 'node:crypto';
import type { Flood } from './flood.js';

const CALLS = 90;
const ADDRESSES = 1_000;
const ADDRESS_DIGITS = 40;
const MARK = '0'.repeat(ADDRESS_DIGITS);

/** Batches of `accounts` that fill a body with new addresses: none is in a cache. */
export const COLD_ACCOUNTS: Flood = {
  name: 'cold-accounts',
  attacks:
    '8 connections send batches of 90 accounts calls of 1,000 unknown addresses each: reads of the store',
  arm: () => {
    const params = { addresses: Array.from({ length: ADDRESSES }, () => `0x${MARK}`) };
    const calls = Array.from({ length: CALLS }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'accounts',
      params,
    }));
    const template = Buffer.from(JSON.stringify(calls));
    const places: number[] = [];
    for (let at = template.indexOf(MARK); at >= 0; at = template.indexOf(MARK, at + ADDRESS_DIGITS)) {
      places.push(at);
    }
    const next = (): Uint8Array => {
      const body = Buffer.from(template);
      const digits = Buffer.from(randomBytes((places.length * ADDRESS_DIGITS) / 2).toString('hex'));
      for (const [i, at] of places.entries()) {
        digits.copy(body, at, i * ADDRESS_DIGITS, (i + 1) * ADDRESS_DIGITS);
      }
      return body;
    };
    return (attack) => attack.keepSending(8, next);
  },
};

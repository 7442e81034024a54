import { sha256 } from '@noble/hashes/sha2.js';
import type { LedgerLog } from '../../../src/generated/ledger.js';

/** The event that a token declares, as in contracts/token/token.idl. */
export const TRANSFER = 'event Transfer { indexed from: address; indexed to: address; amount: u128; }';

/** The interface of a contract. */
export const interfaceOf = (name: string, ...declarations: readonly string[]) =>
  `contract ${name} { view symbol() -> string; ${declarations.join(' ')} }`;

/** Topic 0 of an event with this signature. */
export const topicOfEvent = (signature: string) => sha256(Buffer.from(signature));

/** Topic 0 of a token's transfers, by the name of the contract in its interface. */
export const transferTopic = (name: string) => topicOfEvent(`${name}.Transfer(address,address,u128)`);

/** An address, or a shorter value, as a topic. */
export function paddedTopic(value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(value, 32 - value.length);
  return bytes;
}

/** An event with two indexed addresses and an amount. */
export const moveOf = (
  contract: Uint8Array,
  first: Uint8Array,
  from: Uint8Array,
  to: Uint8Array,
): LedgerLog => ({
  contract,
  topics: [first, paddedTopic(from), paddedTopic(to)],
  data: new Uint8Array(16),
});

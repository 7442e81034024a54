// Actions and accounts for tests of a whole node.
import { devAccount } from '../../src/client/client.js';
import type { Action, Transaction } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { deployAction } from './contracts/deploy-action.js';
import { bytesOf, text } from './hex.js';

export const alice = devAccount(0);
export const bob = devAccount(1);

export const ALICE = text(alice.address);
export const BOB = text(bob.address);

export function callOf(contract: string, input: Uint8Array | string, value = 0n): Action {
  const bytes = typeof input === 'string' ? bytesOf(input) : input;
  return { type: 'call', value: { contract: bytesOf(contract), input: bytes, value } };
}

/** A deployment of immutable code. */
export function deployOf(code: Uint8Array, input?: Uint8Array, idl?: string, value?: bigint): Action {
  return deployAction(code, { input, idl, value });
}

/** borsh(Transaction), as simulations take it. */
export function encoded(transaction: Transaction): Uint8Array {
  return ledger.Transaction.encode(transaction);
}

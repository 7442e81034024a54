import { ed25519Address } from './address.js';
import type { Ed25519, Sha256 } from './crypto.js';

/** What deriving the keys of development chains needs. */
export interface DevCrypto extends Sha256 {
  readonly ed25519: Pick<Ed25519, 'publicKey'>;
}

export const DEV_ACCOUNT_COUNT = 10;

/** An account whose private key is public. Never enabled outside development mode. */
export interface DevAccount {
  /** From 0. */
  readonly index: number;
  /** 32-byte ed25519 seed: sha256("heddle dev account " ‖ ascii(index)). */
  readonly seed: Uint8Array;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
}

/** The accounts that a development chain funds and prints on startup. */
export function devAccounts(crypto: DevCrypto, count = DEV_ACCOUNT_COUNT): readonly DevAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = devSeed(crypto, index);
    const publicKey = crypto.ed25519.publicKey(seed);
    return { index, seed, publicKey, address: ed25519Address(crypto, publicKey) };
  });
}

/**
 * The 32-byte private key of development account `index`. The usual development chain has accounts 0 to 9; one
 * that `heddle dev-state` makes may have millions.
 */
export function devSeed(crypto: Sha256, index: number): Uint8Array {
  return crypto.sha256(new TextEncoder().encode(`heddle dev account ${index}`));
}

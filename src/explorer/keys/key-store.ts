import { signal } from '@preact/signals';
import { type KeyScheme, newPrivateKey, type Signer } from '../../client/client.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { store, stored } from '../node/browser-storage.js';
import { parsePrivateKey, signerOf } from './private-key.js';

/** The key that signs transactions. It never leaves the page; signatures do. */
export interface HeldKey {
  /** Origin of the key, such as `development account 0`. */
  readonly origin: string;
  readonly signer: Signer;
  /** The private key as text, for the user to keep. */
  readonly secret: string;
}

const KEY = 'heddle.key';

/** The key that signs; undefined until the user gives one. */
export const heldKey = signal<HeldKey | undefined>(restored());

/** Uses a private key of 32 bytes. @throws ClientError `bad_key` */
export function useKey(scheme: KeyScheme, key: Uint8Array, origin: string): void {
  heldKey.value = { origin, signer: signerOf(scheme, key), secret: toPrefixedHex(key) };
  store(KEY, undefined);
}

export function generateKey(scheme: KeyScheme): void {
  useKey(scheme, newPrivateKey(scheme), 'generated here');
}

/** Forgets the key, in memory and in the session storage. */
export function forgetKey(): void {
  heldKey.value = undefined;
  store(KEY, undefined);
}

/** Keeps the key in this tab's session storage, or removes it from there. */
export function keepKey(keep: boolean): void {
  const key = heldKey.value;
  store(KEY, keep && key !== undefined ? `${key.signer.scheme} ${key.secret} ${key.origin}` : undefined);
}

/** True if the key survives a reload of this tab. */
export function isKeyKept(): boolean {
  return stored(KEY) !== undefined;
}

function restored(): HeldKey | undefined {
  const [, scheme, secret, origin] =
    /^(ed25519|secp256k1) (0x[0-9a-f]{64}) (.{1,80})$/.exec(stored(KEY) ?? '') ?? [];
  if (scheme === undefined || secret === undefined || origin === undefined) return undefined;
  const signer = signerOf(scheme === 'ed25519' ? 'ed25519' : 'secp256k1', parsePrivateKey(secret));
  return { origin, signer, secret };
}

/** Number of development accounts that the page offers as keys and knows by name; their keys are public. */
export const DEV_ACCOUNTS = 10;

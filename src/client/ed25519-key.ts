import { ed25519 } from '@noble/curves/ed25519.js';

/** What stands before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

type SignFunction = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * An ed25519 private key. Signs by Web Crypto where the platform has it for this curve, several times as fast and off
 * the calling thread, else by @noble/curves: the signature (RFC 8032) is the same, byte for byte.
 */
export class Ed25519Key {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly #seed: Uint8Array;
  #sign: Promise<SignFunction> | undefined;

  /** @param seed 32 bytes; copied */
  constructor(seed: Uint8Array) {
    this.#seed = seed.slice();
    this.publicKey = ed25519.getPublicKey(this.#seed);
  }

  /** The 64-byte signature of a message. */
  async sign(message: Uint8Array): Promise<Uint8Array> {
    this.#sign ??= signFunction(this.#seed);
    return (await this.#sign)(message);
  }
}

async function signFunction(seed: Uint8Array): Promise<SignFunction> {
  const pure: SignFunction = (message) => ed25519.sign(message, seed);
  // Browsers leave it out on pages without TLS, and older ones do not know the curve.
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return pure;
  const pkcs8 = Uint8Array.from([...PKCS8_PREFIX, ...seed]);
  try {
    const key = await subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
    return async (message) => new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(message)));
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') return pure;
    throw error;
  }
}

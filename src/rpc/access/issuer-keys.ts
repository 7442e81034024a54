import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { errorMessage } from '../../base/errors.js';
import { RpcError } from '../errors.js';
import { AccessError } from './token-files.js';

interface IssuerKey {
  /** `kid` of the JWK, else its thumbprint (RFC 7638). */
  readonly id: string;
  readonly key: KeyObject;
}

/** Public Ed25519 keys of services that issue tokens for this node. */
export class IssuerKeys {
  readonly #keys: readonly IssuerKey[];

  private constructor(keys: readonly IssuerKey[]) {
    this.#keys = keys;
  }

  static readonly none: IssuerKeys = new IssuerKeys([]);

  /**
   * Reads key files: PEM (SPKI), a JWK, or a JWK Set (RFC 7517).
   * @throws AccessError bad_issuer_key
   */
  static async read(files: readonly string[]): Promise<IssuerKeys> {
    const keys = await Promise.all(files.map(readKeys));
    return new IssuerKeys(keys.flat());
  }

  /**
   * The key that a token names. A token without `kid` uses the only key.
   * @throws RpcError unauthorized
   */
  find(id: string | undefined): KeyObject {
    const [first, ...others] = this.#keys;
    if (first !== undefined && others.length === 0) return first.key;
    const named = this.#keys.find((known) => known.id === id);
    if (named !== undefined) return named.key;
    const why = first === undefined ? 'this node has no issuer keys' : 'its kid names no issuer of this node';
    throw new RpcError('unauthorized', `the bearer token is refused: ${why}`, {});
  }
}

async function readKeys(file: string): Promise<IssuerKey[]> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.trimStart().startsWith('-----BEGIN')) return [await issuerKey(createPublicKey(text), undefined)];
    const parsed = JSON.parse(text) as JsonWebKey | { readonly keys: readonly JsonWebKey[] };
    const jwks = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JsonWebKey];
    return await Promise.all(
      jwks.map((jwk) => issuerKey(createPublicKey({ key: jwk, format: 'jwk' }), jwk['kid'])),
    );
  } catch (cause) {
    if (cause instanceof AccessError) throw cause;
    throw badKey(file, errorMessage(cause), cause);
  }

  async function issuerKey(key: KeyObject, id: unknown): Promise<IssuerKey> {
    if (key.asymmetricKeyType !== 'ed25519') throw badKey(file, `got a key of type ${key.asymmetricKeyType}`);
    const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
    return { id: typeof id === 'string' ? id : await calculateJwkThumbprint({ kty, crv, x }), key };
  }
}

function badKey(file: string, why: string, cause?: unknown): AccessError {
  const expected = 'a public Ed25519 key as PEM (SPKI), JWK or JWK Set';
  return new AccessError('bad_issuer_key', `${file}: expected ${expected}; ${why}`, { cause });
}

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

export class IssuerKeys {
  readonly #keys: readonly IssuerKey[];

  private constructor(keys: readonly IssuerKey[]) {
    this.#keys = keys;
  }

  /** Reads key files: PEM (SPKI), a JWK, or a JWK Set (RFC 7517). @throws AccessError bad_issuer_key */
  static async read(files: readonly string[]): Promise<IssuerKeys> {
    const keys = await Promise.all(files.map(readKeys));
    return new IssuerKeys(keys.flat());
  }

  /** Names of the keys, as tokens give them in `kid`. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** The key that a token names. A token without `kid` uses the only key. @throws RpcError unauthorized */
  find(id: string | undefined): KeyObject {
    const [first, ...others] = this.#keys;
    const named = others.length === 0 ? first : this.#keys.find((known) => known.id === id);
    if (named !== undefined) return named.key;
    const why = first === undefined ? 'this node has no issuer keys' : 'its kid names no issuer of this node';
    throw new RpcError('unauthorized', `the bearer token is refused: ${why}`, {});
  }
}

async function readKeys(file: string): Promise<IssuerKey[]> {
  try {
    const text = await readFile(file, 'utf8');
    // Node.js would derive the public key. Then every node would hold a key that can issue tokens.
    if (text.includes('PRIVATE KEY-----')) throw privateKey(file);
    if (text.trimStart().startsWith('-----BEGIN')) return [await issuerKey(createPublicKey(text), undefined)];
    const jwks = parsedKeys(text);
    if (jwks.some((jwk) => 'd' in jwk)) throw privateKey(file);
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

/** The keys of a JWK or a JWK Set. @throws Error without the text, which may be a secret in a wrong place */
function parsedKeys(text: string): readonly JsonWebKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('the file is neither PEM nor JSON');
  }
  const jwks = isObject(parsed) && Array.isArray(parsed['keys']) ? (parsed['keys'] as unknown[]) : [parsed];
  if (!jwks.every(isObject)) throw new Error('the JSON is neither a key nor a set of keys');
  return jwks as readonly JsonWebKey[];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function privateKey(file: string): AccessError {
  return badKey(file, 'this is a private key, which belongs only to the service that issues tokens');
}

function badKey(file: string, why: string, cause?: unknown): AccessError {
  const expected = 'a public Ed25519 key as PEM (SPKI), JWK or JWK Set';
  return new AccessError('bad_issuer_key', `${file}: expected ${expected}; ${why}`, { cause });
}

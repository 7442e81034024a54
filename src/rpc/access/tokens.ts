import { createHash, randomUUID } from 'node:crypto';
import { JOSEError, JWSSignatureVerificationFailed, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Tier } from '../../idl/manifest.js';
import { RpcError } from '../errors.js';
import type { IssuerKeys } from './issuer-keys.js';

/** Maximum length of a token; the node issues none that are longer. */
export const MAX_TOKEN_CHARACTERS = 4_096;
export const MAX_NAME_CHARACTERS = 128;
export const MAX_TOKEN_RATE = 10_000_000;

export const MAX_TOKEN_GAS = 1_000_000_000_000;
/** Highest limit of execution time that a token may have, in milliseconds per second. */
export const MAX_TOKEN_TIME = 1_000_000;

/** The end of the year 9999, in seconds since 1970. */
const MAX_SECONDS = 253_402_300_799;

export interface TokenClaims {
  /** `sub`: the owner of the token. */
  readonly subject: string;
  readonly tier: Tier;
  /** `exp`, milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** `rate`: compute units per second; unlimited if absent. */
  readonly rate?: number | undefined;
  /** `units`: prepaid compute units at issue; unlimited if absent. */
  readonly units?: number | undefined;
  /** `gas`: gas per second of calls that run contracts; unlimited if absent. */
  readonly gas?: number | undefined;
  /** `time`: execution time of such calls, in milliseconds per second; unlimited if absent. */
  readonly time?: number | undefined;
}

/** The claims of a token with a valid signature. */
export interface VerifiedToken extends TokenClaims {
  /** `jti`, or the hash of the token's signed text if it has none. */
  readonly id: string;
  /** `iat`, milliseconds since 1970, if present. */
  readonly issuedAtMs: number | undefined;
}

export interface IssuedToken extends VerifiedToken {
  readonly token: string;
}

/**
 * Issues and verifies bearer tokens: JWTs (RFC 7519) with claims `sub`, `tier`, `exp` and optional `jti`, `iat`, `rate`,
 * `units`, `gas` and `time`. The node signs with HS256 and its secret; it also accepts EdDSA signatures of the configured
 * issuers.
 */
export class Tokens {
  readonly #secret: Uint8Array;
  readonly #issuers: IssuerKeys;
  readonly #now: () => number;

  constructor(secret: Uint8Array, issuers: IssuerKeys, now: () => number) {
    this.#secret = secret;
    this.#issuers = issuers;
    this.#now = now;
  }

  async issue({ subject, tier, expiresAtMs, rate, units, gas, time }: TokenClaims): Promise<IssuedToken> {
    const id = randomUUID();
    const issuedAtMs = this.#now();
    const token = await new SignJWT({ tier, rate, units, gas, time })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(subject)
      .setJti(id)
      .setIssuedAt(Math.floor(issuedAtMs / 1000))
      .setExpirationTime(Math.floor(expiresAtMs / 1000))
      .sign(this.#secret);
    const expires = Math.floor(expiresAtMs / 1000) * 1000;
    return { token, id, subject, tier, rate, units, gas, time, issuedAtMs, expiresAtMs: expires };
  }

  /**
   * Verifies a token. Its signature must be canonical base64url: decoders ignore spare bits in the last character, so
   * one token could have several texts, each verified and cached separately.
   * @throws RpcError unauthorized, with the reason
   */
  async verify(token: string): Promise<VerifiedToken> {
    if (token.length > MAX_TOKEN_CHARACTERS) throw refused('it is too long');
    const signature = token.slice(token.lastIndexOf('.') + 1);
    if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) {
      throw refused('it is not a token of this node');
    }
    try {
      const { payload } = await jwtVerify(
        token,
        ({ alg, kid }) => (alg === 'HS256' ? this.#secret : this.#issuers.find(kid)),
        {
          algorithms: ['HS256', 'EdDSA', 'Ed25519'],
          currentDate: new Date(this.#now()),
          requiredClaims: ['sub', 'exp', 'tier'],
        },
      );
      const { sub, exp = 0, iat, jti = hashOf(token) } = payload;
      return {
        id: name('jti', jti),
        subject: name('sub', sub),
        tier: tierOf(payload['tier']),
        expiresAtMs: timestamp('exp', exp),
        issuedAtMs: iat === undefined ? undefined : timestamp('iat', iat),
        rate: optionalNumber('rate', payload['rate'], 1, MAX_TOKEN_RATE),
        units: optionalNumber('units', payload['units'], 0, Number.MAX_SAFE_INTEGER),
        gas: optionalNumber('gas', payload['gas'], 1, MAX_TOKEN_GAS),
        time: optionalNumber('time', payload['time'], 1, MAX_TOKEN_TIME),
      };
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (error instanceof JWTExpired) throw refused('it has expired');
      if (error instanceof JWSSignatureVerificationFailed) throw refused('this node did not sign it');
      if (error instanceof JWTClaimValidationFailed) throw refused(`its claim ${error.claim} is invalid`);
      if (error instanceof JOSEError) throw refused('it is not a token of this node');
      throw error;
    }
  }
}

export function refused(why: string): RpcError<'unauthorized'> {
  return new RpcError('unauthorized', `the bearer token is refused: ${why}`, {});
}

function hashOf(token: string): string {
  const signed = token.slice(0, token.lastIndexOf('.'));
  return createHash('sha256').update(signed).digest('hex').slice(0, 32);
}

function tierOf(value: unknown): Tier {
  if (value === 'public' || value === 'paid' || value === 'admin') return value;
  throw refused('its tier is unknown');
}

function name(claim: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARACTERS) return value;
  throw refused(`its claim ${claim} is not a text of 1 to ${MAX_NAME_CHARACTERS} characters`);
}

/** Milliseconds since 1970, of a time in seconds. */
function timestamp(claim: string, seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_SECONDS) return Math.floor(seconds * 1000);
  throw refused(`its claim ${claim} is not a time before the year 10000`);
}

function optionalNumber(claim: string, value: unknown, min: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) {
    return value as number;
  }
  throw refused(`its claim ${claim} is not an integer from ${min} to ${max}`);
}

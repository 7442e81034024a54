import { randomUUID } from 'node:crypto';
import { JOSEError, JWSSignatureVerificationFailed, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Tier } from '../../idl/manifest.js';
import { RpcError } from '../errors.js';

/** Maximum length of a token; the node issues none that are longer. */
const MAX_TOKEN_CHARACTERS = 4_096;

export interface TokenClaims {
  /** `sub`: the owner of the token. */
  readonly subject: string;
  readonly tier: Tier;
  /** `exp`, milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Issues and verifies bearer tokens: HS256 JWTs (RFC 7519) with claims `sub`, `tier`, `iat`, `exp` and `jti`. */
export class Tokens {
  readonly #secret: Uint8Array;
  readonly #now: () => number;

  /**
   * @param secret 32 bytes
   * @param now milliseconds since 1970
   */
  constructor(secret: Uint8Array, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  issue({ subject, tier, expiresAtMs }: TokenClaims): Promise<string> {
    return new SignJWT({ tier })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt(Math.floor(this.#now() / 1000))
      .setExpirationTime(Math.floor(expiresAtMs / 1000))
      .sign(this.#secret);
  }

  /** @throws RpcError unauthorized, with the reason */
  async verify(token: string): Promise<TokenClaims> {
    if (token.length > MAX_TOKEN_CHARACTERS) throw refused('it is too long');
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: ['HS256'],
        currentDate: new Date(this.#now()),
        requiredClaims: ['sub', 'exp', 'tier'],
      });
      const { sub = '', exp = 0 } = payload;
      const tier = payload['tier'];
      if (tier !== 'public' && tier !== 'paid' && tier !== 'admin') throw refused('its tier is unknown');
      return { subject: sub, tier, expiresAtMs: exp * 1000 };
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

function refused(why: string): RpcError<'unauthorized'> {
  return new RpcError('unauthorized', `the bearer token is refused: ${why}`, {});
}

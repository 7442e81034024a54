import { LRUCache } from 'lru-cache';
import type { Log } from '../../config/log.js';
import type { Tier } from '../../idl/manifest.js';
import { RpcError } from '../errors.js';
import { TokenFiles } from './token-files.js';
import { type TokenClaims, Tokens } from './tokens.js';

/** The access rights of a request. */
export interface Caller {
  readonly tier: Tier;
  /** `sub` of the token, if any. */
  readonly subject?: string;
  /** True if the request carries a valid token. */
  readonly authenticated: boolean;
}

/** Public and paid methods are open to everyone. */
const ANONYMOUS: Caller = { tier: 'paid', authenticated: false };

const RANKS: { readonly [T in Tier]: number } = { public: 0, paid: 1, admin: 2 };

/** True if a caller of one tier may use a method of another. */
export function covers(tier: Tier, required: Tier): boolean {
  return RANKS[tier] >= RANKS[required];
}

const MAX_CACHED_TOKENS = 1_024;
const ADMIN_SUBJECT = 'operator';
const ADMIN_LIFETIME_MS = 10 * 365 * 24 * 3_600_000;

interface CachedToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export interface AccessOptions {
  /** The directory of the token files. */
  readonly dataDirectory: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Access control for methods. Without a token a caller reaches the public and paid methods; a token grants its tier. An
 * invalid token is refused for every method, because its sender relies on it.
 */
export class Access {
  readonly #tokens: Tokens;
  readonly #now: () => number;
  /** Valid tokens by Authorization header, so that a token is verified once and not on every call. */
  readonly #cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED_TOKENS });
  /** Path of the operator's token file. */
  readonly adminTokenPath: string;

  private constructor(tokens: Tokens, adminTokenPath: string, now: () => number) {
    this.#tokens = tokens;
    this.adminTokenPath = adminTokenPath;
    this.#now = now;
  }

  /**
   * Reads the token files of an existing data directory and creates missing ones: the secret, and an admin token if
   * there is no valid one.
   * @throws AccessError
   */
  static async open({ dataDirectory, log, now = Date.now }: AccessOptions): Promise<Access> {
    const files = new TokenFiles(dataDirectory, log);
    const access = new Access(new Tokens(await files.secret(), now), files.adminTokenPath, now);
    const stored = await files.adminToken();
    if (stored === undefined || !(await access.#isAdmin(stored))) {
      const claims = {
        subject: ADMIN_SUBJECT,
        tier: 'admin',
        expiresAtMs: now() + ADMIN_LIFETIME_MS,
      } as const;
      await files.writeAdminToken(await access.issue(claims));
      log.info({ path: files.adminTokenPath }, `wrote an admin token to ${files.adminTokenPath}`);
    }
    return access;
  }

  issue(claims: TokenClaims): Promise<string> {
    return this.#tokens.issue(claims);
  }

  /**
   * Identifies the caller of a request, synchronously without a token or with one seen before.
   * @param authorization the header's value, or the empty string
   * @throws RpcError unauthorized, through the promise
   */
  identify(authorization: string): Caller | Promise<Caller> {
    if (authorization === '') return ANONYMOUS;
    const cached = this.#cache.get(authorization);
    if (cached === undefined) return this.#check(authorization);
    if (cached.expiresAtMs > this.#now()) return cached.caller;
    this.#cache.delete(authorization);
    return this.#check(authorization);
  }

  async #check(authorization: string): Promise<Caller> {
    const { subject, tier, expiresAtMs } = await this.#tokens.verify(bearerToken(authorization));
    // A token of the lowest tier must not grant less than no token.
    const caller: Caller = {
      tier: covers(tier, ANONYMOUS.tier) ? tier : ANONYMOUS.tier,
      subject,
      authenticated: true,
    };
    this.#cache.set(authorization, { caller, expiresAtMs });
    return caller;
  }

  async #isAdmin(token: string): Promise<boolean> {
    try {
      return (await this.#check(`Bearer ${token}`)).tier === 'admin';
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
  }
}

function bearerToken(authorization: string): string {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new RpcError('unauthorized', 'the Authorization header is not "Bearer <token>"', {});
  }
  return token;
}

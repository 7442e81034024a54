import { LRUCache } from 'lru-cache';
import type { Log } from '../../config/log.js';
import type { Tier } from '../../idl/manifest.js';
import { RpcError } from '../errors.js';
import { TokenFiles } from './token-files.js';
import { type TokenClaims, Tokens } from './tokens.js';

/** What a request may use. */
export interface Caller {
  readonly tier: Tier;
  /** `sub` of the token, where one came. */
  readonly subject?: string;
  /** Whether a good token came with the request. */
  readonly authenticated: boolean;
}

/** Public and paid methods are open to everybody. */
const ANONYMOUS: Caller = { tier: 'paid', authenticated: false };

const RANKS: { readonly [T in Tier]: number } = { public: 0, paid: 1, admin: 2 };

/** Whether a caller of one tier may use a method of another. */
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
  /** Where the token files are kept. */
  readonly dataDirectory: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Who may call what. Without a token a caller reaches the public and paid methods; a token gives its own tier, and one that
 * is not good is refused whatever it came with, because its owner believes in it.
 */
export class Access {
  readonly #tokens: Tokens;
  readonly #now: () => number;
  /** By Authorization header with a good token: a token is checked once, not on every call. */
  readonly #cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED_TOKENS });
  /** The file with the operator's token. */
  readonly adminTokenPath: string;

  private constructor(tokens: Tokens, adminTokenPath: string, now: () => number) {
    this.#tokens = tokens;
    this.adminTokenPath = adminTokenPath;
    this.#now = now;
  }

  /**
   * Reads the token files of a data directory, which has to exist, and makes what is missing: the secret, and an admin
   * token where there is none that this node would take.
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
   * Who sends a request: at once without a token or with one seen before.
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
    // A token of the lowest tier is not to reach less than no token at all.
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

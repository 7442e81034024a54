import type { Log } from '../../config/log.js';
import { RpcError } from '../errors.js';
import { IssuerKeys } from './issuer-keys.js';
import { TokenFiles } from './token-files.js';
import { type IssuedToken, type TokenClaims, Tokens, type VerifiedToken } from './tokens.js';

const ADMIN_SUBJECT = 'operator';
const ADMIN_LIFETIME_MS = 10 * 365 * 24 * 3_600_000;

export interface TokenFileOptions {
  readonly dataDirectory: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Records new tokens; the token manager is one. */
interface TokenRecorder {
  register(token: VerifiedToken): Promise<unknown>;
  isRevoked(id: string): Promise<boolean>;
}

/**
 * Creates missing token files: the secret, and an admin token if there is no valid one.
 * @returns the path of the admin token's file
 * @throws AccessError
 */
export async function createTokenFiles(options: TokenFileOptions, recorder: TokenRecorder): Promise<string> {
  const { dataDirectory, log, now = Date.now } = options;
  const files = new TokenFiles(dataDirectory, log);
  const tokens = await openTokens(options, []);
  const stored = await files.adminToken();
  if (stored === undefined || !(await isAdmin(tokens, stored, recorder))) {
    const expiresAtMs = now() + ADMIN_LIFETIME_MS;
    const issued = await tokens.issue({ subject: ADMIN_SUBJECT, tier: 'admin', expiresAtMs });
    await recorder.register(issued);
    await files.writeAdminToken(issued.token);
    log.info({ path: files.adminTokenPath }, `wrote an admin token to ${files.adminTokenPath}`);
  }
  return files.adminTokenPath;
}

/** Issues a token with the secret of a data directory, which is created if missing. @throws AccessError */
export async function issueToken(options: TokenFileOptions, claims: TokenClaims): Promise<IssuedToken> {
  return (await openTokens(options, [])).issue(claims);
}

/** Opens the keys that this node signs and verifies tokens with. @throws AccessError */
export async function openTokens(
  { dataDirectory, log, now = Date.now }: TokenFileOptions,
  issuerKeyFiles: readonly string[],
): Promise<Tokens> {
  const secret = await new TokenFiles(dataDirectory, log).secret();
  return new Tokens(secret, await IssuerKeys.read(issuerKeyFiles), now);
}

async function isAdmin(tokens: Tokens, token: string, recorder: TokenRecorder): Promise<boolean> {
  try {
    const { tier, id } = await tokens.verify(token);
    return tier === 'admin' && !(await recorder.isRevoked(id));
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

import { CodedError } from '../../base/errors.js';
import type { Tier } from '../../idl/manifest.js';

/** A quota store's record of a token. It does not contain the token itself. */
export interface TokenRecord {
  /** `jti`. */
  readonly id: string;
  readonly subject: string;
  readonly tier: Tier;
  /** Compute units per second; unlimited if absent. */
  readonly rate?: number | undefined;
  /** Compute units granted so far, at issue and by top-ups; unlimited if absent. */
  readonly units?: number | undefined;
  /** Gas per second; unlimited if absent. */
  readonly gas?: number | undefined;
  /** Execution time in milliseconds per second; unlimited if absent. */
  readonly time?: number | undefined;
  /** Compute units that are neither spent nor handed out to a node; 0 for an unlimited token. */
  readonly left: number;
  /** Milliseconds since 1970; absent for a token of another issuer without `iat`. */
  readonly issuedMs?: number | undefined;
  /** Milliseconds since 1970. */
  readonly expiresMs: number;
  readonly revokedMs?: number | undefined;
}

/**
 * - `unknown_token`: there is no record of this id;
 * - `not_prepaid`: the token is not limited by units;
 * - `too_many_units`: more units than a record can hold;
 * - `unavailable`: the store cannot be reached, or an answer is lost; the change may have happened;
 * - `refused`: the store refuses this node, as for a wrong password.
 */
export type QuotaErrorCode = 'unknown_token' | 'not_prepaid' | 'too_many_units' | 'unavailable' | 'refused';

export class QuotaError extends CodedError<QuotaErrorCode> {
  override readonly name = 'QuotaError';
}

export function unknownToken(id: string): QuotaError {
  return new QuotaError('unknown_token', `there is no token ${id}; "heddle token list" shows all`);
}

export function notPrepaid(id: string): QuotaError {
  return new QuotaError('not_prepaid', `token ${id} has no prepaid units; it is not limited by units`);
}

export function tooManyUnits(): QuotaError {
  return new QuotaError('too_many_units', `a token holds at most ${Number.MAX_SAFE_INTEGER} units`);
}

/** Records are kept this long after their tokens have expired, in milliseconds. */
export const KEEP_EXPIRED_MS = 30 * 24 * 3_600_000;

export function compareRecords(a: TokenRecord, b: TokenRecord): number {
  return (a.issuedMs ?? 0) - (b.issuedMs ?? 0) || (a.id < b.id ? -1 : 1);
}

/**
 * Durable records of tokens and their prepaid units. Units are handed out to a node before it spends them, so that a
 * crash never makes a token overdraw its balance: units on hand at a crash are lost. All methods reject with
 * {@link QuotaError}.
 */
export interface QuotaStore {
  /** Resolves with undefined for an unknown id. */
  get(id: string): Promise<TokenRecord | undefined>;
  /** Adds a record unless there is one with its id, and returns the stored one. */
  register(record: TokenRecord): Promise<TokenRecord>;
  /**
   * Hands out at most `units` compute units, and at least `least` if that many are left; a shared store leaves the
   * other nodes most of a small balance. Resolves with the number, once the change is durable.
   */
  take(id: string, units: number, least: number): Promise<number>;
  /** Takes back units that were handed out and not spent. */
  giveBack(id: string, units: number): Promise<void>;
  /** @throws QuotaError unknown_token, not_prepaid, too_many_units */
  topUp(id: string, units: number): Promise<TokenRecord>;
  /** @param nowMs milliseconds since 1970 @throws QuotaError unknown_token */
  revoke(id: string, nowMs: number): Promise<TokenRecord>;
  /** All records, ordered by time of issue. */
  list(): Promise<readonly TokenRecord[]>;
  /** Deletes the records of tokens that expired before a time, in milliseconds since 1970. */
  purge(beforeMs: number): Promise<void>;
}

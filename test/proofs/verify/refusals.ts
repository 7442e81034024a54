import assert from 'node:assert/strict';
import { VerifyError, type VerifyErrorCode } from '../../../src/proofs/verify.js';
import { type MutationOptions, mutations } from '../../support/forged/json-mutations.js';

/** Runs a verification that must be refused. Returns the error's code. */
export function refusal(what: string, verify: () => unknown): VerifyErrorCode {
  try {
    verify();
  } catch (error) {
    if (error instanceof VerifyError) return error.code;
    throw new Error(`${what}: expected a VerifyError`, { cause: error });
  }
  return assert.fail(`${what}: it was believed`);
}

/**
 * Asserts that no mutation of an answer is believed.
 * @param isFree true for a mutation of a member that proves nothing and that the verifier does not return either
 * @returns number of mutations tried
 */
export function refusesEveryMutation(
  answer: unknown,
  verify: (mutated: unknown) => unknown,
  options: MutationOptions & { readonly isFree?: (what: string) => boolean } = {},
): number {
  let tried = 0;
  for (const { what, value } of mutations(answer, options)) {
    if (options.isFree?.(what) === true) continue;
    refusal(what, () => verify(value));
    tried++;
  }
  return tried;
}

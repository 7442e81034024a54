import type { Ed25519 } from '../../crypto/crypto.js';
import type { ApprovedChange, ValidatorSet } from '../../generated/ledger.js';
import { isStrictlyAscending, refusal, type ValidatorRefusal } from './refusal.js';
import { changeMessage } from './signed-messages.js';

/** Maximum endpoint length: a name of 253 characters, a colon, a port. */
const MAX_ENDPOINT = 260;

/** The block that would include a change. */
export interface ChangeContext {
  readonly chainId: bigint;
  readonly epoch: bigint;
  readonly set: ValidatorSet;
}

/**
 * Checks that a quorum of the epoch's validators approves a change, with one signature check per approval, at most
 * one per validator. Conflicts with pending changes are left to `nextMembers`.
 */
export function checkChange(
  crypto: { readonly ed25519: Pick<Ed25519, 'verify'> },
  approved: ApprovedChange,
  { chainId, epoch, set }: ChangeContext,
): ValidatorRefusal | undefined {
  const { change, approvals } = approved;
  if (approved.epoch !== epoch) {
    return refusal('epoch', `expected a change of epoch ${epoch}, got one of ${approved.epoch}`);
  }
  if (change.type === 'add' && !isEndpoint(change.value.endpoint)) {
    return refusal('form', `endpoint: expected host:port of at most ${MAX_ENDPOINT} printable characters`);
  }
  if (approvals.length > set.validators.length) {
    return refusal('member', `expected at most ${set.validators.length} approvals, got ${approvals.length}`);
  }
  if (approvals.length < set.quorum) {
    return refusal('approvals', `expected ${set.quorum} approvals, got ${approvals.length}`);
  }
  if (!isStrictlyAscending(approvals.map(({ index }) => index))) {
    return refusal('order', 'expected approvals to ascend by index, each once');
  }
  const message = changeMessage(chainId, approved);
  for (const { index, signature } of approvals) {
    const approver = set.validators[index];
    if (approver === undefined) return refusal('member', `there is no validator ${index}`);
    if (!crypto.ed25519.verify(signature, message, approver.identity_key)) {
      return refusal('signature', `the approval of validator ${index} is not signed by it`);
    }
  }
  return undefined;
}

/** The encryption key of the validator that a change adds, which must be a valid point. */
export function addedKey({ change }: Pick<ApprovedChange, 'change'>): readonly Uint8Array[] {
  return change.type === 'add' ? [change.value.encryption_key] : [];
}

/** True if the text is a valid host and port: printable ASCII without spaces, a colon, a port of 1 to 65535. */
export function isEndpoint(endpoint: string): boolean {
  if (endpoint.length > MAX_ENDPOINT) return false;
  const port = /^[!-~]+:([1-9][0-9]{0,4})$/.exec(endpoint)?.[1];
  return port !== undefined && Number(port) <= 65_535;
}

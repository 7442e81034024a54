import { ed25519Address } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ValidatorChange, ValidatorSet } from '../../generated/ledger.js';
import type { PendingValidatorChange } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { lastHeight, phaseAt } from '../../ledger/validators/epochs.js';
import type { CommittedTip } from '../chain.js';

/** Maximum number of listed changes that are in no block: faulty validators may approve many. */
const MAX_GATHERED = 64;

/** A change that validators approve, as this one knows it. */
export interface GatheredChange {
  readonly change: ValidatorChange;
  /** Indices of the validators of the present epoch that approve it. */
  readonly approvers: readonly number[];
}

/**
 * The changes of the validator set that have not taken effect: those in blocks in their order, on which all nodes agree,
 * then those that are gathering approvals, the most approved first.
 * @param gathered changes that this node gathers approvals of; empty on a node that is no validator
 */
export function pendingChanges(
  crypto: Pick<Crypto, 'sha256'>,
  { header, epochs }: CommittedTip,
  gathered: readonly GatheredChange[],
): PendingValidatorChange[] {
  const { changes, parameters } = epochs;
  const { epoch, quorum, validators } = epochs.validators;
  const { epoch_length: length } = parameters;
  const next = lastHeight(epoch, length) + 1n;
  const pending = (
    change: ValidatorChange,
    approvers: readonly number[],
    at: Pick<PendingValidatorChange, 'included' | 'effective_height'>,
  ): PendingValidatorChange => ({
    change,
    address: addressOf(crypto, change),
    approvals_needed: quorum,
    ...at,
    approvals: approvers.flatMap((index) => {
      const approver = validators[index];
      return approver === undefined ? [] : [{ index, address: approver.address }];
    }),
  });
  // A change that has waited since an earlier epoch has approvals of the same validators: the set has stayed the same.
  const included = changes.map(({ change, approvals }) => {
    const approvers = approvals.map(({ index }) => index);
    return pending(change, approvers, { included: true, effective_height: next });
  });
  const isInTime = phaseAt(header.height + 1n, length) === 'changes';
  const effective_height = isInTime ? next : next + length;
  const names = new Set(changes.map(({ change }) => nameOf(change)));
  const hasEffect = effectOn(epochs.validators);
  const waiting: PendingValidatorChange[] = [];
  for (const { change, approvers } of gathered.toSorted((a, b) => b.approvers.length - a.approvers.length)) {
    if (waiting.length === MAX_GATHERED) break;
    // Those without effect must not take the places of others.
    if (!hasEffect(change) || names.has(nameOf(change))) continue;
    const ascending = approvers.toSorted((a, b) => a - b);
    waiting.push(pending(change, ascending, { included: false, effective_height }));
  }
  return [...included, ...waiting];
}

/** Tells whether a change would alter a set, without a hash: faulty validators may approve many that would not. */
function effectOn({ validators }: ValidatorSet): (change: ValidatorChange) => boolean {
  const addresses = new Set(validators.map(({ address }) => toHex(address)));
  const keys = new Set(validators.map(({ identity_key }) => toHex(identity_key)));
  return (change) =>
    change.type === 'remove'
      ? addresses.has(toHex(change.value))
      : !keys.has(toHex(change.value.identity_key)) && isEndpoint(change.value.endpoint);
}

function addressOf(crypto: Pick<Crypto, 'sha256'>, change: ValidatorChange): Uint8Array {
  return change.type === 'add' ? ed25519Address(crypto, change.value.identity_key) : change.value;
}

function nameOf(change: ValidatorChange): string {
  return toHex(ledger.ValidatorChange.encode(change));
}

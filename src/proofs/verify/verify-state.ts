import type { AccountRecord } from '../../generated/ledger.js';
import { readBorshAccountRecord, readJsonTreeProof } from '../../generated/verify-codecs.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, decodeBorsh, reading } from './decoding.js';
import { portableHashes } from './portable-hashes.js';
import { verifyTreeProof } from './tree-proof.js';
import { type Bytes, bytesOf, type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';

/** An account as the state after `block` has it. */
export interface VerifiedAccount {
  readonly block: VerifiedBlock;
  /** Undefined where the proof shows that the account is not in the state: it has no balance and never sent anything. */
  readonly record: AccountRecord | undefined;
}

/** A contract's slot as the state after `block` has it. */
export interface VerifiedSlot {
  readonly block: VerifiedBlock;
  /** Undefined where the proof shows that the slot is empty. */
  readonly value: Uint8Array | undefined;
}

/**
 * Checks an answer of state_proof about an account: the header under the trust anchor, the proof under the header's state
 * root. How old the block may be is for the caller to judge, by its height and time.
 * @param answer the method's result, as JSON.parse made it
 * @param address 20 bytes
 * @throws VerifyError saying which check failed
 */
export function verifyAccount(answer: unknown, address: Bytes, trust: TrustAnchor): VerifiedAccount {
  const root = trustRoot(trust);
  const key = accountKey(portableHashes, bytesOf(address, 20, 'address'));
  return reading(() => {
    const r = new Answer(answer, 'StateProofResult', 'answer');
    const block = readVerifiedHeader(r, root);
    const value = verifyTreeProof(r.read('account', readJsonTreeProof), key, block.header.state_root);
    const record =
      value === undefined ? undefined : decodeBorsh(value, readBorshAccountRecord, 'AccountRecord');
    return { block, record };
  });
}

/**
 * Checks an answer of state_proof about a slot, as {@link verifyAccount} does about the account.
 * @param contract 20 bytes
 * @param slot 32 bytes
 * @throws VerifyError saying which check failed
 */
export function verifySlot(
  answer: unknown,
  { contract, slot }: { readonly contract: Bytes; readonly slot: Bytes },
  trust: TrustAnchor,
): VerifiedSlot {
  const root = trustRoot(trust);
  const key = slotKey(portableHashes, bytesOf(contract, 20, 'contract'), bytesOf(slot, 32, 'slot'));
  return reading(() => {
    const r = new Answer(answer, 'StateProofResult', 'answer');
    if (!r.has('slot')) {
      throw new VerifyError(
        'wrong_subject',
        'answer: expected a proof of the slot, got one of the account alone',
      );
    }
    const block = readVerifiedHeader(r, root);
    const value = verifyTreeProof(r.read('slot', readJsonTreeProof), key, block.header.state_root);
    return { block, value };
  });
}

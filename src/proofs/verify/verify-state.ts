import type { AccountRecord } from '../../generated/ledger.js';
import { readBorshAccountRecord, readJsonTreeProof } from '../../generated/verify-codecs.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, decodeBorsh, reading } from './decoding.js';
import { portableHashes } from './header-hash.js';
import { verifyTreeProof } from './tree-proof.js';
import { type Bytes, bytesOf, type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';

/** An account in the state after `block`. */
export interface VerifiedAccount {
  readonly block: VerifiedBlock;
  /** Undefined if the proof shows that the account is not in the state: it has no balance and never sent anything. */
  readonly record: AccountRecord | undefined;
}

/** A contract's slot in the state after `block`. */
export interface VerifiedSlot {
  readonly block: VerifiedBlock;
  /** Undefined if the proof shows that the slot is empty. */
  readonly value: Uint8Array | undefined;
}

/**
 * Verifies an answer of state_proof about an account: the header under the trust anchor, the proof under the header's
 * state root. The caller must judge by the block's height and time whether it is recent enough.
 * @param answer the method's result, as parsed by JSON.parse
 * @param address 20 bytes
 * @throws VerifyError naming the failed check
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
 * Verifies an answer of state_proof about a slot; otherwise like {@link verifyAccount}.
 * @param contract 20 bytes
 * @param slot 32 bytes
 * @throws VerifyError naming the failed check
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

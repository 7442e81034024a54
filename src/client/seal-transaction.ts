import { sha256 } from '@noble/hashes/sha2.js';
import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { Action, SealedHeader, SignedEnvelope } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { sealedEnvelopeHash } from '../ledger/transaction-envelope.js';
import { encoded } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import type { Hashed } from './send-options.js';
import type { Signer } from './signers.js';

/** A sealed transaction ready for submission. */
export interface EncodedEnvelope extends Hashed {
  readonly signed: SignedEnvelope;
  /** borsh(SignedEnvelope). */
  readonly encoded: Uint8Array;
}

/** An action to hide until a height's key is known. */
export interface Sealing {
  /** Publicly readable. */
  readonly header: SealedHeader;
  readonly action: Action;
  /** The chain's trusted group key, 48 bytes. The holder of its private key can read the action. */
  readonly groupPublicKey: Uint8Array;
}

/**
 * Seals an action to a height and signs the envelope. Runs locally in about 30 ms, without a node. The first call loads
 * the pairing library.
 * @throws ClientError `bad_argument` naming the member that does not have its type, `bad_key` if the group key is invalid
 *
 * @example
 * const { chain_id } = await client.status();
 * const { public_key: groupPublicKey, next_open_height, slot_price } = await client.get_epoch_key({});
 * const header = {
 *   chain_id,
 *   sender: bob.address,
 *   lane: 1,
 *   nonce: 0n,
 *   gas_limit: 3_000_000n,
 *   max_fee: 100n,
 *   priority_fee: 0n,
 *   max_seal_fee: 20n * slot_price,
 *   opens_at: next_open_height + 20n,
 * };
 * const action = { type: 'transfer', value: { to: alice.signer.address, amount: 5n } };
 * const { encoded } = await sealTransaction({ header, action, groupPublicKey }, bob);
 * await client.tx_submit_sealed({ envelope: encoded });
 */
export async function sealTransaction(
  { header, action, groupPublicKey }: Sealing,
  signer: Signer,
): Promise<EncodedEnvelope> {
  const encodedAction = encoded('', () => ledger.Action.encode(action));
  const encodedHeader = encoded('', () => ledger.SealedHeader.encode(header));
  const { seal } = await import('../crypto/sealing/seal.js');
  const envelope = { header, ...sealed() };
  const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(envelope), { sha256 });
  const signed = { envelope, signature: await signer.sign(hash) };
  return { signed, encoded: ledger.SignedEnvelope.encode(signed), hash, hashHex: toHex(hash) };

  function sealed(): ReturnType<typeof seal> {
    try {
      return seal({
        groupPublicKey,
        identity: sealIdentity(header.chain_id, header.opens_at),
        header: encodedHeader,
        action: encodedAction,
        randomness: crypto.getRandomValues(new Uint8Array(64)),
      });
    } catch (error) {
      throw new ClientError('bad_key', 'the group key is not a point of its group', { cause: error });
    }
  }
}

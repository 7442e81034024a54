import { sha256 } from '@noble/hashes/sha2.js';
import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { Action, SealedHeader, SignedEnvelope } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { sealedEnvelopeHash } from '../ledger/sealed-envelope.js';
import { ClientError } from './client-error.js';
import type { Signer } from './signers.js';

/** A sealed transaction ready to be submitted. */
export interface EncodedEnvelope {
  readonly signed: SignedEnvelope;
  /** borsh(SignedEnvelope). */
  readonly encoded: Uint8Array;
  /** 32 bytes: what the chain calls the transaction by. */
  readonly hash: Uint8Array;
  /** The hash as 64 lowercase hex digits. */
  readonly hashHex: string;
}

/** An action to be hidden until the key of a height is known. */
export interface Sealing {
  /** Readable by all. */
  readonly header: SealedHeader;
  readonly action: Action;
  /** The chain's, 48 bytes, trusted: who has its private key reads the action. */
  readonly groupPublicKey: Uint8Array;
}

/**
 * Seals an action to a height and signs the envelope. Everything happens here, in some 30 ms; no node is asked. The pairing library
 * is loaded with the first call.
 * @throws BorshError where a member is out of its type's range; ClientError `bad_key` where the group key is none
 *
 * @example
 * const { chain_id } = await client.status();
 * const { public_key: groupPublicKey, next_open_height } = await client.get_epoch_key({});
 * const header = {
 *   ...{ chain_id, sender: bob.address, lane: 1, nonce: 0n, gas_limit: 3_000_000n, max_fee: 100n, priority_fee: 0n },
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
  const encodedAction = ledger.Action.encode(action);
  const encodedHeader = ledger.SealedHeader.encode(header);
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
      throw new ClientError(
        'bad_key',
        'the group key is no point of its group: nothing can be sealed under it',
        {
          cause: error,
        },
      );
    }
  }
}

import { ed25519Address } from '../../crypto/address.js';
import type { Sha256 } from '../../crypto/crypto.js';
import { combine, decodeChecked, encodePoints } from '../../crypto/dkg/commitments.js';
import type { CeremonyDealing, Genesis } from '../../generated/ledger.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { ledger } from '../../ledger/codecs.js';
import { sharePublicKeys } from '../../ledger/validators/next-set.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { configuredGenesis } from './configuration.js';

const APPROVAL = new TextEncoder().encode('heddle/ceremony/1');

/**
 * The genesis that the dealings produce, with its validator set but without the ceremony's signatures.
 * @param dealings each validator's commitments, by index, with validated points
 * @returns undefined if a key is the point at infinity
 */
export function ceremonyGenesis(
  crypto: Sha256,
  configuration: CeremonyConfiguration,
  dealings: readonly CeremonyDealing['commitments'][],
): Genesis | undefined {
  const { validators } = configuration;
  const commitments = combine(
    dealings.map((dealing) => decodeChecked(dealing)),
    dealings.map(() => 1n),
  );
  const keys = sharePublicKeys(commitments, validators.length);
  const [constant] = commitments;
  if (keys === undefined || constant === undefined || constant.is0()) return undefined;
  const [groupPublicKey = new Uint8Array(0)] = encodePoints([constant]);
  const genesis = configuredGenesis(configuration, {
    epoch: 0n,
    quorum: quorumOf(validators.length),
    group_public_key: groupPublicKey,
    validators: validators.map(({ identity_key }, index) => ({
      index,
      address: ed25519Address(crypto, identity_key),
      identity_key,
      share_public_key: keys[index] ?? new Uint8Array(0),
    })),
  });
  const born = dealings.map((own, dealer) => ({ dealer, commitments: own }));
  return { ...genesis, ceremony: { dealings: born, signatures: [] } };
}

/** sha256(borsh(Genesis)) without signatures, 32 bytes: it covers the configuration and all keys. */
export function transcriptHash(crypto: Sha256, genesis: Genesis): Uint8Array {
  const { ceremony } = genesis;
  const unsigned =
    ceremony === undefined ? genesis : { ...genesis, ceremony: { ...ceremony, signatures: [] } };
  return crypto.sha256(ledger.Genesis.encode(unsigned));
}

/** The message that every validator signs with its identity key: "heddle/ceremony/1" ‖ transcript hash. */
export function approvalMessage(transcript: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([APPROVAL, transcript]));
}

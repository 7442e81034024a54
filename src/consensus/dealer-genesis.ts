import { ed25519Address } from '../crypto/address.js';
import type { Bls, Crypto } from '../crypto/crypto.js';
import { evaluationFor, randomPolynomial } from '../crypto/dkg/polynomial.js';
import { encodeScalar, type RandomBytes } from '../crypto/scalars/scalars.js';
import type { Genesis } from '../generated/ledger.js';
import type { CeremonyConfiguration } from '../generated/mesh.js';
import { quorumOf } from '../ledger/validators/quorum.js';
import { configuredGenesis } from './ceremony/configuration.js';

/** A genesis and the shares of its group key. */
export interface DealtGenesis {
  readonly genesis: Genesis;
  /** By index, 32 bytes each, secret. */
  readonly shares: readonly Uint8Array[];
}

/**
 * A genesis whose group key one dealer makes, who could sign everything alone until the shares are handed on and forgotten:
 * for trials. It has no ceremony, so its chain admits no further validators.
 */
export function dealerGenesis(
  {
    crypto,
    bls,
    random,
  }: {
    readonly crypto: Pick<Crypto, 'sha256'>;
    readonly bls: Pick<Bls, 'publicKey'>;
    readonly random: RandomBytes;
  },
  configuration: CeremonyConfiguration,
): DealtGenesis {
  const quorum = quorumOf(configuration.validators.length);
  const polynomial = randomPolynomial(quorum, random);
  const shares = configuration.validators.map((_, player) => encodeScalar(evaluationFor(polynomial, player)));
  const genesis = configuredGenesis(configuration, {
    epoch: 0n,
    quorum,
    group_public_key: bls.publicKey(encodeScalar(polynomial[0] ?? 0n)),
    validators: configuration.validators.map(({ identity_key }, index) => ({
      index,
      address: ed25519Address(crypto, identity_key),
      identity_key,
      share_public_key: bls.publicKey(shares[index] ?? new Uint8Array(0)),
    })),
  });
  return { genesis, shares };
}

import {
  approvalMessage,
  ceremonyGenesis,
  transcriptHash,
} from '../../../src/consensus/ceremony/transcript.js';
import type { DealtGenesis } from '../../../src/consensus/dealer-genesis.js';
import type { Bls, Crypto } from '../../../src/crypto/crypto.js';
import { commitmentsOf, evaluationFor, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { encodeScalar, modOrder, type RandomBytes } from '../../../src/crypto/scalars/scalars.js';
import type { CeremonyConfiguration } from '../../../src/generated/mesh.js';
import { quorumOf } from '../../../src/ledger/validators/quorum.js';

export interface SignedCeremonyParts {
  readonly crypto: Crypto;
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
}

/**
 * The result of a ceremony in which all goes well, without its messages.
 * @param seeds identity seeds by participant, 32 bytes each
 */
export function signedCeremony(
  { crypto, bls, random }: SignedCeremonyParts,
  configuration: CeremonyConfiguration,
  seeds: readonly Uint8Array[],
): DealtGenesis {
  const polynomials = seeds.map(() => randomPolynomial(quorumOf(seeds.length), random));
  const genesis = ceremonyGenesis(
    crypto,
    configuration,
    polynomials.map((polynomial) => commitmentsOf(bls, polynomial)),
  );
  if (genesis?.ceremony === undefined) throw new TypeError('the polynomials make no key');
  const message = approvalMessage(transcriptHash(crypto, genesis));
  const signatures = seeds.map((seed) => crypto.ed25519.sign(message, seed));
  const shares = seeds.map((_, player) => {
    const evaluations = polynomials.map((polynomial) => evaluationFor(polynomial, player));
    return encodeScalar(modOrder(evaluations.reduce((sum, evaluation) => sum + evaluation, 0n)));
  });
  return { genesis: { ...genesis, ceremony: { ...genesis.ceremony, signatures } }, shares };
}

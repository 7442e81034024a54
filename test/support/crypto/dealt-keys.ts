import { ed25519Address } from '../../../src/crypto/address.js';
import type { Bls, Crypto } from '../../../src/crypto/crypto.js';
import { encodeScalar, modOrder, reduceToScalar } from '../../../src/crypto/scalars/scalars.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { quorumOf } from '../../../src/ledger/validators/quorum.js';

/** A chain of several validators and their secrets. */
export interface DealtChain {
  readonly genesis: Genesis;
  /** By index, 32 bytes each. */
  readonly shares: readonly Uint8Array[];
  readonly identitySeeds: readonly Uint8Array[];
}

/** The development chain with `validators` validators, whose keys anybody can derive. */
export function dealtChain(
  crypto: Crypto,
  bls: Bls,
  validators: number,
  more: Partial<Genesis> = {},
): DealtChain {
  const quorum = quorumOf(validators);
  const hashed = (text: string) => crypto.sha256(Buffer.from(text));
  const polynomial = Array.from({ length: quorum }, (_, power) =>
    reduceToScalar(hashed(`coefficient ${power}`)),
  );
  const at = (x: bigint) => polynomial.reduceRight((sum, coefficient) => modOrder(sum * x + coefficient), 0n);
  const indices = Array.from({ length: validators }, (_, index) => index);
  const shares = indices.map((index) => encodeScalar(at(BigInt(index + 1))));
  const identitySeeds = indices.map((index) => hashed(`identity ${index}`));
  const genesis: Genesis = {
    ...devGenesis(crypto),
    validator_set: {
      epoch: 0n,
      quorum,
      group_public_key: bls.publicKey(encodeScalar(at(0n))),
      validators: indices.map((index) => {
        const identityKey = crypto.ed25519.publicKey(identitySeeds[index] ?? new Uint8Array(32));
        return {
          index,
          address: ed25519Address(crypto, identityKey),
          identity_key: identityKey,
          share_public_key: bls.publicKey(shares[index] ?? new Uint8Array(32)),
        };
      }),
    },
    encryption_keys: indices.map((index) =>
      bls.publicKey(encodeScalar(reduceToScalar(hashed(`encryption ${index}`)))),
    ),
    ...more,
  };
  return { genesis, shares, identitySeeds };
}

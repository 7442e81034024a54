import type { BlsKeyCheck, Sha256 } from '../../crypto/crypto.js';
import type { Genesis, ValidatorSet } from '../../generated/ledger.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import { toHex } from '../../idl/hex.js';
import { checkGenesis } from '../../ledger/genesis.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { MAX_VALIDATORS, quorumOf } from '../../ledger/validators/quorum.js';

/** Thrown for an invalid configuration; the message names the member. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** sha256(borsh(CeremonyConfiguration)), 32 bytes. */
export function configurationHash(crypto: Sha256, configuration: CeremonyConfiguration): Uint8Array {
  return crypto.sha256(meshCodecs.CeremonyConfiguration.encode(configuration));
}

/** The genesis of a configuration with the given validator set, without a ceremony. */
export function configuredGenesis(configuration: CeremonyConfiguration, set: ValidatorSet): Genesis {
  const { chain_id, timestamp_ms, gas_limit, base_fee, extra, accounts, epoch_length, validators } =
    configuration;
  return {
    chain_id,
    timestamp_ms,
    gas_limit,
    base_fee,
    ...(extra === undefined ? {} : { extra }),
    validator_set: set,
    encryption_keys: validators.map(({ encryption_key }) => encryption_key),
    accounts,
    ...(epoch_length === undefined ? {} : { epoch_length }),
  };
}

/**
 * Checks the constraints that the types do not express.
 * @param bls to check the encryption keys too, which needs a pairing library
 * @throws ConfigurationError naming the invalid member; GenesisError as `checkGenesis`
 */
export function checkConfiguration(configuration: CeremonyConfiguration, bls?: BlsKeyCheck): void {
  const { validators } = configuration;
  if (validators.length < 1 || validators.length > MAX_VALIDATORS) {
    throw new ConfigurationError(`validators: expected 1 to ${MAX_VALIDATORS}, got ${validators.length}`);
  }
  const seen = new Set<string>();
  for (const [place, { identity_key, encryption_key, endpoint }] of validators.entries()) {
    const key = toHex(identity_key);
    if (seen.has(key)) {
      throw new ConfigurationError(`validators[${place}].identity_key: 0x${key} appears twice`);
    }
    seen.add(key);
    if (bls?.isPublicKey(encryption_key) === false) {
      throw new ConfigurationError(`validators[${place}].encryption_key: not a valid point`);
    }
    if (!isEndpoint(endpoint)) {
      throw new ConfigurationError(`validators[${place}].endpoint: expected host:port, got "${endpoint}"`);
    }
  }
  checkGenesis(configuredGenesis(configuration, withoutKeys(validators)));
}

/** A placeholder set for the genesis checks, since its keys are not known yet. */
function withoutKeys(validators: CeremonyConfiguration['validators']): ValidatorSet {
  const none = new Uint8Array(48);
  return {
    epoch: 0n,
    quorum: quorumOf(validators.length),
    group_public_key: none,
    validators: validators.map(({ identity_key }, index) => ({
      index,
      address: new Uint8Array(20),
      identity_key,
      share_public_key: none,
    })),
  };
}

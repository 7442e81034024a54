import type { NativeMode } from '../../config/native-mode.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { Genesis } from '../../generated/ledger.js';
import { GenesisError } from '../../ledger/genesis.js';
import type { IdentityCrypto } from '../../ledger/validators/check-dealing.js';
import { checkEncryptionKeys } from '../../ledger/validators/members.js';
import type { ValidatorRefusal } from '../../ledger/validators/refusal.js';

/**
 * Checks the origin of the group key in a genesis before anybody relies on it: the ceremony, with the signatures of all
 * validators; or without one that the share public keys belong to the group key, which a dealer knows. Also checks that
 * the encryption keys are valid. Loads a pairing library unless there is one validator, and takes milliseconds to seconds
 * (bench/dkg.bench.ts).
 * @param place name of the genesis in messages, such as its file
 * @throws GenesisError saying which rule is broken
 */
export async function expectSoundGenesis(
  genesis: Genesis,
  crypto: IdentityCrypto,
  native: NativeMode,
  place: string,
): Promise<void> {
  const wrong = await problemOf(genesis, crypto, native);
  if (wrong !== undefined) throw new GenesisError(`${place}: ${wrong}`);
}

async function problemOf(
  genesis: Genesis,
  crypto: IdentityCrypto,
  native: NativeMode,
): Promise<string | undefined> {
  const { validator_set: set, ceremony } = genesis;
  // A single validator signs with the group key itself.
  if (ceremony === undefined && set.validators.length === 1) return undefined;
  // Pairing libraries load slowly, and a development chain needs none at start.
  const bls = await loadBls(native);
  const unusable = checkEncryptionKeys(bls, genesis.encryption_keys ?? []);
  if (unusable !== undefined) return described('encryption_keys', unusable);
  if (ceremony === undefined) {
    const { checkShareKeys } = await import('../../ledger/validators/check-share-keys.js');
    return described('validator_set', checkShareKeys(bls, set));
  }
  const { checkCeremony } = await import('./check-ceremony.js');
  return described('ceremony', checkCeremony({ crypto, bls }, genesis));
}

function described(member: string, wrong: ValidatorRefusal | undefined): string | undefined {
  return wrong === undefined ? undefined : `${member}: ${wrong.message}`;
}

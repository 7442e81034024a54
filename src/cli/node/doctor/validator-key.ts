import { readValidatorKey, ValidatorKeyError } from '../../../consensus/validator-key.js';
import { loadBls } from '../../../crypto/load-bls.js';
import { toHex } from '../../../idl/hex.js';
import { type DoctorContext, genesisIfValid } from './doctor-context.js';
import { type Finding, ok, problem } from './finding.js';
import { exposedSecret } from './secret-mode.js';

const EXPECTED = "the private key of the genesis's group_public_key, in a file with mode 0600";

/** Checks whether the file of --validator-key is private and holds the key of the genesis. Never prints the key. */
export async function checkValidatorKey(context: DoctorContext): Promise<Finding[]> {
  const { credentials } = context;
  const { validatorKeyFile: path } = context.config;
  if (path === undefined) return [];
  const exposed = exposedSecret('validator key', path, credentials);
  const findings = exposed === undefined ? [] : [exposed];
  const genesis = await genesisIfValid(context);
  if (genesis === undefined) {
    const found = `${path} could not be compared with the genesis`;
    return [...findings, problem('validator key', found, EXPECTED, 'correct the genesis first')];
  }
  const { group_public_key: key } = genesis.validator_set;
  try {
    readValidatorKey(path, await loadBls('auto'), key);
  } catch (error) {
    if (!(error instanceof ValidatorKeyError)) throw error;
    const advice = 'name the right file with --validator-key, and let only the user of the node read it';
    return [...findings, problem('validator key', error.message, EXPECTED, advice)];
  }
  return exposed === undefined
    ? [ok('validator key', `${path} holds the key ${toHex(key)}`, EXPECTED)]
    : findings;
}

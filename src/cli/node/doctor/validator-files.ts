import { sameBytes } from '../../../base/same-bytes.js';
import { PublicFileError } from '../../../consensus/files/public-file.js';
import { SecretFileError } from '../../../consensus/files/secret-file.js';
import { loadBls } from '../../../crypto/load-bls.js';
import type { Genesis } from '../../../generated/ledger.js';
import { toHex } from '../../../idl/hex.js';
import {
  expectValidatorDirectory,
  PassphraseError,
  readValidatorFiles,
  type ValidatorFiles,
} from '../../../node/validator/validator-files.js';
import { type DoctorContext, genesisIfValid } from './doctor-context.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { exposedSecret } from './secret-mode.js';

const EXPECTED =
  'identity.json, encryption.json, share.json, peers.json and genesis.json of this chain, the secret ones private';
const ADVICE = 'see docs/validators.md for the files of a validator';

/** The files of a validator's directory; undefined if they are unusable: {@link checkValidatorFiles} reports why. */
export async function validatorFiles({ config, crypto }: DoctorContext): Promise<ValidatorFiles | undefined> {
  if (config.validator === undefined) return undefined;
  try {
    return await readValidatorFiles(config, config.validator, { crypto, bls: await loadBls('auto') });
  } catch (error) {
    if (isExplained(error)) return undefined;
    throw error;
  }
}

/** Checks whether a validator's files are complete, private, readable, and of the right chain. Prints no secret. */
export async function checkValidatorFiles(context: DoctorContext): Promise<Finding[]> {
  const { config, crypto, credentials } = context;
  if (config.validator === undefined) return [];
  const exposed =
    config.passphraseFile === undefined
      ? undefined
      : exposedSecret('validator files', config.passphraseFile, credentials);
  const findings = exposed === undefined ? [] : [exposed];
  let files: ValidatorFiles;
  try {
    expectValidatorDirectory(config);
    files = await readValidatorFiles(config, config.validator, { crypto, bls: await loadBls('auto') });
  } catch (error) {
    if (!isExplained(error)) throw error;
    return [...findings, problem('validator files', error.message, EXPECTED, ADVICE)];
  }
  const genesis = await genesisIfValid(context);
  return [...findings, await compare(files, genesis)];
}

async function compare(
  { identity, share, peers, paths }: ValidatorFiles,
  genesis: Genesis | undefined,
): Promise<Finding> {
  const name = `validator ${toHex(identity.publicKey)}`;
  const isListed = peers.some(({ identity_key }) => sameBytes(identity_key, identity.publicKey));
  if (share === undefined) {
    const found = `${name} has no share of the group key, so it only follows`;
    return warning('validator files', found, EXPECTED, 'run heddle dkg, or wait until it is admitted');
  }
  // Later validator sets are in the store, which a running node keeps open.
  const own = share.epoch === 0n ? genesis?.validator_set.validators[share.index] : undefined;
  const publicShare = own && (await loadBls('auto')).publicKey(share.share);
  const isOther =
    own !== undefined &&
    !(sameBytes(own.identity_key, identity.publicKey) && sameBytes(own.share_public_key, publicShare));
  if (isOther) {
    const found = `${paths.share} is not the share of this validator in the genesis`;
    return problem(
      'validator files',
      found,
      EXPECTED,
      'restore the files of this validator, or its genesis.json',
    );
  }
  const compared = own === undefined ? 'was not compared with the genesis' : 'matches the genesis';
  const listed = isListed ? '' : '; peers.json does not list this validator';
  const found = `${name}, index ${share.index}; its share from epoch ${share.epoch} on ${compared}${listed}`;
  return ok('validator files', found, EXPECTED);
}

function isExplained(error: unknown): error is Error {
  return (
    error instanceof PublicFileError || error instanceof SecretFileError || error instanceof PassphraseError
  );
}

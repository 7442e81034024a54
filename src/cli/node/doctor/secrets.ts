import { existsSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasCode } from '../../../base/errors.js';
import { sameBytes } from '../../../base/same-bytes.js';
import { PublicFileError } from '../../../consensus/files/public-file.js';
import { SecretFileError } from '../../../consensus/files/secret-file.js';
import { readValidatorKey, ValidatorKeyError } from '../../../consensus/validator-key.js';
import { loadBls } from '../../../crypto/load-bls.js';
import type { Genesis } from '../../../generated/ledger.js';
import { toHex } from '../../../idl/hex.js';
import {
  expectValidatorDirectory,
  PassphraseError,
  readValidatorFiles,
  type ValidatorFiles,
} from '../../../node/validator/validator-files.js';
import { IssuerKeys } from '../../../rpc/access/issuer-keys.js';
import { AccessError, TokenFiles } from '../../../rpc/access/token-files.js';
import { SILENT_LOG } from '../../silent-log.js';
import { type DoctorContext, type Finding, genesisIfValid, ok, problem, warning } from './doctor-context.js';

const GROUP = 0o070;
const WORLD = 0o007;

/**
 * Checks the mode of a secret file. Access for everyone is a problem; access for its group is a warning, because the
 * group may have one member, as in Kubernetes. The code that reads the file reports one that is missing or
 * inaccessible.
 * @param credentials a directory of systemd credentials: there the group's bits are the mask of an access control list
 *   that lets only the user of the unit in
 */
function exposedSecret(path: string, credentials?: string): readonly Finding[] {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasCode(error, code))) return [];
    throw error;
  }
  const isOpen = (bits: number) => process.platform !== 'win32' && (stats.mode & bits) !== 0;
  const mode = `has mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}`;
  const advice = `chmod 600 '${path}'`;
  if (isOpen(WORLD)) return [problem(`${path} ${mode}: others can use it`, 'mode 0600', advice)];
  if (credentials !== undefined && resolve(path).startsWith(`${resolve(credentials)}/`)) return [];
  if (isOpen(GROUP)) return [warning(`${path} ${mode}: its group can use it`, 'mode 0600', advice)];
  return [];
}

const VALIDATOR_KEY = "the private key of the genesis's group_public_key, in a file with mode 0600";

/** Checks whether the file of --validator-key is private and holds the key of the genesis. Never prints the key. */
export async function checkValidatorKey(context: DoctorContext): Promise<readonly Finding[]> {
  const { credentials } = context;
  const { validatorKeyFile: path } = context.config;
  if (path === undefined) return [];
  const findings = exposedSecret(path, credentials);
  const genesis = await genesisIfValid(context);
  if (genesis === undefined) {
    const found = `${path} could not be compared with the genesis`;
    return [...findings, problem(found, VALIDATOR_KEY, 'correct the genesis first')];
  }
  const { group_public_key: key } = genesis.validator_set;
  try {
    readValidatorKey(path, await loadBls('auto'), key);
  } catch (error) {
    if (!(error instanceof ValidatorKeyError)) throw error;
    const advice = 'name the right file with --validator-key, and let only the user of the node read it';
    return [...findings, problem(error.message, VALIDATOR_KEY, advice)];
  }
  return findings.length === 0 ? [ok(`${path} holds the key ${toHex(key)}`, VALIDATOR_KEY)] : findings;
}

const VALIDATOR_FILES =
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
export async function checkValidatorFiles(context: DoctorContext): Promise<readonly Finding[]> {
  const { config, crypto, credentials } = context;
  if (config.validator === undefined) return [];
  const { passphraseFile } = config;
  const findings = passphraseFile === undefined ? [] : exposedSecret(passphraseFile, credentials);
  let files: ValidatorFiles;
  try {
    expectValidatorDirectory(config);
    files = await readValidatorFiles(config, config.validator, { crypto, bls: await loadBls('auto') });
  } catch (error) {
    if (!isExplained(error)) throw error;
    return [...findings, problem(error.message, VALIDATOR_FILES, ADVICE)];
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
    return warning(found, VALIDATOR_FILES, 'run heddle dkg, or wait until it is admitted');
  }
  // Later validator sets are in the store, which a running node keeps open.
  const own = share.epoch === 0n ? genesis?.validator_set.validators[share.index] : undefined;
  const publicShare = own && (await loadBls('auto')).publicKey(share.share);
  const isOther =
    own !== undefined &&
    !(sameBytes(own.identity_key, identity.publicKey) && sameBytes(own.share_public_key, publicShare));
  if (isOther) {
    const found = `${paths.share} is not the share of this validator in the genesis`;
    return problem(found, VALIDATOR_FILES, 'restore the files of this validator, or its genesis.json');
  }
  const compared = own === undefined ? 'was not compared with the genesis' : 'matches the genesis';
  const listed = isListed ? '' : '; peers.json does not list this validator';
  const found = `${name}, index ${share.index}; its share from epoch ${share.epoch} on ${compared}${listed}`;
  return ok(found, VALIDATOR_FILES);
}

function isExplained(error: unknown): error is Error {
  return (
    error instanceof PublicFileError || error instanceof SecretFileError || error instanceof PassphraseError
  );
}

const TOKENS = 'token.secret and admin.token in the data directory, mode 0600; the first start creates them';

/** Checks whether the token files are private and valid. Prints no token. */
export async function checkTokenFiles({ config }: DoctorContext): Promise<readonly Finding[]> {
  const files = new TokenFiles(config.dataDir, SILENT_LOG);
  const paths = [files.secretPath, files.adminTokenPath];
  const findings = paths.flatMap((path) => exposedSecret(path));
  try {
    await files.storedSecret();
    await files.adminToken();
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const advice =
      'restore the file, or remove it: the next start creates a new one, and old tokens become invalid';
    findings.push(problem(error.message, TOKENS, advice));
  }
  if (findings.length > 0) return findings;
  const missing = paths.filter((path) => !existsSync(path));
  const found = missing.length === 0 ? 'both are private and valid' : `missing so far: ${missing.join(', ')}`;
  return [ok(found, TOKENS)];
}

const ISSUER_KEYS = 'public Ed25519 keys as PEM (SPKI), JWK or JWK Set';

export async function checkIssuerKeys({ config }: DoctorContext): Promise<readonly Finding[]> {
  const { tokenIssuerKeys: files } = config;
  if (files.length === 0) return [];
  try {
    const { ids } = await IssuerKeys.read(files);
    return [ok(`${files.join(', ')}: keys ${ids.join(', ')}`, ISSUER_KEYS)];
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const advice =
      'name files with public keys in --token-issuer-key; openssl pkey -in KEY -pubout prints the public part';
    return [problem(error.message, ISSUER_KEYS, advice)];
  }
}

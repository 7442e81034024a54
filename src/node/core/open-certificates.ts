import type { Certificates } from '../../chain/certificates.js';
import type { FinalizedSegment } from '../../chain/pending-blocks.js';
import { StoredCertificates } from '../../chain/stored-certificates.js';
import type { Config } from '../../config/config.js';
import { badValue, ConfigError, missingOption } from '../../config/config-error.js';
import type { NativeReport } from '../../config/native-mode.js';
import { ValidatorCertificates } from '../../consensus/validator-certificates.js';
import { devValidatorKey, readValidatorKey } from '../../consensus/validator-key.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import type { Genesis } from '../../generated/ledger.js';
import type { BlockReader } from '../../ledger/block-store.js';
import type { Store } from '../../storage/store.js';
import type { CoreOptions } from './core-options.js';

/** @throws ConfigError if the chain's key is missing, or given together with `--no-certificates` */
export function expectValidatorKey(config: Config): void {
  const { follow, genesisFile, validator, validatorKeyFile, noCertificates } = config;
  if (validator !== undefined && (noCertificates || validatorKeyFile !== undefined)) {
    const option = noCertificates ? 'no-certificates' : 'validator-key';
    const expected = 'none beside --validator: several validators make certificates together';
    throw new ConfigError(badValue(option, validatorKeyFile ?? true, expected));
  }
  if (validator !== undefined) return;
  if (noCertificates && validatorKeyFile !== undefined) {
    const expected = 'false if --validator-key names the key for certificates';
    throw new ConfigError(badValue('no-certificates', true, expected));
  }
  if (noCertificates || follow.length > 0 || genesisFile === undefined || validatorKeyFile !== undefined)
    return;
  const reason =
    'the genesis names the key that certifies blocks of this chain, and blocks sealed without it cannot be trusted: ' +
    'name its file, or give --no-certificates';
  throw new ConfigError(missingOption('validator-key', reason));
}

/** The certificate service, and the group's private key if this node holds the whole key. */
export interface CertificateServices {
  readonly certificates: Certificates;
  /** The group's private key, 32 bytes. */
  readonly groupKey: Uint8Array | undefined;
}

/**
 * Chooses the source of certificates and height keys: the validator's key if it is on this node, else the store.
 * @throws ValidatorKeyError if `--validator-key` names no key, or a key other than the genesis's; CryptoError
 */
export async function openCertificates(
  options: Pick<CoreOptions, 'config' | 'log'> & { readonly report: NativeReport },
  parts: {
    readonly crypto: Crypto;
    readonly genesis: Genesis;
    readonly store: Store;
    readonly blocks: BlockReader;
    readonly workers: Pick<ExecutionPool, 'run'>;
    /** The blocks in the running commit. */
    readonly committing: () => FinalizedSegment | undefined;
  },
): Promise<CertificateServices> {
  const privateKey = await validatorKey(options, parts);
  const stored = new StoredCertificates(parts.store, parts.blocks, parts.committing);
  if (privateKey === undefined) return { certificates: stored, groupKey: undefined };
  const { genesis } = parts;
  const certificates = new ValidatorCertificates({
    ...parts,
    stored,
    privateKey,
    groupPublicKey: genesis.validator_set.group_public_key,
    report: options.report,
  });
  return { certificates, groupKey: privateKey };
}

async function validatorKey(
  { config, log }: Pick<CoreOptions, 'config' | 'log'>,
  { crypto, genesis }: { readonly crypto: Crypto; readonly genesis: Genesis },
): Promise<Uint8Array | undefined> {
  const { follow, validator, validatorKeyFile, noCertificates, native } = config;
  // With several validators, each gets its certificates from agreement and reads them from the store.
  if (validator !== undefined) return undefined;
  // A required native part that does not load must fail the start.
  const bls = validatorKeyFile !== undefined || native === 'require' ? await loadBls(native) : undefined;
  if (validatorKeyFile !== undefined && bls !== undefined) {
    return readValidatorKey(validatorKeyFile, bls, genesis.validator_set.group_public_key);
  }
  // A follower passes on the certificates of its sources.
  if (follow.length > 0) return undefined;
  if (!noCertificates) return devValidatorKey(crypto);
  log.warn('blocks are sealed without finality certificates');
  return undefined;
}

import { type Certificates, StoredCertificates } from '../../chain/certificates.js';
import { DevRecord } from '../../chain/dev-record.js';
import { Pruner } from '../../chain/prune.js';
import type { Config } from '../../config/config.js';
import { badFlag, missingFlag } from '../../config/config-error.js';
import { checkpointInterval } from '../../config/defaults.js';
import { ValidatorCertificates } from '../../consensus/validator-certificates.js';
import { devValidatorKey, readValidatorKey } from '../../consensus/validator-key.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadBls } from '../../crypto/load-bls.js';
import { cutCheckpoint } from '../../proofs/snapshot/cut-checkpoint.js';
import { Checkpoints } from '../../sync/checkpoints.js';
import type { CoreOptions } from './core-options.js';
import type { ChainState } from './open-chain-state.js';
import type { Workers } from './open-workers.js';

/** Pause after each chunk of a cut, as a share of its cutting time: a running node has more urgent work. */
const REST_RATIO = 0.5;

/** The services that prove, keep and open blocks of the committed chain. */
export interface ChainServices {
  readonly certificates: Certificates;
  readonly checkpoints: Checkpoints;
  /** The group's private key, 32 bytes; undefined on a node without it. */
  readonly groupKey: Uint8Array | undefined;
  /** Whether this node, or other validators, can open sealed transactions. */
  readonly canOpen: boolean;
  /** Facts of development controls; unused on other chains. */
  readonly devRecord: DevRecord;
}

/**
 * Opens certificates and checkpoints, and starts pruning old states.
 * @throws ValidatorKeyError if `--validator-key` names no key, or a key other than the genesis's; CryptoError
 */
export async function openChainServices(
  options: CoreOptions,
  state: ChainState & { readonly workers: Workers },
): Promise<ChainServices> {
  const { config, log, report, teardown } = options;
  const { crypto, store, chain, blocks, pending, workers } = state;
  const { group_public_key: groupPublicKey } = chain.genesis.validator_set;
  const devRecord = new DevRecord(store);
  const pruner = new Pruner(
    store,
    chain,
    BigInt(config.stateRetention),
    (error) => log.error({ err: error }, 'pruning failed; it is retried later'),
    () => devRecord.oldestHeld,
  );
  teardown.add(() => pruner.stop());
  const groupKey = await validatorKey(options, crypto, groupPublicKey);
  const stored = new StoredCertificates(store, blocks, () => pending.committing);
  // The validator's key makes certificates if it is on this node; otherwise they come with the blocks.
  const certificates =
    groupKey === undefined
      ? stored
      : new ValidatorCertificates({
          stored,
          blocks,
          report,
          workers: workers.reads,
          privateKey: groupKey,
          groupPublicKey,
        });
  const checkpoints = openCheckpoints(options, state);
  const hasOthers = config.follow.length > 0 || config.validator !== undefined;
  // What an envelope reads is known only when it is opened, too late to copy it to a fork.
  const canOpen = (hasOthers || groupKey !== undefined) && store.base === undefined;
  return { certificates, checkpoints, groupKey, canOpen, devRecord };
}

/** Starts keeping the checkpoints of an open chain, and their trees, so that keys can be proved at them. */
function openCheckpoints(
  { config, log, teardown, metrics }: CoreOptions,
  { store, chain, blocks, proofs }: ChainState,
): Checkpoints {
  const keepTrees = (checkpoints: Pick<Checkpoints, 'before'>) => {
    const heights = Array.from(checkpoints.before(), ({ height }) => height);
    proofs
      .keepCheckpoints(heights)
      .catch((error: unknown) => log.error({ err: error }, 'could not keep the trees of checkpoints'));
  };
  const checkpoints = new Checkpoints({
    store,
    chain,
    blocks,
    interval: BigInt(checkpointInterval(config)),
    kept: config.checkpointsKept,
    cut: async (height, signal) => {
      const begun = performance.now();
      const source = { store: store.handle, native: config.native, height };
      const state = await cutCheckpoint({ ...source, restRatio: REST_RATIO, signal });
      metrics?.chain.checkpoint(performance.now() - begun);
      return state;
    },
    onCut: ({ height, entries, chunk_count }, all) => {
      const fields = { height: height.toString(), entries: entries.toString(), chunks: chunk_count };
      log.info(fields, 'cut a checkpoint');
      keepTrees(all);
    },
    onError: (error) => {
      metrics?.chain.checkpoint('failed');
      log.error({ err: error }, 'a checkpoint could not be cut; the next one will be tried');
    },
  });
  keepTrees(checkpoints);
  teardown.add(() => checkpoints.stop());
  return checkpoints;
}

/** @throws ConfigError if the chain's key is missing, or given together with `--no-certificates` */
export function expectValidatorKey(config: Config): void {
  const { follow, genesisFile, validator, validatorKeyFile, noCertificates } = config;
  if (validator !== undefined && (noCertificates || validatorKeyFile !== undefined)) {
    const option = noCertificates ? 'no-certificates' : 'validator-key';
    const expected = 'none beside --validator: several validators make certificates together';
    throw badFlag(option, validatorKeyFile ?? true, expected);
  }
  if (validator !== undefined) return;
  if (noCertificates && validatorKeyFile !== undefined) {
    throw badFlag('no-certificates', true, 'false if --validator-key names the key for certificates');
  }
  if (noCertificates || follow.length > 0 || genesisFile === undefined || validatorKeyFile !== undefined)
    return;
  throw missingFlag(
    'validator-key',
    'the genesis names the key that certifies blocks of this chain, and blocks sealed without it cannot be trusted: ' +
      'name its file, or give --no-certificates',
  );
}

/** The group's private key, 32 bytes; undefined on a node without it. */
async function validatorKey(
  { config, log }: CoreOptions,
  crypto: Crypto,
  groupPublicKey: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { follow, validator, validatorKeyFile, noCertificates, native } = config;
  // With several validators, each gets its certificates from agreement and reads them from the store.
  if (validator !== undefined) return undefined;
  // A required native part that does not load must fail the start.
  const bls = validatorKeyFile !== undefined || native === 'require' ? await loadBls(native) : undefined;
  if (validatorKeyFile !== undefined && bls !== undefined) {
    return readValidatorKey(validatorKeyFile, bls, groupPublicKey);
  }
  // A follower passes on the certificates of its sources.
  if (follow.length > 0) return undefined;
  if (!noCertificates) return devValidatorKey(crypto);
  log.warn('blocks are sealed without finality certificates');
  return undefined;
}

import { sameBytes } from '../../base/same-bytes.js';
import { type Finality, parentViewOf, signedCertificate, storedFinality } from '../../chain/certificates.js';
import { ChainError } from '../../chain/chain-error.js';
import type { Config } from '../../config/config.js';
import { devValidatorKey, readValidatorKey } from '../../consensus/validator-key.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { CheckpointDescriptor } from '../../generated/node-rpc-v1.js';
import { BlockReader } from '../../ledger/block-store.js';
import { readGenesis } from '../../ledger/chain-meta.js';
import { ValidatorSets } from '../../ledger/validators/validator-sets.js';
import { proveMmrInclusion } from '../../proofs/mmr.js';
import { ProofError } from '../../proofs/proof-error.js';
import { storedHistory, storedNodes } from '../../proofs/stored-history.js';
import type { StoreReader } from '../../storage/store.js';
import type { ArchiveHead } from '../../sync/archive-format.js';
import { SnapshotError } from '../../sync/snapshot-error.js';

/**
 * The head of an archive of a stored checkpoint. The proof that its block is final comes from the store, or is made
 * with the validator's key.
 * @throws SnapshotError `untrusted` if neither is available; ChainError `damaged`
 */
export async function archiveHead(
  config: Config,
  { store, crypto }: { readonly store: StoreReader; readonly crypto: Crypto },
  { archive: _, ...checkpoint }: CheckpointDescriptor,
): Promise<ArchiveHead> {
  const blocks = new BlockReader(store);
  const genesis = readGenesis(store);
  const block = blocks.header(checkpoint.height);
  const first = blocks.header(0n);
  const validators = block === undefined ? undefined : new ValidatorSets(store).of(block.header.epoch);
  if (genesis === undefined || block === undefined || first === undefined || validators === undefined) {
    throw new ChainError('damaged', `block 0 or block ${checkpoint.height} is missing from the store`);
  }
  const finality =
    storedFinality(store, blocks, checkpoint.height) ??
    (await signedFinality(config, crypto, blocks, checkpoint.height, genesis.validator_set.group_public_key));
  return {
    light: {
      checkpoint,
      header: block.header,
      certificate: finality.certificate,
      descendants: finality.descendants,
      history: storedHistory(store, block.header),
      validator_set: validators,
    },
    origin: { header: first.header, ...originPath(store, checkpoint.height) },
  };
}

/** The path of block 0 in the history; undefined on a node whose snapshot came without it. */
function originPath(store: StoreReader, leaves: bigint): { readonly path?: readonly Uint8Array[] } {
  try {
    return {
      path: proveMmrInclusion((positions) => storedNodes(store, positions), { leaves, leafIndex: 0n }).path,
    };
  } catch (error) {
    if (error instanceof ProofError && error.code === 'damaged') return {};
    throw error;
  }
}

async function signedFinality(
  { native, genesisFile, validatorKeyFile }: Config,
  crypto: Crypto,
  blocks: BlockReader,
  height: bigint,
  groupPublicKey: Uint8Array,
): Promise<Finality> {
  const bls = await loadBls(native);
  const privateKey =
    validatorKeyFile === undefined
      ? devValidatorKey(crypto)
      : readValidatorKey(validatorKeyFile, bls, groupPublicKey);
  const isOwn =
    (genesisFile === undefined || validatorKeyFile !== undefined) &&
    sameBytes(bls.publicKey(privateKey), groupPublicKey);
  const block = blocks.header(height);
  const parent = blocks.header(height - 1n);
  const parentView = block === undefined ? undefined : parentViewOf(block.header, parent?.header);
  if (!isOwn || block === undefined || parentView === undefined) {
    throw new SnapshotError(
      'untrusted',
      `no certificate of block ${height}; without one the archive cannot be trusted: name the --validator-key`,
    );
  }
  const sign = (message: Uint8Array) => bls.sign(message, privateKey);
  return { certificate: await signedCertificate(block, parentView, groupPublicKey, sign), descendants: [] };
}

import { sameBytes } from '../base/same-bytes.js';
import { headerHash, headerOfGenesis } from '../chain/genesis-block.js';
import type { Hashes } from '../crypto/crypto.js';
import type { BlockHeader, Genesis } from '../generated/ledger.js';
import type { GetLightSnapshotResult } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { validatorsHash } from '../ledger/header.js';
import { mmrRoot, mmrSize, peakPositions, verifyMmrInclusion } from '../proofs/mmr.js';
import { finalizeMessage } from '../proofs/verify/certificate-message.js';
import { certifiedDescendant, isCertificateOf } from '../proofs/verify/descendants.js';
import { SnapshotError } from './snapshot-error.js';

/** Maximum number of chunks: 2^20 chunks of a mebibyte each exceed any state that a node could hold. */
const MAX_CHUNKS = 1_048_576;

/** Trust anchor for a snapshot: a group public key (48 bytes) or the chain's genesis. */
export type SnapshotTrust =
  | { readonly type: 'key'; readonly groupPublicKey: Uint8Array }
  | { readonly type: 'genesis'; readonly genesis: Genesis };

/** Block 0 of a snapshot's chain, with its inclusion path in the history of the checkpoint's block. */
export interface SnapshotOrigin {
  readonly header: BlockHeader;
  /** Siblings from leaf 0 up to its peak, 32 bytes each; optional if the genesis is trusted. */
  readonly path?: readonly Uint8Array[];
}

/** A verified snapshot head: everything but the state, whose root it names. */
export interface TrustedSnapshot {
  readonly light: GetLightSnapshotResult;
  readonly blockHash: Uint8Array;
  readonly origin: SnapshotOrigin;
  readonly originHash: Uint8Array;
  /** The chain's genesis; without accounts if only a key is trusted. */
  readonly genesis: Genesis;
}

export interface SnapshotChecks {
  readonly hashes: Hashes;
  /** Verifies a BLS signature (96 bytes) by a public key (48 bytes); false for malformed input. */
  readonly verifySignature: (
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ) => boolean | Promise<boolean>;
}

/**
 * Verifies a snapshot's head against a trust anchor: header, certificate of the block or of a descendant, history,
 * validator set and origin.
 * @param light result of `get_light_snapshot`
 * @param origin block 0 with its path; required if only a key is trusted
 * @throws SnapshotError `malformed` or `untrusted`, naming the mismatch
 */
export async function verifyLightSnapshot(
  light: GetLightSnapshotResult,
  origin: SnapshotOrigin | undefined,
  trust: SnapshotTrust,
  { hashes, verifySignature }: SnapshotChecks,
): Promise<TrustedSnapshot> {
  const { checkpoint, header, certificate, descendants, history, validator_set: set } = light;
  const { height } = header;
  const hash = headerHash(hashes, header);
  const expect = (fine: boolean, what: string) => {
    if (!fine) throw new SnapshotError('malformed', `snapshot at ${height}: ${what}`);
  };
  const same = (what: string, left: Uint8Array, right: Uint8Array) =>
    expect(sameBytes(left, right), `${what}: ${toHex(left)} and ${toHex(right)} differ`);
  expect(height > 0n, 'expected a checkpoint above block 0');
  expect(checkpoint.height === height, `expected a header of the checkpoint's height, ${checkpoint.height}`);
  expect(
    checkpoint.chunk_count > 0 && checkpoint.chunk_count <= MAX_CHUNKS,
    `expected from 1 to ${MAX_CHUNKS} chunks, got ${checkpoint.chunk_count}`,
  );
  expect(
    checkpoint.created_ms === header.timestamp_ms,
    `expected the block's timestamp ${header.timestamp_ms} in created_ms, got ${checkpoint.created_ms}`,
  );
  same("the checkpoint's block hash and that of the header", checkpoint.block_hash, hash);
  same("the checkpoint's state root and the header's", checkpoint.state_root, header.state_root);
  same("the checkpoint's history root and the header's", checkpoint.history_root, header.history_root);
  expect(history.height === height, `expected the history of blocks below ${height}, got ${history.height}`);
  expect(
    history.size === mmrSize(height),
    `expected a history of ${mmrSize(height)} nodes, got ${history.size}`,
  );
  expect(history.peaks.length === peakPositions(height).length, 'the history has the wrong number of peaks');
  same("the history's root and the header's", history.root, header.history_root);
  const peaksRoot = mmrRoot(hashes, history.size, history.peaks);
  same("the history's root and that of its peaks", peaksRoot, history.root);
  same('the validator set and its hash in the header', validatorsHash(hashes, set), header.validators_hash);

  const key = trust.type === 'key' ? trust.groupPublicKey : trust.genesis.validator_set.group_public_key;
  for (const [named, what] of [
    [certificate.group_public_key, 'certificate'],
    [set.group_public_key, 'validator set'],
  ] as const) {
    if (!sameBytes(named, key)) {
      throw untrusted(
        height,
        `the ${what} names the group key ${toHex(named)}, the trusted one is ${toHex(key)}`,
      );
    }
  }
  const certified = certifiedDescendant({ header, hash }, descendants, (other) => headerHash(hashes, other));
  if (certified === undefined) {
    throw untrusted(height, "the certificate's headers do not form a chain from the block");
  }
  if (!isCertificateOf(certificate, certified)) {
    throw untrusted(height, 'the certificate is for another block');
  }
  const message = finalizeMessage({
    chainId: header.chain_id,
    epoch: certificate.epoch,
    view: certificate.view,
    parentView: certificate.parent_view,
    hash: certified.hash,
  });
  if (!(await verifySignature(key, message, certificate.signature))) {
    throw untrusted(height, `the certificate is not signed by the trusted key ${toHex(key)}`);
  }
  return { light, blockHash: hash, ...checkOrigin(light, origin, trust, hashes) };
}

function checkOrigin(
  { header: { chain_id, height }, history, validator_set }: GetLightSnapshotResult,
  origin: SnapshotOrigin | undefined,
  trust: SnapshotTrust,
  hashes: Hashes,
): Pick<TrustedSnapshot, 'origin' | 'originHash' | 'genesis'> {
  const known = trust.type === 'genesis' ? headerOfGenesis(hashes, trust.genesis) : undefined;
  const first = known ?? origin?.header;
  const path = origin?.path;
  if (first === undefined || (known === undefined && path === undefined)) {
    throw untrusted(height, 'without the genesis, block 0 and its path in the history are needed');
  }
  const hash = headerHash(hashes, first);
  if (origin !== undefined && !sameBytes(headerHash(hashes, origin.header), hash)) {
    throw untrusted(height, 'its chain has another genesis');
  }
  if (first.chain_id !== chain_id || first.height !== 0n) {
    throw untrusted(height, `it is of chain ${chain_id}, block 0 of chain ${first.chain_id}`);
  }
  if (path !== undefined) {
    const proof = { leafIndex: 0n, leaves: height, path, peaks: history.peaks };
    if (!verifyMmrInclusion(hashes, proof, hash, history.root)) {
      throw untrusted(height, 'its history does not begin with block 0');
    }
  }
  const genesis =
    trust.type === 'genesis'
      ? trust.genesis
      : {
          chain_id,
          timestamp_ms: first.timestamp_ms,
          gas_limit: first.gas_limit,
          base_fee: first.base_fee,
          ...(first.extra.length === 0 ? {} : { extra: first.extra }),
          validator_set,
          accounts: [],
        };
  return { origin: { header: first, ...(path === undefined ? {} : { path }) }, originHash: hash, genesis };
}

function untrusted(height: bigint, what: string): SnapshotError {
  return new SnapshotError('untrusted', `snapshot at ${height}: ${what}`);
}

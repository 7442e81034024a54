import { headerHash } from '../../src/chain/genesis-block.js';
import { devValidatorKey } from '../../src/consensus/validator-key.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import type { BlockHeader, ValidatorSet } from '../../src/generated/ledger.js';
import type { ImportSnapshotChunkArgs } from '../../src/generated/node-rpc-v1.js';
import { ledger } from '../../src/ledger/codecs.js';
import { validatorsHash } from '../../src/ledger/header.js';
import { validatorSetKey } from '../../src/ledger/state-keys.js';
import { Mmr, type MmrNode, mmrSize, proveMmrInclusion } from '../../src/proofs/mmr.js';
import { cutState, summarizeChunks } from '../../src/proofs/snapshot/cut.js';
import { finalizeMessage } from '../../src/proofs/verify/certificate-message.js';
import type { ArchiveHead } from '../../src/sync/archive-format.js';
import { describeCheckpoint } from '../../src/sync/checkpoints.js';
import { HASHES, type ModelState } from '../proofs/snapshot/snapshot-model.js';

/** A snapshot of a made-up chain. */
export interface FakeSnapshot {
  readonly head: ArchiveHead;
  readonly chunks: readonly ImportSnapshotChunkArgs[];
  readonly groupPublicKey: Uint8Array;
}

const CHAIN_ID = 77n;

function header(height: bigint, rest: Partial<BlockHeader>): BlockHeader {
  const zero = new Uint8Array(32);
  return {
    chain_id: CHAIN_ID,
    height,
    parent_hash: zero,
    epoch: 0n,
    view: height,
    timestamp_ms: 1_000n + height,
    proposer: 0,
    transactions_root: zero,
    receipts_root: zero,
    state_root: zero,
    history_root: zero,
    validators_hash: zero,
    gas_used: 0n,
    gas_limit: 1_000_000n,
    base_fee: 1n,
    seal_excess: 0n,
    extra: new Uint8Array(0),
    ...rest,
  };
}

export const bls = await loadBls('auto');

export const verifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
  bls.verify(signature, message, publicKey);

/**
 * Makes a snapshot of the last block of a made-up chain, whose other blocks are empty and unrelated to the state.
 * @param after number of blocks from the snapshot's to the certified one, all of them the first of the next epoch
 */
export function fakeSnapshot(state: ModelState, height: bigint, after = 0): FakeSnapshot {
  const privateKey = devValidatorKey(HASHES);
  const groupPublicKey = bls.publicKey(privateKey);
  const validatorSet: ValidatorSet = {
    epoch: 0n,
    quorum: 1,
    group_public_key: groupPublicKey,
    validators: [
      {
        index: 0,
        address: new Uint8Array(20),
        identity_key: new Uint8Array(32),
        share_public_key: groupPublicKey,
      },
    ],
  };
  state.set(validatorSetKey(HASHES), ledger.ValidatorSet.encode(validatorSet));
  const validators = { validators_hash: validatorsHash(HASHES, validatorSet) };
  const stored: MmrNode[] = [];
  const nodes = (positions: readonly bigint[]) =>
    positions.map((position) => stored[Number(position)]?.hash ?? new Uint8Array(0));
  const mmr = Mmr.empty(HASHES);
  const first = header(0n, validators);
  let parent = first;
  for (let at = 1n; at <= height; at += 1n) {
    stored.push(...mmr.append(headerHash(HASHES, parent)));
    if (at < height) parent = header(at, { ...validators, parent_hash: headerHash(HASHES, parent) });
  }
  const cut = [...cutState(state.sources())];
  const summary = summarizeChunks(
    HASHES,
    cut.map((chunk) => ({
      ...chunk,
      entries: chunk.entries.length,
      blobs: chunk.blobs.map(({ name }) => name),
    })),
  );
  const last = header(height, {
    ...validators,
    parent_hash: headerHash(HASHES, parent),
    state_root: summary.stateRoot,
    history_root: mmr.root(),
  });
  const hash = headerHash(HASHES, last);
  const descendants: BlockHeader[] = [];
  for (let place = 1n; place <= after; place++) {
    const parent_hash = headerHash(HASHES, descendants.at(-1) ?? last);
    const validators_hash = new Uint8Array(32).fill(9);
    descendants.push(header(height + place, { epoch: 1n, view: place, parent_hash, validators_hash }));
  }
  const certified = descendants.at(-1) ?? last;
  const facts = { epoch: certified.epoch, view: certified.view, hash: headerHash(HASHES, certified) };
  const parentView = certified.view - 1n;
  const signature = bls.sign(finalizeMessage({ chainId: CHAIN_ID, ...facts, parentView }), privateKey);
  return {
    groupPublicKey,
    head: {
      light: {
        checkpoint: describeCheckpoint({ header: last, hash }, summary),
        header: last,
        certificate: {
          epoch: facts.epoch,
          view: facts.view,
          block_hash: facts.hash,
          parent_view: parentView,
          signature,
          group_public_key: groupPublicKey,
        },
        descendants,
        history: { root: mmr.root(), size: mmrSize(height), peaks: mmr.peaks(), height },
        validator_set: validatorSet,
      },
      origin: { header: first, path: proveMmrInclusion(nodes, { leaves: height, leafIndex: 0n }).path },
    },
    chunks: cut.map(({ entries, blobs }, index) => ({
      height,
      index,
      proof: summary.chunks[index]?.proof ?? {
        prefix: new Uint8Array(32),
        depth: 0,
        bitmap: new Uint8Array(0),
        siblings: [],
      },
      entries,
      blobs: blobs.map(({ bytes }) => bytes),
    })),
  };
}

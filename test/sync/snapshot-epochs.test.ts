// Snapshots of a chain of several validators, taken in the middle of an epoch and at its end.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { EpochState } from '../../src/chain/epochs/epoch-state.js';
import { headerHash } from '../../src/chain/genesis-block.js';
import { openChain } from '../../src/chain/open-chain.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { BlockHeader } from '../../src/generated/ledger.js';
import type { GetLightSnapshotResult } from '../../src/generated/node-rpc-v1.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { genesisExtra, parametersOf } from '../../src/ledger/validators/parameters.js';
import { Mmr, type MmrNode, mmrSize, proveMmrInclusion } from '../../src/proofs/mmr.js';
import { ProofService } from '../../src/proofs/proof-service.js';
import {
  type CutChunk,
  type CutState,
  cutState,
  stateAt,
  summarizeChunks,
} from '../../src/proofs/snapshot/cut.js';
import { prepareChunk } from '../../src/proofs/snapshot/prepare-chunk.js';
import { finalizeMessage } from '../../src/proofs/verify/certificate-message.js';
import { writeTree } from '../../src/proofs/write-tree.js';
import { openStore } from '../../src/storage/open-store.js';
import { describeCheckpoint } from '../../src/sync/checkpoints.js';
import { type SnapshotOrigin, verifyLightSnapshot } from '../../src/sync/light-snapshot.js';
import { SnapshotImport } from '../../src/sync/snapshot-import.js';
import { HASHES } from '../proofs/snapshot/snapshot-model.js';
import { signTogether } from '../support/crypto/threshold.js';
import { hex } from '../support/hex.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';
import type { EpochChain } from '../support/worlds/epoch-chain.js';
import { epochScenario, MID_EPOCH, SCENARIO_LENGTH } from '../support/worlds/epoch-scenario.js';
import { verifySignature } from './fake-snapshot.js';

let chain: EpochChain;
let blocks: readonly PendingBlock[];
before(async () => {
  ({ chain, blocks } = await epochScenario());
});
after(() => chain?.world.remove());

interface CutSnapshot {
  readonly light: GetLightSnapshotResult;
  readonly origin: SnapshotOrigin;
  readonly chunks: readonly CutChunk[];
}

function summaryOf(chunks: readonly CutChunk[]): CutState {
  const summaries = chunks.map((chunk) => ({
    ...chunk,
    entries: chunk.entries.length,
    blobs: chunk.blobs.map(({ name }) => name),
  }));
  return summarizeChunks(HASHES, summaries);
}

/** The snapshot of a block of the chain, as a node with the full chain would serve it. */
function snapshotAt(height: bigint): CutSnapshot {
  const { world, shares } = chain;
  const reader = new BlockReader(world.store);
  const headerAt = (at: bigint): BlockHeader => reader.header(at)?.header ?? assert.fail(`no block ${at}`);
  const header = headerAt(height);
  const hash = headerHash(HASHES, header);
  const stored: MmrNode[] = [];
  const nodes = (positions: readonly bigint[]) =>
    positions.map((position) => stored[Number(position)]?.hash ?? new Uint8Array(0));
  const mmr = Mmr.empty(HASHES);
  for (let at = 0n; at < height; at++) stored.push(...mmr.append(headerHash(HASHES, headerAt(at))));
  const chunks = [...cutState(stateAt(world.store, HASHES, height))];
  const summary = summaryOf(chunks);
  const set = world.chain.validatorsAt(header.epoch) ?? assert.fail('no set');
  const { epoch, view } = header;
  const message = finalizeMessage({ chainId: header.chain_id, epoch, view, parentView: view - 1n, hash });
  const signers = Array.from({ length: set.quorum }, (_, index) => index);
  const certificate = {
    epoch,
    view,
    block_hash: hash,
    parent_view: view - 1n,
    signature: signTogether(chain.validators.bls, message, shares[Number(epoch)] ?? [], signers),
    group_public_key: set.group_public_key,
  };
  return {
    light: {
      checkpoint: describeCheckpoint({ header, hash }, summary),
      header,
      certificate,
      descendants: [],
      history: { root: mmr.root(), size: mmrSize(height), peaks: mmr.peaks(), height },
      validator_set: set,
    },
    origin: {
      header: headerAt(0n),
      path: proveMmrInclusion(nodes, { leaves: height, leafIndex: 0n }).path,
    },
    chunks,
  };
}

const CHECKS = { hashes: HASHES, verifySignature };
/** The snapshot as verified by a node that trusts the genesis key. */
const trusted = ({ light, origin }: Pick<CutSnapshot, 'light' | 'origin'>) =>
  verifyLightSnapshot(
    light,
    origin,
    { type: 'key', groupPublicKey: chain.genesis.validator_set.group_public_key },
    CHECKS,
  );

/** A directory with a store that began with a snapshot. */
async function imported(t: TestContext, snapshot: CutSnapshot): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-epochs-'));
  t.after(() => ChainWorld.discard(directory));
  const { native } = chain.world;
  const store = await openStore({ directory: join(directory, 'store'), native, report: () => undefined });
  const taken = await SnapshotImport.open({
    store,
    hashes: HASHES,
    snapshot: await trusted(snapshot),
    prepare: (encoded, target) => prepareChunk(HASHES, encoded, target),
    buildTree: async (tip) => {
      const proofs = await ProofService.start({
        store: store.handle,
        native,
        tip,
        onProgress: () => undefined,
        writeTree: (encoded) => writeTree(store, encoded),
      });
      await writeTree(store, await proofs.stop());
    },
  });
  const { height } = snapshot.light.header;
  const { chunks: proved } = summaryOf(snapshot.chunks);
  for (const [index, { entries, blobs: texts }] of snapshot.chunks.entries()) {
    const proof = proved[index]?.proof ?? assert.fail('a chunk without a proof');
    await taken.accept({ height, index, proof, entries, blobs: texts.map(({ bytes }) => bytes) });
  }
  await taken.finish();
  await store.close();
  return directory;
}

/** The epoch state without the records' heights, which a snapshot does not contain. */
const meaningOf = ({ entries: _, ...meaning }: EpochState) => meaning;

describe('a node that starts from a snapshot', () => {
  for (const height of [MID_EPOCH, SCENARIO_LENGTH, SCENARIO_LENGTH + 5n]) {
    test(`of block ${height} reaches the same roots and sets, and opens waiting envelopes`, async (t) => {
      const snapshot = snapshotAt(height);
      const made = blocks[Number(height) - 1] ?? assert.fail();
      if (height === MID_EPOCH) {
        const { changes, dealings } = made.epochs;
        assert.deepEqual([changes.length, dealings.length], [2, 2]);
      }
      const directory = await imported(t, snapshot);
      const world = await ChainWorld.open({ genesis: chain.genesis }, directory);
      try {
        assert.deepEqual(meaningOf(world.chain.tip.epochs), meaningOf(made.epochs));
        assert.equal(world.chain.tip.epochs.parameters.epoch_length, SCENARIO_LENGTH);
        const waiting = blocks.slice(Number(height)).flatMap(({ keys }) => keys.map(({ height: at }) => at));
        assert.deepEqual(world.blockChain.unopenedHeights(), waiting);
        for (const block of blocks.slice(Number(height))) {
          const same = await verified(world, block);
          assert.deepEqual(same.header, block.header);
          assert.deepEqual(same.receipts, block.receipts);
          assert.deepEqual(meaningOf(same.epochs), meaningOf(block.epochs));
          await world.blockChain.commit(block.hash);
        }
        assert.deepEqual(world.blockChain.unopenedHeights(), []);
        for (const epoch of [1n, 2n]) {
          assert.deepEqual(world.chain.validatorsAt(epoch), chain.world.chain.validatorsAt(epoch));
        }
      } finally {
        await world.close();
      }
    });
  }

  test('continues the chain of its genesis, with that chain’s epochs', async (t) => {
    const directory = await imported(t, snapshotAt(MID_EPOCH));
    const { native } = chain.world;
    const genesis = { ...chain.genesis, epoch_length: SCENARIO_LENGTH + 1n };
    const { ceremony: _, ...dealt } = chain.genesis;
    for (const other of [genesis, dealt]) {
      await assert.rejects(openedAnew(directory, other, native), { code: 'other_chain' });
    }
  });
});

async function openedAnew(
  directory: string,
  genesis: EpochChain['genesis'],
  native: ChainWorld['native'],
): Promise<void> {
  const store = await openStore({ directory: join(directory, 'store'), native, report: () => undefined });
  try {
    const proofs = await ProofService.start({
      store: store.handle,
      native,
      tip: undefined,
      onProgress: () => undefined,
      writeTree: (encoded) => writeTree(store, encoded),
    });
    try {
      await openChain(store, await loadCrypto(native), proofs, genesis);
    } finally {
      await proofs.stop();
    }
  } finally {
    await store.close();
  }
}

describe('the parameters of a chain known only by its group key', () => {
  test('are those of its block 0', async () => {
    const snapshot = await trusted(snapshotAt(MID_EPOCH));
    assert.deepEqual(parametersOf(snapshot.origin.header), { epoch_length: SCENARIO_LENGTH, ceremony: true });
    assert.equal(hex(snapshot.genesis.extra ?? new Uint8Array(0)), hex(genesisExtra(chain.genesis)));
  });

  test('cannot be faked with the block 0 of another chain', async () => {
    const { light, origin } = snapshotAt(MID_EPOCH);
    const { path = [] } = origin;
    const others = [
      { ...chain.genesis, epoch_length: 4n },
      { chain_id: chain.genesis.chain_id, extra: new Uint8Array(0) },
    ].map((genesis) => ({ ...origin.header, extra: genesisExtra(genesis) }));
    const refused = { code: 'untrusted' };
    for (const header of others) {
      await assert.rejects(trusted({ light, origin: { header, path } }), refused);
      await assert.rejects(trusted({ light, origin: { header } }), refused);
      for (const wrong of [[], path.slice(1), [...path, path[0] ?? new Uint8Array(32)], path.toReversed()]) {
        await assert.rejects(trusted({ light, origin: { header, path: wrong } }), refused);
      }
    }
    await assert.rejects(trusted({ light, origin: { header: origin.header } }), refused);
    // A later block of the chain is refused as its block 0.
    await assert.rejects(
      trusted({ light, origin: { header: blocks[0]?.header ?? assert.fail(), path } }),
      refused,
    );
  });
});

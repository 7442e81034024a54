// `heddle verify` over the ends of epochs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyChain } from '../../src/chain/verify-chain.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { SignatureChecker } from '../../src/execution/signature-checker.js';
import { ProofService } from '../../src/proofs/proof-service.js';
import { writeTree } from '../../src/proofs/write-tree.js';
import { temporaryStore } from '../storage/stores.js';
import { epochScenario, SCENARIO_LENGTH } from '../support/worlds/epoch-scenario.js';

test('a chain with dealings, changes and envelopes re-executes without a difference', async (t) => {
  const { chain, blocks } = await epochScenario();
  const { world } = chain;
  t.after(() => world.remove());
  const epochs = chain.epochs;
  assert.equal(epochs.validators.epoch, 2n);
  assert.deepEqual(
    [blocks.flatMap(({ openings }) => openings).length, blocks.flatMap(({ keys }) => keys).length],
    [4, 3],
  );
  assert.deepEqual(
    blocks.map(({ dealings }) => dealings.length).filter((count) => count > 0),
    [1, 1, 1, 1],
  );
  assert.equal(epochs.changes.length, 1);

  const { native } = world;
  const scratch = await temporaryStore(t, native);
  const proofs = await ProofService.start({
    store: scratch.handle,
    native,
    tip: undefined,
    onProgress: () => undefined,
    writeTree: (encoded) => writeTree(scratch, encoded),
  });
  const workers = new ExecutionPool({ setup: { native, store: scratch.handle }, workers: 1 });
  try {
    const checker = new SignatureChecker(workers);
    const heights: bigint[] = [];
    const report = await verifyChain({
      store: world.store,
      scratch,
      proofs,
      crypto: world.crypto,
      workers,
      verifySignature: (transaction) => checker.verify(transaction),
      onProgress: ({ height }) => heights.push(height),
    });
    assert.deepEqual(report, { blocks: 2n * SCENARIO_LENGTH + 2n, transactions: 6 });
    assert.equal(heights.length, blocks.length);
  } finally {
    await workers.stop();
    await proofs.stop();
  }
});

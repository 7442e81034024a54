// The store after commits, and after commits that fail.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Finality } from '../../src/chain/certificates.js';
import { StoredCertificates } from '../../src/chain/certificates.js';
import { ExecutionMarker } from '../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../src/chain/faults/fault-record.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { storedCertificateFrom } from '../../src/ledger/certificate-store.js';
import { StoreError } from '../../src/storage/store-error.js';
import { certify } from '../proofs/verify/proved-world.js';
import { hex } from '../support/hex.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const FULL = new StoreError('write_failed', 'the disk is full');

function raise(error: unknown): never {
  throw error;
}

describe('commits', () => {
  let world: ChainWorld;
  /** Whether each block written was synced. */
  let writes: boolean[];
  /** Index of the write that fails, or undefined. */
  let failing: number | undefined;
  beforeEach(async () => {
    writes = [];
    failing = undefined;
    world = await ChainWorld.open({
      onWrite: (sync) => {
        if (writes.length === failing) throw FULL;
        writes.push(sync);
      },
    });
  });
  afterEach(() => world.remove());

  /** Consecutive blocks with a transfer each. */
  async function branch(length: number): Promise<PendingBlock[]> {
    const blocks: PendingBlock[] = [];
    for (let nonce = 0; nonce < length; nonce++) {
      world.submit(world.transaction({ nonce: BigInt(nonce) }));
      blocks.push(await world.propose({ parent: blocks.at(-1)?.hash ?? world.chain.tip.hash }));
    }
    return blocks;
  }

  const certificateAt = (height: bigint) => {
    const found = storedCertificateFrom(world.store, height);
    return found?.height === height ? found.certificate : undefined;
  };
  /** The heights up to 4 that have a certificate. */
  const certified = () => [1n, 2n, 3n, 4n].filter((height) => certificateAt(height) !== undefined);

  test('a commit of several blocks proves each of them final', async () => {
    const [first = assert.fail(), second = assert.fail(), last = assert.fail()] = await branch(3);
    const certificate = certify(last.header);
    const { pending } = world;
    const certificates = new StoredCertificates(
      world.store,
      new BlockReader(world.store),
      () => pending.committing,
    );
    const atTips: Promise<Finality | undefined>[] = [];
    world.chain.onCommit('pruning', ({ header }) => {
      atTips.push(certificates.of(header.height));
    });
    await world.blockChain.commit(last.hash, certificate);
    const [one, two, three] = await Promise.all(atTips);
    assert.deepEqual(one, { certificate, descendants: [second.header, last.header] });
    assert.deepEqual(two, { certificate, descendants: [last.header] });
    assert.deepEqual(three, { certificate, descendants: [] });
    assert.equal(pending.committing, undefined);
    assert.deepEqual(await certificates.of(first.header.height), one);
  });

  test('a commit of three blocks is three writes, the last of them synced and with the certificate', async () => {
    const [, , last = assert.fail()] = await branch(3);
    const certificate = certify(last.header);
    await world.blockChain.commit(last.hash, certificate);
    assert.deepEqual(writes, [false, false, true]);
    assert.deepEqual(certified(), [3n]);
    assert.deepEqual(certificateAt(3n), certificate);
    await world.blockChain.commit((await world.propose()).hash);
    assert.deepEqual(writes, [false, false, true, true]);
    assert.deepEqual(certified(), [3n]);
  });

  test('a commit without sync syncs nothing and stores the certificate', async () => {
    const [, , last = assert.fail()] = await branch(3);
    await world.blockChain.commit(last.hash, certify(last.header), false);
    assert.deepEqual(writes, [false, false, false]);
    assert.deepEqual(certified(), [3n]);
  });

  test('a failed commit leaves tip, pending blocks and pool unchanged', async () => {
    const [block = assert.fail()] = await branch(1);
    const [tip, bytes] = [world.chain.tip, world.pending.bytes];
    failing = 0;
    await assert.rejects(world.blockChain.commit(block.hash, certify(block.header)), FULL);
    assert.equal(world.chain.tip, tip);
    assert.deepEqual([world.pending.size, world.pending.bytes, world.pool.size], [1, bytes, 1]);
    assert.deepEqual(certified(), []);
    assert.equal(world.pending.get(block.hash), block);
  });

  test('a commit whose second write fails ends with the first block', async () => {
    const [first = assert.fail(), second = assert.fail(), last = assert.fail()] = await branch(3);
    failing = 1;
    await assert.rejects(world.blockChain.commit(last.hash, certify(last.header)), FULL);
    assert.equal(hex(world.chain.tip.hash), hex(first.hash));
    assert.deepEqual([world.pending.size, world.pool.size], [2, 2]);
    assert.deepEqual(certified(), []);
    // Later commits still work.
    failing = undefined;
    await world.blockChain.commit(second.hash);
    assert.equal(hex(world.chain.tip.hash), hex(second.hash));
  });

  test('a failed commit is not blamed on the code in the block', async () => {
    const call = world.transaction({ action: { type: 'batch', value: [] } });
    world.submit(call);
    const block = await world.propose();
    assert.deepEqual(block.transactions, [call]);
    assert.equal(standing(), 'watched', 'as long as the block is under way');
    failing = 0;
    await assert.rejects(world.blockChain.commit(block.hash), FULL);
    assert.equal(standing(), 'trusted');

    /** The fault record as a process started after a crash would read it. */
    function standing(): string {
      const directory = mkdtempSync(join(world.directory, 'next-'));
      copyFileSync(join(world.directory, 'execution.underway'), join(directory, 'execution.underway'));
      const marks = ExecutionMarker.open(directory, raise);
      try {
        return FaultRecord.open(directory, marks, raise).trustLevel(call.hashHex);
      } finally {
        marks.marker.close();
      }
    }
  });
});

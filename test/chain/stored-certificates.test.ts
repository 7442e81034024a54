import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MAX_DESCENDANTS, StoredCertificates } from '../../src/chain/certificates.js';
import type { BlockHeader } from '../../src/generated/ledger.js';
import { appendCertificate, putBaseFinality } from '../../src/ledger/certificate-store.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { epochsWorld, finalityAt } from '../proofs/verify/epochs-world.js';
import { certify, hashOf, headerWith } from '../proofs/verify/proved-world.js';

describe('stored certificates', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-stored-certificates-'));
  after(() => rmSync(directory, { recursive: true }));

  /** Reads from these headers; `read` lists the heights requested. */
  function blocksOf(headers: readonly BlockHeader[]) {
    const read: bigint[] = [];
    return {
      read,
      headers: (heights: readonly bigint[]) => {
        read.push(...heights);
        return heights.flatMap((height) => {
          const header = headers.find((one) => one.height === height);
          return header === undefined
            ? []
            : [{ header, hash: hashOf(header), keyCount: 0, openingCount: 0, receiptCount: 0 }];
        });
      },
    };
  }

  let stores = 0;
  let store: Store;
  const opened: Store[] = [];
  async function newStore(fill: (batch: WriteBatch) => void): Promise<void> {
    store = await openStore({
      directory: join(directory, `${stores++}`),
      native: 'off',
      report: () => undefined,
      log: () => undefined,
    });
    opened.push(store);
    const batch = new WriteBatch();
    fill(batch);
    await store.write(batch, { sync: false });
  }
  after(async () => {
    for (const one of opened) await one.close();
  });

  describe('certificates stored with blocks', () => {
    const world = epochsWorld();
    const last = world.headers.length - 1;

    before(() =>
      newStore((batch) => {
        for (const [height, certificate] of world.certificates) {
          appendCertificate(batch, BigInt(height), certificate);
        }
      }),
    );

    test('the nearest certificate proves every block final, across epochs', async () => {
      const certificates = new StoredCertificates(store, blocksOf(world.headers));
      for (let height = 0; height <= last; height++) {
        assert.deepEqual(await certificates.of(BigInt(height)), finalityAt(world, height), `${height}`);
      }
      assert.equal(await certificates.of(BigInt(last) + 1n), undefined);
    });

    test('no more headers are read than lie between', async () => {
      const blocks = blocksOf(world.headers);
      const certificates = new StoredCertificates(store, blocks);
      await certificates.of(2n);
      assert.deepEqual(blocks.read, []);
      await certificates.of(3n);
      assert.deepEqual(blocks.read, [4n, 5n, 6n]);
    });

    test('a missing header leaves the block without a proof', async () => {
      const certificates = new StoredCertificates(store, blocksOf(world.headers.slice(0, 5)));
      assert.equal(await certificates.of(3n), undefined);
      assert.deepEqual(await certificates.of(2n), finalityAt(world, 2));
    });
  });

  test('a certificate too far above is not looked for', async () => {
    const most = BigInt(MAX_DESCENDANTS);
    const far = headerWith({ height: 10n + most });
    await newStore((batch) => appendCertificate(batch, far.height, certify(far)));
    const blocks = blocksOf([]);
    const certificates = new StoredCertificates(store, blocks);
    assert.equal(await certificates.of(9n), undefined);
    assert.deepEqual(blocks.read, []);
    assert.equal(await certificates.of(10n), undefined);
    assert.equal(blocks.read.length, MAX_DESCENDANTS);
  });

  test('the snapshot block of a chain is final by the snapshot’s own proof', async () => {
    const world = epochsWorld();
    const { certificate, descendants } = finalityAt(world, 3);
    const header = world.headers[3] ?? assert.fail();
    await newStore((batch) => putBaseFinality(batch, { header, certificate, descendants }));
    const certificates = new StoredCertificates(store, blocksOf([header]));
    assert.deepEqual(await certificates.of(3n), { certificate, descendants });
    assert.equal(await certificates.of(0n), undefined);
    assert.equal(await certificates.of(4n), undefined);
  });

  test('a certificate of the snapshot block itself is stored like any other', async () => {
    const header = headerWith({ height: 3n });
    const certificate = certify(header);
    await newStore((batch) => putBaseFinality(batch, { header, certificate, descendants: [] }));
    const certificates = new StoredCertificates(store, blocksOf([header]));
    assert.deepEqual(await certificates.of(3n), { certificate, descendants: [] });
    assert.equal(await certificates.of(4n), undefined);
  });
});

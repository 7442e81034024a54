import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { StoredCertificates } from '../../src/chain/certificates.js';
import { openChain } from '../../src/chain/open-chain.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { ImportSnapshotChunkArgs } from '../../src/generated/node-rpc-v1.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ProofService } from '../../src/proofs/proof-service.js';
import { prepareChunk } from '../../src/proofs/snapshot/prepare-chunk.js';
import { subtreeRoot } from '../../src/proofs/snapshot/subtree.js';
import { writeTree } from '../../src/proofs/write-tree.js';
import { scanStateAt } from '../../src/storage/state-scan.js';
import type { Store } from '../../src/storage/store.js';
import { ArchiveVerifier } from '../../src/sync/archive-verifier.js';
import { type TrustedSnapshot, verifyLightSnapshot } from '../../src/sync/light-snapshot.js';
import { SnapshotError, type SnapshotErrorCode } from '../../src/sync/snapshot-error.js';
import { SnapshotImport } from '../../src/sync/snapshot-import.js';
import { HASHES, type ModelState, randomState } from '../proofs/snapshot/snapshot-model.js';
import { IMPLEMENTATIONS, TestDirectory, temporaryStore } from '../storage/stores.js';
import { hex } from '../support/hex.js';
import { randomSource } from '../support/random-source.js';
import { type FakeSnapshot, fakeSnapshot, verifySignature } from './fake-snapshot.js';

const HEIGHT = 13n;

function smallState(): ModelState {
  return randomState(randomSource(5), { accounts: 200, slots: 2_500, contracts: 12, codeBytes: 150_000 });
}
const STATE = smallState();
const SNAPSHOT = fakeSnapshot(STATE, HEIGHT);

function trusted(snapshot: FakeSnapshot): Promise<TrustedSnapshot> {
  const trust = { type: 'key', groupPublicKey: snapshot.groupPublicKey } as const;
  return verifyLightSnapshot(snapshot.head.light, snapshot.head.origin, trust, {
    hashes: HASHES,
    verifySignature,
  });
}

async function open(store: Store, native: 'require' | 'off', snapshot = SNAPSHOT): Promise<SnapshotImport> {
  return SnapshotImport.open({
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
}

async function refuses(work: Promise<unknown>, ...codes: SnapshotErrorCode[]): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof SnapshotError, String(error));
    assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
    return true;
  });
}

/** Everything in the store that a chunk could have changed. */
function contents(store: Store): string[] {
  return (['state', 'code', 'idl', 'checkpoints'] as const).flatMap((column) =>
    Array.from(
      store.scan(column, {}),
      ([key, value]) => `${column} ${hex(key)} ${hex(HASHES.sha256(value))}`,
    ),
  );
}

function chunkAt(index: number, snapshot = SNAPSHOT): ImportSnapshotChunkArgs {
  const chunk = snapshot.chunks[index];
  assert.ok(chunk !== undefined);
  return chunk;
}

const isBrought = (chunk: ImportSnapshotChunkArgs) => chunk.blobs.length > 0;

for (const { name, native } of IMPLEMENTATIONS) {
  const mode = native === 'off' ? 'off' : 'require';
  describe(`a snapshot imported into the ${name} store`, () => {
    test('in any order, with repetitions, yields the state and a chain that continues', async (t) => {
      const store = await temporaryStore(t, native);
      const snapshot = await open(store, mode);
      assert.ok(SNAPSHOT.chunks.length > 4, `${SNAPSHOT.chunks.length} chunks`);
      const order = [...SNAPSHOT.chunks, ...SNAPSHOT.chunks].sort(
        (a, b) => ((a.index * 7) % 5) - ((b.index * 7) % 5),
      );
      const written = await Promise.all(order.map((chunk) => snapshot.accept(chunk)));
      assert.equal(
        written.reduce((sum, count) => sum + count),
        STATE.entries.length,
      );
      assert.deepEqual(snapshot.missing(), []);
      await snapshot.finish();

      const entries = [...scanStateAt(store, HEIGHT)];
      assert.deepEqual(
        entries.map(([key, value]) => `${hex(key)}${hex(value)}`),
        STATE.entries.map(([key, value]) => `${hex(key)}${hex(value)}`),
      );
      const crypto = await loadCrypto(mode, () => undefined);
      const { light, origin } = SNAPSHOT.head;
      const proofs = await ProofService.start({
        store: store.handle,
        native: mode,
        tip: { height: HEIGHT, hash: light.checkpoint.block_hash, stateRoot: light.header.state_root },
        onProgress: () => assert.fail('the tree was there already'),
        writeTree: (encoded) => writeTree(store, encoded),
      });
      const chain = await openChain(store, crypto, proofs, undefined);
      assert.equal(chain.tip.header.height, HEIGHT);
      assert.equal(chain.firstHeight, HEIGHT + 1n);
      assert.deepEqual(chain.genesisStateRoot, origin.header.state_root);
      const [first] = STATE.entries;
      assert.ok(first !== undefined);
      const roots = await proofs.blockRoots({
        height: HEIGHT + 1n,
        parentHash: chain.tip.hash,
        changes: [{ key: first[0], value: Uint8Array.of(1) }],
        items: [],
        receipts: [],
      });
      // The proof thread must stop before the store that it reads closes.
      await proofs.stop();
      const changed = STATE.entries.map(([key, value], place) => ({
        key,
        value: place === 0 ? Uint8Array.of(1) : value,
      }));
      assert.equal(hex(roots.stateRoot), hex(subtreeRoot(HASHES, changed, 0)));
    });

    test('keeps the proof of a block that is final through a later one, before that one arrives', async (t) => {
      const directory = await TestDirectory.make(t);
      const store = await directory.open(native);
      const later = fakeSnapshot(STATE, HEIGHT, 3);
      const snapshot = await open(store, mode, later);
      for (const chunk of later.chunks) await snapshot.accept(chunk);
      await snapshot.finish();
      const { certificate, descendants } = later.head.light;
      assert.equal(descendants.length, 3);
      const certificates = new StoredCertificates(store, new BlockReader(store));
      assert.deepEqual(await certificates.of(HEIGHT), { certificate, descendants });
      assert.equal(await certificates.of(0n), undefined);
      await store.close();
    });

    test('resumes after it was closed', async (t) => {
      const directory = await TestDirectory.make(t);
      let store = await directory.open(native);
      let snapshot = await open(store, mode);
      const half = SNAPSHOT.chunks.slice(0, 3);
      for (const chunk of half) await snapshot.accept(chunk);
      await store.close();
      store = await directory.open(native);
      snapshot = await open(store, mode);
      assert.deepEqual(
        snapshot.missing(),
        SNAPSHOT.chunks.slice(3).map(({ index }) => index),
      );
      await refuses(snapshot.finish(), 'incomplete');
      for (const chunk of SNAPSHOT.chunks) await snapshot.accept(chunk);
      await snapshot.finish();
      await refuses(open(store, mode), 'has_chain');
    });
  });
}

/** Every kind of lie that a chunk can contain, each made from a genuine chunk with blobs. */
const LIES: readonly {
  readonly name: string;
  readonly codes: readonly SnapshotErrorCode[];
  readonly make: (chunk: ImportSnapshotChunkArgs) => ImportSnapshotChunkArgs;
}[] = [
  {
    name: 'a changed value',
    codes: ['not_proved'],
    make: (chunk) => ({
      ...chunk,
      entries: chunk.entries.map((entry, i) => (i === 3 ? { ...entry, value: Uint8Array.of(1, 2) } : entry)),
    }),
  },
  {
    name: 'a missing leaf',
    codes: ['not_proved'],
    make: (chunk) => ({ ...chunk, entries: chunk.entries.filter((_, i) => i !== 5) }),
  },
  {
    name: 'an added leaf',
    codes: ['not_proved'],
    make: (chunk) => {
      const [first] = chunk.entries;
      assert.ok(first !== undefined);
      const key = first.key.slice();
      key[31] = (key[31] ?? 0) ^ 1;
      const entries = [...chunk.entries, { key, value: Uint8Array.of(1) }];
      return { ...chunk, entries: entries.sort((a, b) => Buffer.compare(a.key, b.key)) };
    },
  },
  {
    name: 'reordered leaves',
    codes: ['malformed'],
    make: (chunk) => ({ ...chunk, entries: [...chunk.entries].reverse() }),
  },
  {
    name: 'a leaf twice',
    codes: ['malformed'],
    make: (chunk) => ({
      ...chunk,
      entries: chunk.entries.flatMap((entry, i) => (i === 2 ? [entry, entry] : [entry])),
    }),
  },
  { name: 'no leaves', codes: ['malformed'], make: (chunk) => ({ ...chunk, entries: [], blobs: [] }) },
  {
    name: 'a cut-off half',
    codes: ['not_proved'],
    make: (chunk) => ({ ...chunk, entries: chunk.entries.slice(0, 9) }),
  },
  {
    name: 'another height',
    codes: ['malformed'],
    make: (chunk) => ({ ...chunk, height: chunk.height - 1n }),
  },
  {
    name: 'a number that does not exist',
    codes: ['malformed'],
    make: (chunk) => ({ ...chunk, index: 4_000 }),
  },
  {
    name: "another chunk's proof",
    codes: ['malformed', 'not_proved'],
    make: (chunk) => ({ ...chunk, proof: chunkAt((chunk.index + 1) % SNAPSHOT.chunks.length).proof }),
  },
  {
    name: 'a shortened proof',
    codes: ['malformed', 'not_proved'],
    make: (chunk) => ({ ...chunk, proof: { ...chunk.proof, siblings: chunk.proof.siblings.slice(1) } }),
  },
  {
    name: 'an extended proof',
    codes: ['not_proved'],
    make: (chunk) => ({
      ...chunk,
      proof: { ...chunk.proof, siblings: [...chunk.proof.siblings, new Uint8Array(32).fill(1)] },
    }),
  },
  {
    name: 'a proof of a shallower place',
    codes: ['malformed', 'not_proved'],
    make: (chunk) => ({ ...chunk, proof: { ...chunk.proof, depth: chunk.proof.depth - 1 } }),
  },
  {
    name: 'bits behind the depth',
    codes: ['malformed'],
    make: (chunk) => ({ ...chunk, proof: { ...chunk.proof, prefix: chunk.proof.prefix.with(31, 1) } }),
  },
  {
    name: 'an extra blob',
    codes: ['wrong_blob'],
    make: (chunk) => ({ ...chunk, blobs: [...chunk.blobs, Uint8Array.of(1, 2, 3)] }),
  },
  {
    name: 'a blob twice',
    codes: ['wrong_blob'],
    make: (chunk) => ({ ...chunk, blobs: [...chunk.blobs, ...chunk.blobs] }),
  },
  {
    name: 'a wrong blob',
    codes: ['wrong_blob'],
    make: (chunk) => ({ ...chunk, blobs: chunk.blobs.map((blob) => blob.with(0, (blob[0] ?? 0) ^ 1)) }),
  },
];

describe('an import', () => {
  async function begun(t: TestContext): Promise<{ store: Store; snapshot: SnapshotImport }> {
    const store = await temporaryStore(t, 'off');
    return { store, snapshot: await open(store, 'off') };
  }

  for (const { name, codes, make } of LIES) {
    test(`refuses a chunk with ${name} whole`, async (t) => {
      const { store, snapshot } = await begun(t);
      const chunk = SNAPSHOT.chunks.find(isBrought);
      assert.ok(chunk !== undefined);
      const before = contents(store);
      await refuses(snapshot.accept(make(chunk)), ...codes);
      assert.deepEqual(contents(store), before);
      assert.ok((await snapshot.accept(chunk)) > 0, 'the true chunk is still taken');
    });
  }

  test('detects a missing blob, names its chunk, and finishes once that chunk is sent again', async (t) => {
    const { store, snapshot } = await begun(t);
    for (const chunk of SNAPSHOT.chunks) await snapshot.accept({ ...chunk, blobs: chunk.blobs.slice(1) });
    let lacking: readonly number[] = [];
    await assert.rejects(snapshot.finish(), (error: unknown) => {
      assert.ok(error instanceof SnapshotError);
      lacking = error.chunks;
      return error.code === 'missing_blob';
    });
    assert.ok(lacking.length > 0);
    await snapshot.forget(lacking);
    assert.deepEqual(
      snapshot.missing(),
      [...lacking].sort((a, b) => a - b),
    );
    for (const index of lacking) await snapshot.accept(chunkAt(index));
    await snapshot.finish();
    assert.ok([...store.scan('code', {})].length > 0);
  });

  test('refuses genuine parts of a chunk that are cut wrongly, and continues', async (t) => {
    const { snapshot } = await begun(t);
    const finer = fakeSnapshot(STATE, HEIGHT).chunks;
    const whole = finer.find((chunk) => chunk.entries.length > 1 && chunk.blobs.length === 0) ?? chunkAt(0);
    await snapshot.accept(whole);
    const other = (whole.index + 1) % SNAPSHOT.chunks.length;
    await refuses(snapshot.accept({ ...chunkAt(whole.index), index: other }), 'wrong_cut');
    await refuses(snapshot.accept({ ...chunkAt(other), index: whole.index }), 'wrong_cut');
    for (const chunk of SNAPSHOT.chunks) await snapshot.accept(chunk);
    await snapshot.finish();
  });

  test('does not mix two snapshots', async (t) => {
    const { store, snapshot } = await begun(t);
    await snapshot.accept(chunkAt(0));
    await refuses(open(store, 'off', fakeSnapshot(STATE, HEIGHT + 1n)), 'other_snapshot');
  });

  test('leaves a store that no node mistakes for a new one', async (t) => {
    const { store, snapshot } = await begun(t);
    await snapshot.accept(chunkAt(0));
    const crypto = await loadCrypto('off', () => undefined);
    const proofs = await ProofService.start({
      store: store.handle,
      native: 'off',
      tip: undefined,
      onProgress: () => undefined,
      writeTree: (encoded) => writeTree(store, encoded),
    });
    await assert.rejects(openChain(store, crypto, proofs, undefined), /part of the snapshot of block 13/);
    await proofs.stop();
  });
});

describe("a snapshot's head", () => {
  const changes: Readonly<Record<string, (head: FakeSnapshot['head']) => FakeSnapshot['head']>> = {
    'another state root in the checkpoint': ({ light, origin }) => ({
      light: { ...light, checkpoint: { ...light.checkpoint, state_root: new Uint8Array(32) } },
      origin,
    }),
    'another state root in the header': ({ light, origin }) => ({
      light: { ...light, header: { ...light.header, state_root: new Uint8Array(32) } },
      origin,
    }),
    'another height': ({ light, origin }) => ({
      light: { ...light, checkpoint: { ...light.checkpoint, height: HEIGHT - 1n } },
      origin,
    }),
    "another block's certificate": ({ light, origin }) => ({
      light: { ...light, certificate: fakeSnapshot(STATE, HEIGHT - 1n).head.light.certificate },
      origin,
    }),
    'a damaged signature': ({ light, origin }) => ({
      light: {
        ...light,
        certificate: { ...light.certificate, signature: light.certificate.signature.with(95, 1) },
      },
      origin,
    }),
    'a certificate of a block that no header leads to': ({ origin }) => ({
      light: { ...fakeSnapshot(STATE, HEIGHT, 2).head.light, descendants: [] },
      origin,
    }),
    'headers that do not follow one another': ({ origin }) => {
      const { light } = fakeSnapshot(STATE, HEIGHT, 2).head;
      return { light: { ...light, descendants: light.descendants.slice(1) }, origin };
    },
    'a header in between that is another': ({ origin }) => {
      const { light } = fakeSnapshot(STATE, HEIGHT, 2).head;
      const [first, second] = light.descendants;
      assert.ok(first !== undefined && second !== undefined);
      return { light: { ...light, descendants: [{ ...first, view: 7n }, second] }, origin };
    },
    'headers beyond the certified one': ({ light, origin }) => ({
      light: { ...light, descendants: fakeSnapshot(STATE, HEIGHT, 1).head.light.descendants },
      origin,
    }),
    'other peaks': ({ light, origin }) => ({
      light: { ...light, history: { ...light.history, peaks: [...light.history.peaks].reverse() } },
      origin,
    }),
    'another validator set': ({ light, origin }) => ({
      light: { ...light, validator_set: { ...light.validator_set, quorum: 2 } },
      origin,
    }),
    'another block 0': ({ light, origin }) => ({
      light,
      origin: { ...origin, header: { ...origin.header, gas_used: 1n } },
    }),
    'a shortened path to block 0': ({ light, origin }) => ({
      light,
      origin: { ...origin, path: (origin.path ?? []).slice(1) },
    }),
    'no path to block 0': ({ light, origin: { header } }) => ({ light, origin: { header } }),
  };

  test('is believed if its block is final through one of the next epoch', async () => {
    const { blockHash } = await trusted(fakeSnapshot(STATE, HEIGHT, 3));
    assert.deepEqual(blockHash, SNAPSHOT.head.light.checkpoint.block_hash);
  });

  test('is believed if it is unchanged', async () => {
    const { genesis } = await trusted(SNAPSHOT);
    assert.equal(genesis.chain_id, 77n);
  });

  for (const [name, change] of Object.entries(changes)) {
    test(`is refused with ${name}`, async () => {
      await refuses(trusted({ ...SNAPSHOT, head: change(SNAPSHOT.head) }), 'malformed', 'untrusted');
    });
  }

  test('is refused under another key', async () => {
    const other = SNAPSHOT.groupPublicKey.with(5, (SNAPSHOT.groupPublicKey[5] ?? 0) ^ 1);
    await refuses(trusted({ ...SNAPSHOT, groupPublicKey: other }), 'untrusted');
  });
});

describe('the chunks of an archive', () => {
  test('are refused if one repeats the chunk before it, or goes back', async () => {
    for (const repeated of [1, 0]) {
      const archive = new ArchiveVerifier(HASHES, await trusted(SNAPSHOT));
      archive.add(chunkAt(0));
      archive.add(chunkAt(1));
      assert.throws(
        () => archive.add({ ...chunkAt(repeated), index: 2 }),
        (error) => error instanceof SnapshotError && error.code === 'wrong_cut' && error.chunks[0] === 2,
      );
    }
  });
});

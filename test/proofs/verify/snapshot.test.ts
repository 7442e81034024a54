import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValidatorSet } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { verifyLightSnapshot, verifySnapshotChunk } from '../../../src/proofs/verify.js';
import { HistoryMmr } from '../../outside/trees.js';
import { certify, digest, GROUP_PUBLIC_KEY, hashOf, headerWith, PlainTree, sha256 } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const code = Uint8Array.from({ length: 300 }, (_, at) => at & 0xff);
const text = new TextEncoder().encode('contract Sample {}');
const contract = ledger.AccountRecord.encode({
  balance: 0n,
  lanes: [],
  deploy_index: 0n,
  contract: {
    vm: { type: 'wasm' },
    code_hash: sha256(code),
    code_size: code.length,
    idl_hash: sha256(text),
    abi_version: 1,
    upgrade_policy: { type: 'admin', value: digest(1).slice(0, 20) },
    deployer: digest(1).slice(0, 20),
    deployed_at: 3n,
  },
});
const entries = Array.from({ length: 24 }, (_, seed) => ({
  key: digest(seed),
  value: seed === 7 ? contract : digest(seed + 50).slice(0, 1 + (seed % 9)),
})).sort((a, b) => Buffer.compare(a.key, b.key));
const tree = new PlainTree(entries);
const bitOf = (key: Uint8Array, index: number) => ((key[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;

/** The chunk at a position, with the proof from its first key's path. */
function chunkAt(prefixBits: readonly number[], blobs: readonly Uint8Array[]): Record<string, unknown> {
  const inside = entries.filter(({ key }) => prefixBits.every((bit, index) => bitOf(key, index) === bit));
  const { siblings, bitmap, depth: leafDepth } = tree.prove(inside[0]?.key ?? assert.fail());
  const depth = prefixBits.length;
  assert.ok(inside.length > 1 && leafDepth >= depth);
  const prefix = new Uint8Array(32);
  const ownBitmap = new Uint8Array(Math.ceil(depth / 8));
  let used = 0;
  for (const [index, bit] of prefixBits.entries()) {
    prefix[index >> 3] = (prefix[index >> 3] ?? 0) | (bit * (0x80 >> (index & 7)));
    const isThere = ((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1;
    used += isThere;
    ownBitmap[index >> 3] = (ownBitmap[index >> 3] ?? 0) | (isThere << (index & 7));
  }
  const proof = { prefix, depth, bitmap: ownBitmap, siblings: siblings.slice(siblings.length - used) };
  const number = (value: number, bytes: number) => {
    const out = Buffer.alloc(bytes);
    out.writeUIntLE(value, 0, bytes);
    return out;
  };
  const chunk_hash = sha256(
    prefix,
    number(depth, 2),
    number(inside.length, 4),
    ...inside.flatMap(({ key, value }) => [key, number(value.length, 4), value]),
    number(blobs.length, 4),
    ...blobs.flatMap((blob) => [number(blob.length, 4), blob]),
  );
  return JSON.parse(
    rpcTypes.GetSnapshotChunkResult.toJson({
      height: 11n,
      index: 0,
      proof,
      entries: inside,
      blobs: [...blobs],
      chunk_hash,
      last: false,
    }),
  );
}

const isUnproved = (what: string) => /\$\.(height|index|last)( |$)/.test(what) && !what.startsWith('without');

test('chunks at any position are believed, and returned with their contents', () => {
  for (const place of [[], [0], [1], [0, 1], [1, 0], [1, 1]]) {
    const chunk = verifySnapshotChunk(chunkAt(place, []), tree.root);
    assert.ok(chunk.entries.every(({ key }) => place.every((bit, index) => bitOf(key, index) === bit)));
  }
  const whole = verifySnapshotChunk(chunkAt([], [code, text]), tree.root);
  assert.deepEqual(whole.entries, entries);
  assert.deepEqual(whole.blobs, [code, text]);
});

test('every change of a chunk is refused, and so is one under another root', () => {
  const contractKey = entries.find(({ value }) => value === contract)?.key ?? assert.fail();
  for (const [place, blobs] of [
    [[], [code, text]],
    [[0, 1], []],
    [[bitOf(contractKey, 0)], [code, text]],
  ] as const) {
    const chunk = chunkAt([...place], [...blobs]);
    const tried = refusesEveryMutation(chunk, (mutated) => verifySnapshotChunk(mutated, tree.root), {
      isFree: isUnproved,
      bitStep: 29,
    });
    assert.ok(tried > 100, `${tried}`);
    assert.equal(
      refusal('root', () => verifySnapshotChunk(chunk, digest(1))),
      'not_proved',
    );
  }
});

test('a chunk with a missing, extra or unreferenced entry is refused, whatever hash it claims', () => {
  const blob = Uint8Array.of(1, 2, 3);
  assert.equal(
    refusal('blob', () => verifySnapshotChunk(chunkAt([], [blob]), tree.root)),
    'not_proved',
  );
  assert.equal(
    refusal('blob twice', () => verifySnapshotChunk(chunkAt([], [code, code]), tree.root)),
    'not_proved',
  );
  const { chunk_hash, ...lacking } = chunkAt([0], []);
  const shorter = { ...lacking, chunk_hash, entries: (lacking['entries'] as unknown[]).slice(1) };
  assert.equal(
    refusal('lacking', () => verifySnapshotChunk(shorter, tree.root)),
    'not_proved',
  );
});

test('a light snapshot is believed whole, and every change of it refused', () => {
  const set: ValidatorSet = {
    epoch: 0n,
    quorum: 1,
    group_public_key: GROUP_PUBLIC_KEY,
    validators: [
      {
        index: 0,
        address: digest(1).slice(0, 20),
        identity_key: digest(2),
        share_public_key: GROUP_PUBLIC_KEY,
      },
    ],
  };
  const range = new HistoryMmr();
  for (let leaf = 0; leaf < 11; leaf++) range.append(digest(leaf));
  const header = headerWith({
    state_root: tree.root,
    history_root: range.root(),
    validators_hash: sha256(ledger.ValidatorSet.encode(set)),
  });
  const answer = JSON.parse(
    rpcTypes.GetLightSnapshotResult.toJson({
      checkpoint: {
        height: header.height,
        block_hash: hashOf(header),
        state_root: header.state_root,
        history_root: header.history_root,
        entries: 24n,
        bytes: 1_000n,
        chunk_count: 1,
        chunks_root: digest(9),
        created_ms: 1n,
      },
      header,
      certificate: certify(header),
      descendants: [],
      history: { root: range.root(), size: range.size, peaks: [...range.peaks], height: header.height },
      validator_set: set,
    }),
  );
  const trust = { groupPublicKey: GROUP_PUBLIC_KEY };
  assert.equal(verifyLightSnapshot(answer, trust).checkpoint.height, 11n);
  // The answer without the certificate, which the certificate tests cover.
  const { certificate: _, ...rest } = answer;
  const tried = refusesEveryMutation(
    rest,
    (mutated) => verifyLightSnapshot(mutated, { headerHash: hashOf(header) }),
    {
      isFree: (what) =>
        /checkpoint\.(entries|bytes|chunk_count|chunks_root|created_ms)|without \$\.descendants/.test(what),
      bitStep: 3,
    },
  );
  assert.ok(tried > 500, `${tried}`);
});

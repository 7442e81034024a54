// A node's snapshot, by the formats and the cut of the design pages. It is then exported, imported into an empty directory by
// the other store implementation, and continued, and so is the chain that it was made of.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heddle } from '../../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../support/nodes/node-process.js';
import type { AuditedNode } from '../audited-node.js';
import { concat, hex, sha256, unhex } from '../bytes.js';
import { COUNTER_CODE, COUNTER_GAS_LIMIT, callCounter } from '../counter-contract.js';
import { BlockHeader, blockHash } from '../ledger-shapes.js';
import { RpcClient, RpcFailure } from '../rpc.js';
import { devWallets, drained, nodeStatus, submitEvery, Traffic } from '../traffic.js';
import { accountKey, listRoot, type StateLeaf, slotKey, stateRoot } from '../trees.js';
import { transfer } from '../wallet.js';

/** The importing side uses the store implementation that the suite does not use. */
const OTHER_NATIVE = process.env['HEDDLE_NATIVE'] === 'off' ? 'auto' : 'off';

interface Descriptor {
  readonly height: number;
  readonly block_hash: string;
  readonly state_root: string;
  readonly entries: number;
  readonly bytes: number;
  readonly chunk_count: number;
  readonly chunks_root: string;
  readonly created_ms: number;
  readonly archive?: { readonly file: string; readonly sha256: string; readonly bytes: number };
}

interface Chunk {
  readonly height: number;
  readonly index: number;
  readonly proof: {
    readonly prefix: string;
    readonly depth: number;
    readonly bitmap: string;
    readonly siblings: readonly string[];
  };
  readonly entries: readonly { readonly key: string; readonly value: string }[];
  readonly blobs: readonly string[];
  readonly chunk_hash: string;
  readonly last: boolean;
}

async function fetchChunks(rpc: RpcClient, { height, chunk_count }: Descriptor): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let index = 0; index < chunk_count; index++) {
    chunks.push((await rpc.call('get_snapshot_chunk', { height, index })) as Chunk);
  }
  return chunks;
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function borshBytes(bytes: Uint8Array): Uint8Array {
  return concat(u32(bytes.length), bytes);
}

/** sha256(borsh of prefix, depth, entries, blobs). */
function hashOfChunk({ proof, entries, blobs }: Chunk): Uint8Array {
  return sha256(
    unhex(proof.prefix),
    u32(proof.depth).subarray(0, 2),
    u32(entries.length),
    ...entries.map(({ key, value }) => concat(unhex(key), borshBytes(unhex(value)))),
    u32(blobs.length),
    ...blobs.map((blob) => borshBytes(unhex(blob))),
  );
}

const bitOf = (bytes: Uint8Array, i: number) => ((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1;

/** The root of a chunk's subtree, computed from its leaves at the chunk's depth. */
function subtreeRoot(leaves: readonly StateLeaf[], depth: number): Uint8Array {
  // Shifting every key by the shared bits would change the leaves, so the naive tree is descended instead.
  const hashed = leaves.map(({ key, value }) => ({
    key,
    hash: sha256(Uint8Array.of(0), key, sha256(value)),
  }));
  const build = (part: typeof hashed, at: number): Uint8Array => {
    const [first] = part;
    if (first === undefined) return new Uint8Array(32);
    if (part.length === 1) return first.hash;
    return sha256(
      build(
        part.filter(({ key }) => bitOf(key, at) === 0),
        at + 1,
      ),
      build(
        part.filter(({ key }) => bitOf(key, at) === 1),
        at + 1,
      ),
    );
  };
  return build(hashed, depth);
}

/** The root that a chunk's proof shows, computed as the design describes: from the deepest sibling up. */
function rootOfProof({ proof, entries }: Chunk): Uint8Array {
  const leaves = entries.map(({ key, value }) => ({ key: unhex(key), value: unhex(value) }));
  let node = subtreeRoot(leaves, proof.depth);
  const bitmap = unhex(proof.bitmap);
  const prefix = unhex(proof.prefix);
  let used = 0;
  for (let i = proof.depth - 1; i >= 0; i--) {
    const present = ((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1;
    const sibling = present === 1 ? unhex(proof.siblings[used++] ?? '') : new Uint8Array(32);
    node = bitOf(prefix, i) === 1 ? sha256(sibling, node) : sha256(node, sibling);
  }
  assert.equal(used, proof.siblings.length, 'all siblings are used');
  return node;
}

export function auditSnapshots(world: () => AuditedNode): void {
  describe('its snapshots', () => {
    const scratch = temporaryDirectory();
    let descriptor: Descriptor;
    let chunks: Chunk[];

    before(async () => {
      const { rpc } = world();
      const { checkpoints } = (await rpc.call('list_checkpoints', {})) as { checkpoints: Descriptor[] };
      [descriptor = assert.fail('there is no checkpoint')] = checkpoints;
      chunks = await fetchChunks(rpc, descriptor);
    });
    after(() => removeDirectory(scratch));

    test("a naive tree over the leaves gives the header's state root", async () => {
      const light = (await world().rpc.call('get_light_snapshot', { height: descriptor.height })) as {
        header: unknown;
      };
      const header = BlockHeader.fromJson(light.header, 'header');
      assert.equal(hex(blockHash(header)), descriptor.block_hash);
      const leaves = chunks.flatMap(({ entries }) =>
        entries.map(({ key, value }) => ({ key: unhex(key), value: unhex(value) })),
      );
      assert.equal(hex(stateRoot(leaves)), hex(header.state_root));
      assert.equal(descriptor.state_root, hex(header.state_root));
      assert.equal(descriptor.entries, leaves.length);
      assert.equal(BigInt(descriptor.created_ms), header.timestamp_ms);
      const known = new Set(leaves.map(({ key }) => hex(key)));
      for (const counter of world().counters) {
        assert.ok(known.has(hex(accountKey(counter))), 'a contract');
        assert.ok(known.has(hex(slotKey(counter, new Uint8Array(32)))), 'its slot');
      }
    });

    test('chunk hashes, their list root and every proof agree', () => {
      const hashes = chunks.map(hashOfChunk);
      assert.deepEqual(
        hashes.map(hex),
        chunks.map(({ chunk_hash }) => chunk_hash),
      );
      assert.equal(hex(listRoot(hashes)), descriptor.chunks_root);
      for (const chunk of chunks) assert.equal(hex(rootOfProof(chunk)), descriptor.state_root);
      assert.deepEqual(
        chunks.map(({ last }) => last),
        chunks.map((_, index) => index === chunks.length - 1),
      );
    });

    test('code shared by two contracts is included once', () => {
      const blobs = chunks.flatMap((chunk) => chunk.blobs.map((blob) => hex(sha256(unhex(blob)))));
      assert.deepEqual(blobs, [hex(sha256(COUNTER_CODE))]);
      const counted = chunks.reduce(
        (sum, chunk) =>
          sum +
          chunk.blobs.reduce((bytes, blob) => bytes + unhex(blob).length, 0) +
          chunk.entries.reduce((bytes, { value }) => bytes + 32 + unhex(value).length, 0),
        0,
      );
      assert.equal(descriptor.bytes, counted);
    });

    test('checkpoints are listed newest first, page by page', async () => {
      const all = ((await world().rpc.call('list_checkpoints', {})) as { checkpoints: Descriptor[] })
        .checkpoints;
      assert.ok(all.length >= 2);
      const paged: Descriptor[] = [];
      let cursor: string | undefined;
      do {
        const page = (await world().rpc.call('list_checkpoints', { limit: 1, cursor })) as {
          checkpoints: Descriptor[];
          next_cursor?: string;
        };
        paged.push(...page.checkpoints);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      assert.deepEqual(paged, all);
      const { checkpoint } = (await world().rpc.call('get_checkpoint', { height: descriptor.height })) as {
        checkpoint: Descriptor;
      };
      assert.deepEqual(checkpoint, descriptor);
      const { latest_checkpoint: latest } = (await world().rpc.call('status')) as {
        latest_checkpoint: unknown;
      };
      assert.deepEqual(latest, { height: all[0]?.height, state_root: all[0]?.state_root });
    });

    test('missing checkpoints and chunks are refused with their error code', async () => {
      const failure = async (method: string, params: unknown) => {
        try {
          await world().rpc.call(method, params);
        } catch (error) {
          if (error instanceof RpcFailure) return error.data.kind;
          throw error;
        }
        return 'no failure';
      };
      const { height, chunk_count: index } = descriptor;
      assert.equal(await failure('get_checkpoint', { height: 1 }), 'not_found');
      assert.equal(await failure('get_snapshot_chunk', { height: 1, index: 0 }), 'not_found');
      assert.equal(await failure('get_snapshot_chunk', { height, index }), 'invalid_params');
      assert.equal(await failure('get_light_snapshot', { height: 1 }), 'not_found');
      assert.equal(await failure('list_checkpoints', { cursor: 'AAAA' }), 'invalid_params');
    });

    test('an archive imported elsewhere keeps every contract running', async () => {
      const { counters, node: source, rpc: before } = world();
      const slots = await Promise.all(counters.map((contract) => slotOf(before, contract)));
      await world().stop();
      const run = async (...args: string[]) => {
        const { code, out, err } = await heddle(['snapshot', ...args]);
        assert.equal(code, 0, err);
        return out;
      };
      const [archive, target] = [join(scratch, 'snapshot.tar.gz'), join(scratch, 'target')];
      await run('create', '--data-dir', source.dataDir);
      await run('export', '--data-dir', source.dataDir, archive);
      assert.match(await run('verify', '--trust', 'dev', archive), /all good[\s\S]*3, with all code/);
      await run('import', '--data-dir', target, '--native', OTHER_NATIVE, '--trust', 'dev', archive);
      const flags = ['--block-time', '40', '--idle-block-time', '0', '--native', OTHER_NATIVE];
      const node = await NodeProcess.start({ dataDir: target, flags });
      const rpc = new RpcClient(node.url);
      try {
        assert.deepEqual(await Promise.all(counters.map((contract) => slotOf(rpc, contract))), slots);
        const traffic = new Traffic((await nodeStatus(rpc)).chain_id, 3);
        const [wallet = assert.fail()] = devWallets();
        const calls = counters.map((counter) =>
          traffic.next(wallet, {
            lane: 1_000,
            gasLimit: COUNTER_GAS_LIMIT,
            maxFee: 10_000_000n,
            action: callCounter(counter, [5n]),
          }),
        );
        await submitEvery(rpc, calls);
        await drained(rpc);
        assert.deepEqual(
          await Promise.all(counters.map((contract) => slotOf(rpc, contract))),
          slots.map((value) => value + 5n),
        );
        await assert.rejects(
          rpc.call('get_blocks', { from_height: 1, to_height: 2 }),
          /started from a snapshot/,
        );
      } finally {
        rpc.close();
        await node.dispose();
      }
    });

    test('the same chain continues after the clean restart', async () => {
      await world().startAgain();
      const { rpc, auditor } = world();
      await auditor.recheckHashes(rpc);
      const traffic = new Traffic((await nodeStatus(rpc)).chain_id, 12);
      const [wallet = assert.fail()] = devWallets();
      traffic.resume(wallet, 0, auditor.model.nextNonce(wallet.address, 0));
      const more = Array.from({ length: 20 }, () =>
        traffic.next(wallet, { action: transfer(wallet.address, 1n) }),
      );
      await submitEvery(rpc, more);
      await drained(rpc);
      await auditor.advance(rpc);
      await auditor.compareAccounts(rpc);
      for (const { hash } of more) assert.ok(auditor.transactions.has(hash), `${hash} is not on the chain`);
    });
  });
}

/** A counter's value, read by a call that adds zero. */
async function slotOf(rpc: RpcClient, contract: Uint8Array): Promise<bigint> {
  const action = callCounter(contract, [0n]);
  assert.ok(action.type === 'call');
  const result = (await rpc.call('view_call', {
    contract: `0x${hex(contract)}`,
    input: `0x${hex(action.value.input)}`,
  })) as { output: string };
  const output = unhex(result.output);
  return new DataView(output.buffer, output.byteOffset).getBigUint64(0, true);
}

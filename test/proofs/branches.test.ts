// Blocks on any pending block, in any order, get the roots that the definitions give; only committed blocks are
// stored and proved.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Hashes } from '../../src/crypto/crypto.js';
import { loadHashes } from '../../src/crypto/load-hashes.js';
import { decodeRoots, encodeBlock } from '../../src/proofs/block-roots.js';
import { Mmr, type MmrNode, mmrRoot } from '../../src/proofs/mmr.js';
import { ProofCore } from '../../src/proofs/proof-core.js';
import { storedTreeHeight } from '../../src/proofs/tree/kept-tree.js';
import { be64 } from '../../src/storage/big-endian.js';
import { openStore } from '../../src/storage/open-store.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { type BatchPieces, WriteBatch } from '../../src/storage/write-batch.js';
import { sweep } from '../support/sweep.js';
import { type Model, naiveRoot } from './tree/tree-model.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sha256 = (text: string) => Uint8Array.from(createHash('sha256').update(text).digest());
/** Few enough that blocks change the same keys, and enough to split pages. */
const KEYS = Array.from({ length: 300 }, (_, index) => sha256(`key ${index}`));

interface ModelBlock {
  readonly id: number;
  readonly height: bigint;
  readonly hash: Uint8Array;
  readonly parent: ModelBlock | undefined;
  readonly state: Model;
  readonly changes: ReadonlyMap<string, Uint8Array | undefined>;
  readonly stateRoot: Uint8Array;
  /** As returned by the core. */
  readonly mmrNodes: readonly MmrNode[];
}

type Step =
  | { readonly type: 'apply'; readonly on: number; readonly keys: readonly number[] }
  | { readonly type: 'commit'; readonly which: number }
  | { readonly type: 'drop'; readonly which: number }
  | { readonly type: 'prove' | 'rest' | 'restart' };

const index = fc.nat({ max: 1_000 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('apply' as const),
        on: index,
        keys: fc.array(fc.nat({ max: KEYS.length - 1 }), { maxLength: 40 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('commit' as const), which: index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('drop' as const), which: index }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constantFrom('prove' as const, 'rest' as const, 'restart' as const) }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

describe('branches of pending blocks', () => {
  let directory: string;
  let hashes: Hashes;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-branches-'));
    hashes = await loadHashes('off');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const emptyStore = (name: string): Promise<Store> =>
    openStore({ directory: join(directory, name), native: 'off', report: () => undefined });

  /** A proof worker's core over a store, beside a model in which every block has its whole state. */
  class World {
    #pending: ModelBlock[] = [];
    #tip: ModelBlock | undefined;
    #ids = 0;

    private constructor(
      readonly store: Store,
      private core: ProofCore,
    ) {}

    static async open(name: string): Promise<World> {
      const store = await emptyStore(name);
      return new World(store, await World.#core(store, undefined));
    }

    static #core(store: Store, tip: ModelBlock | undefined): Promise<ProofCore> {
      return ProofCore.open({
        crypto: hashes,
        store,
        tip,
        memoryBytes: 1 << 20,
        proofWindow: 1_024n,
        checkpointInterval: 4n,
        onProgress: ({ stage }) => assert.notEqual(stage, 'rebuild'),
      });
    }

    async take(step: Step): Promise<void> {
      switch (step.type) {
        case 'apply':
          this.#apply(step.on, step.keys);
          break;
        case 'commit':
          await this.#commit(step.which);
          break;
        case 'drop': {
          const dropped = this.#pending[step.which % Math.max(this.#pending.length, 1)];
          if (dropped === undefined) break;
          this.core.abandon(dropped.id);
          this.#pending = this.#pending.filter((block) => !isOn(block, dropped));
          break;
        }
        case 'prove':
          // Throws unless the proved tree has the expected root.
          if (this.#tip !== undefined) this.core.proveLatest(this.#tip, KEYS.slice(0, 5));
          break;
        case 'rest':
          while (this.core.runIdleStep());
          for (const taken of this.core.take()) await this.#write(taken);
          break;
        case 'restart':
          await this.#restart();
          break;
      }
      const stored = storedTreeHeight(this.store);
      assert.ok(stored === undefined || stored <= (this.#tip?.height ?? -1n), 'nothing pending is stored');
    }

    /** Applies a block on the tip or on any pending block. */
    #apply(on: number, keys: readonly number[]): void {
      const parents = [this.#tip, ...this.#pending];
      const first = this.#tip === undefined;
      const parent = first ? undefined : parents[on % parents.length];
      const id = this.#ids++;
      const state: Model = new Map(parent?.state);
      const changes = new Map<string, Uint8Array | undefined>();
      for (const [place, key] of keys.entries()) {
        const name = hex(KEYS[key] ?? assert.fail());
        const value = (id + place) % 4 === 3 ? undefined : sha256(`${id}.${place}`).subarray(0, 8);
        changes.set(name, value);
        if (value === undefined) state.delete(name);
        else state.set(name, value);
      }
      const height = parent === undefined ? 0n : parent.height + 1n;
      const request = encodeBlock(id, {
        parent: parent === this.#tip ? undefined : parent?.id,
        height,
        parentHash: parent?.hash,
        changes: [...changes].map(([name, value]) => ({ key: Buffer.from(name, 'hex'), value })),
        items: [],
        receipts: [],
      });
      const { stateRoot, historyRoot, mmrNodes } = decodeRoots(this.core.block(request));
      const history = historyBefore(parent);
      assert.equal(hex(stateRoot), naiveRoot(state));
      assert.equal(hex(historyRoot), hex(history.root));
      assert.deepEqual(nodeTexts(mmrNodes), nodeTexts(history.nodes));
      const hash = sha256(`block ${id}`);
      this.#pending.push({ id, height, hash, parent, state, changes, stateRoot, mmrNodes });
    }

    async #commit(which: number): Promise<void> {
      const children = this.#pending.filter(({ parent }) => parent === this.#tip);
      const block = children[which % Math.max(children.length, 1)];
      if (block === undefined) return;
      const batch = new WriteBatch();
      const changes = [...block.changes].map(([name, value]) => {
        const key = Buffer.from(name, 'hex');
        return { key, value, previous: this.store.get('state', key) };
      });
      appendStateChanges(batch, block.height, changes);
      for (const { position, hash } of block.mmrNodes) batch.put('mmr', be64(position), hash);
      await this.store.write(batch, { sync: false });
      this.core.commit(block);
      this.#tip = block;
      this.#pending = this.#pending.filter((other) => other !== block && isOn(other, block));
      for (const taken of this.core.take()) await this.#write(taken);
    }

    /** Restarts as after kill -9: pending blocks and unwritten data are gone. */
    async #restart(): Promise<void> {
      if (this.#tip === undefined) return;
      this.core = await World.#core(this.store, this.#tip);
      this.#pending = [];
    }

    async finish(): Promise<void> {
      await this.#write(this.core.finish());
      if (this.#tip !== undefined) assert.equal(storedTreeHeight(this.store), this.#tip.height);
      await this.#restart();
      await this.take({ type: 'prove' });
      await this.store.close();
    }

    async #write(encoded: BatchPieces | undefined): Promise<void> {
      if (encoded === undefined) return;
      const batch = new WriteBatch();
      batch.adopt(encoded);
      await this.store.write(batch, { sync: false });
    }
  }

  function isOn(block: ModelBlock, other: ModelBlock): boolean {
    for (let at: ModelBlock | undefined = block; at !== undefined; at = at.parent)
      if (at === other) return true;
    return false;
  }

  function hashesUpTo(block: ModelBlock | undefined): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (let at = block; at !== undefined; at = at.parent) found.unshift(at.hash);
    return found;
  }

  /** The history before a block on this parent: its root, and the nodes that the block adds. */
  function historyBefore(parent: ModelBlock | undefined) {
    const mmr = Mmr.empty(hashes);
    let nodes: readonly MmrNode[] = [];
    for (const leaf of hashesUpTo(parent)) nodes = mmr.append(leaf);
    return { root: mmrRoot(hashes, mmr.size, mmr.peaks()), nodes };
  }

  const nodeTexts = (nodes: readonly MmrNode[]) =>
    nodes.map(({ position, hash }) => `${position} ${hex(hash)}`);

  test('any sequence of apply, switch, drop, commit, prove and restart gives the roots of a naive tree', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = await World.open(`run-${run++}`);
        await world.take({ type: 'apply', on: 0, keys: Array.from({ length: 150 }, (_, key) => key) });
        await world.take({ type: 'commit', which: 0 });
        for (const step of sequence) await world.take(step);
        await world.finish();
      }),
      { numRuns: sweep(12) },
    );
  });

  test('a block on an unknown or dropped one is refused, and changes nothing', async () => {
    const store = await emptyStore('unknown');
    const core = await ProofCore.open({
      crypto: hashes,
      store,
      tip: undefined,
      memoryBytes: 1 << 20,
      proofWindow: 8n,
      checkpointInterval: 0n,
      onProgress: () => undefined,
    });
    const empty = { changes: [], items: [], receipts: [] };
    const block = (id: number, height: bigint, parent?: number) =>
      core.block(
        encodeBlock(id, { ...empty, height, parent, parentHash: height === 0n ? undefined : sha256('0') }),
      );
    block(0, 0n);
    block(1, 1n, 0);
    core.abandon(0);
    assert.throws(() => block(2, 1n, 0), { code: 'out_of_order' });
    assert.throws(() => block(3, 2n, 1), { code: 'out_of_order' });
    assert.equal(core.broken, undefined);
    block(4, 0n);
    core.commit({ id: 4, hash: sha256('0') });
    assert.throws(() => block(5, 5n), { code: 'out_of_order', message: /expected height 1, got 5/ });
    block(6, 1n);
    assert.throws(() => core.commit({ id: 5, hash: sha256('5') }), { code: 'out_of_order' });
    await store.close();
  });
});

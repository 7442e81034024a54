import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BlockBuilder, ExecutedCandidates } from '../../src/consensus/block-builder.js';
import type { BlockWaves } from '../../src/consensus/block-waves.js';
import type { Chain } from '../../src/consensus/chain.js';
import { Containment } from '../../src/consensus/containment.js';
import { FaultRecord } from '../../src/consensus/fault-record.js';
import { Sealer } from '../../src/consensus/sealer.js';
import { UnderWay } from '../../src/consensus/under-way.js';
import type { BlockEnvironment } from '../../src/execution/block-environment.js';
import type { VerifiedTransaction } from '../../src/ledger/verified-transaction.js';
import type { Selection } from '../../src/mempool/block-draw.js';
import type { Store } from '../../src/storage/store.js';
import { StoreError } from '../../src/storage/store-error.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';
import { PoolWorld, type TransactionSpec } from '../support/pool-world.js';

const CODE: TransactionSpec = { action: { type: 'batch', value: [] } };
const FULL = new StoreError('write_failed', 'the disk is full');

function raise(error: unknown): never {
  throw error;
}

/** A sealer on a pool, as far as the first block that has anything in it, which cannot be written. */
class World extends PoolWorld {
  readonly #directory = temporaryDirectory();
  readonly #opened: UnderWay[] = [];
  /** Candidates that cannot be executed. */
  readonly bad = new Set<VerifiedTransaction>();

  constructor(t: TestContext) {
    super();
    t.after(() => {
      for (const underWay of this.#opened) underWay.close();
      removeDirectory(this.#directory);
    });
  }

  /** What a process finds that starts now. */
  open(): { readonly record: FaultRecord; readonly underWay: UnderWay } {
    const marks = UnderWay.open(this.#directory, raise);
    this.#opened.push(marks.underWay);
    return { record: FaultRecord.open(this.#directory, marks, raise), underWay: marks.underWay };
  }

  /** The process ended twice in the middle of it. */
  setApart({ hashHex }: VerifiedTransaction): void {
    for (let times = 0; times < 2; times++) {
      this.open().underWay.begin('block', [hashHex]);
      this.open().record.clear([hashHex]);
    }
  }

  /** Seals without anything but time to begin a block, and gives what the first that is not empty has. */
  sealed(): Promise<readonly VerifiedTransaction[]> {
    const execute = ({ transactions }: Selection) => {
      if (transactions.some((one) => this.bad.has(one))) throw new RangeError('expected u128');
      return { transactions, leftOut: [], failedBundles: [] } as unknown as ExecutedCandidates;
    };
    const { record, underWay } = this.open();
    const containment = new Containment({
      pool: this.pool,
      record,
      underWay,
      execute: async (_, selection) => execute(selection),
      onFault: () => undefined,
    });
    return new Promise((resolve, reject) => {
      let block: readonly VerifiedTransaction[] = [];
      const builder = {
        environment: () => this.head as unknown as BlockEnvironment,
        fill: async (_: BlockEnvironment, waves: BlockWaves) =>
          execute(
            waves.first({ gasLeft: this.head.gasLimit, bundleGas: 0n }) ?? { transactions: [], bundles: [] },
          ),
        build: async (_: BlockEnvironment, { transactions }: ExecutedCandidates) => {
          block = transactions;
          throw FULL;
        },
      } as unknown as BlockBuilder;
      const sealer = new Sealer({
        chain: { tip: { header: { timestamp_ms: 0n } } } as unknown as Chain,
        pool: this.pool,
        builder,
        containment,
        store: {} as Store,
        pacing: { seal: 'instant', blockTimeMs: 10, idleBlockTimeMs: 0 },
        expectedGas: () => 1n,
        now: () => 1_000,
        onSealed: () => undefined,
        onFailure: (error) => (error === FULL ? resolve(block) : reject(error)),
      });
      sealer.start();
    });
  }
}

test('after the turn of one that others are kept from and that fails, the others have theirs at once', async (t) => {
  const world = new World(t);
  const apart = world.add(CODE);
  const other = world.add({ ...CODE, from: 'bob' });
  world.setApart(apart);
  world.bad.add(apart);
  assert.deepEqual(await world.sealed(), [other]);
  assert.match(world.pool.departure(apart.hashHex)?.reason ?? '', /execution_fault/);
});

test('no turn is wasted on one that others are kept from and that cannot be in the block yet', async (t) => {
  const world = new World(t);
  const apart = world.add({ ...CODE, nonce: 1 });
  const other = world.add({ from: 'bob' });
  world.setApart(apart);
  assert.deepEqual(await world.sealed(), [other]);
  assert.notEqual(world.pool.get(apart.hashHex), undefined);
});

test('where a block cannot be written, nothing is held against those in it', async (t) => {
  const world = new World(t);
  const transaction = world.add(CODE);
  assert.deepEqual(await world.sealed(), [transaction]);
  assert.equal(world.open().record.standing(transaction.hashHex), 'trusted');
});

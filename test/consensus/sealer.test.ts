import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NODE_RUNTIME } from '../../src/async/runtime.js';
import { BlockInProgress } from '../../src/chain/block-in-progress.js';
import { genesisEpochState } from '../../src/chain/epochs/epoch-state.js';
import { type ExecutionBase, timedExecution } from '../../src/chain/executed-candidates.js';
import { Containment } from '../../src/chain/faults/containment.js';
import { ExecutionMarker } from '../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../src/chain/faults/fault-record.js';
import { SoloFillPolicy } from '../../src/chain/fill-policy.js';
import { PendingBlocks } from '../../src/chain/pending-blocks.js';
import { Proposer } from '../../src/chain/propose-block.js';
import { ConsensusShell } from '../../src/consensus/shell/shell.js';
import { NO_PEERS, SOLE_EPOCHS, SOLE_SIGNATURES } from '../../src/consensus/shell/sole-validator.js';
import { BlockExecution } from '../../src/execution/block-execution.js';
import { ProgressMarker } from '../../src/execution/parallel/progress-marks.js';
import type { StateSource } from '../../src/execution/state-source.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { genesisHeader } from '../../src/ledger/genesis.js';
import { encodeTransactionItem, type VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import type { Selection } from '../../src/mempool/draw/block-draw.js';
import { StoreError } from '../../src/storage/store-error.js';
import { PURE_CRYPTO as CRYPTO } from '../support/crypto/pure-crypto.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';
import { PoolWorld, type TransactionSpec } from '../support/worlds/pool-world.js';

const CODE: TransactionSpec = { action: { type: 'batch', value: [] } };
const GENESIS = devGenesis(CRYPTO);
const NO_ROOT = new Uint8Array(32);
const HEADER = genesisHeader(CRYPTO, GENESIS, {
  state_root: NO_ROOT,
  transactions_root: NO_ROOT,
  receipts_root: NO_ROOT,
  history_root: NO_ROOT,
});
const NO_STATE: StateSource = {
  account: () => raise(new Error('nothing is executed')),
  slot: () => raise(new Error('nothing is executed')),
  record: () => raise(new Error('nothing is executed')),
  code: () => undefined,
};
const FULL = new StoreError('write_failed', 'the disk is full');

function raise(error: unknown): never {
  throw error;
}

/** Runs a sealer on a pool up to the first non-empty block, which cannot be written. */
class World extends PoolWorld {
  readonly #directory = temporaryDirectory();
  readonly #opened: ExecutionMarker[] = [];
  /** Candidates that cannot be executed. */
  readonly bad = new Set<VerifiedTransaction>();

  constructor(t: TestContext) {
    super();
    t.after(() => {
      for (const executionMarker of this.#opened) executionMarker.close();
      removeDirectory(this.#directory);
    });
  }

  /** Opens the records as a starting process would. */
  open(): { readonly record: FaultRecord; readonly executionMarker: ExecutionMarker } {
    const marks = ExecutionMarker.open(this.#directory, raise);
    this.#opened.push(marks.marker);
    return { record: FaultRecord.open(this.#directory, marks, raise), executionMarker: marks.marker };
  }

  /** Records that the process ended twice while executing a candidate. */
  setApart({ hashHex }: VerifiedTransaction): void {
    for (let times = 0; times < 2; times++) {
      const { executionMarker } = this.open();
      executionMarker.begin('block', [{ name: hashHex, start: 0 }], true);
      const marker = new ProgressMarker(executionMarker.take() ?? assert.fail('nobody is watched'));
      marker.at(1);
      marker.close();
      this.open().record.clear([hashHex]);
    }
  }

  /** Seals with only the clock to start blocks, and returns the items of the first non-empty block. */
  sealed(): Promise<readonly Uint8Array[]> {
    let items: readonly Uint8Array[] = [];
    const open = ({ env }: ExecutionBase) =>
      new BlockInProgress(new BlockExecution(env, NO_STATE), async (_, { transactions }) => {
        if (transactions.some((one) => this.bad.has(one))) throw new RangeError('expected u128');
        return undefined;
      });
    const execute = async (base: ExecutionBase, selection: Selection) => {
      const block = open(base);
      await block.add(selection);
      return block.finish();
    };
    const { record, executionMarker: marker } = this.open();
    const containment = new Containment({
      pool: this.pool,
      record,
      marker,
      execute: (base, selection) => timedExecution(selection, () => execute(base, selection)),
      onFault: () => undefined,
    });
    const chain = {
      tip: { header: HEADER, hash: new Uint8Array(32), epochs: genesisEpochState(CRYPTO, GENESIS), slots: 0 },
    };
    const pending = new PendingBlocks(
      () => chain.tip,
      () => undefined,
    );
    const proposer = new Proposer({
      chain,
      pending,
      crypto: CRYPTO,
      // The failing roots keep every block from being written.
      proofs: {
        blockRoots: (block) => {
          items = block.items;
          return Promise.reject(FULL);
        },
        drop: () => undefined,
      },
      executor: {
        open,
        openings: {
          due: () => [],
          scheduled: () => [],
          verify: async () => [],
          execute: async () => undefined,
        },
      },
      epochRules: { problem: async () => undefined, next: () => assert.fail('no epoch ends') },
      pool: this.pool,
      containment,
      fillPolicy: new SoloFillPolicy({ blockTimeMs: 10 }),
      accounts: this.accounts,
      expectedGas: () => 1n,
    });
    return new Promise((resolve, reject) => {
      const nothing = () => undefined;
      const shell = new ConsensusShell({
        chain: {
          tip: chain.tip,
          propose: (context) => proposer.propose(context),
          onProposalEnded: nothing,
          verify: () => Promise.reject(new Error('nobody else proposes')),
          release: nothing,
          trySuspects: (timestampMs) => proposer.trySuspects(timestampMs),
          unopenedHeights: () => [],
          commit: () => Promise.reject(new Error('nothing gets so far')),
        },
        store: { get: nothing },
        blocks: { header: nothing, heightOf: nothing, encodedItems: () => [] },
        crypto: CRYPTO,
        signatures: SOLE_SIGNATURES,
        network: NO_PEERS,
        epochs: SOLE_EPOCHS,
        groupPublicKey: GENESIS.validator_set.group_public_key,
        pool: this.pool,
        config: {
          epochLength: 10_000,
          deltaMs: 500,
          blockTimeMs: 10,
          idleBlockTimeMs: 0,
          sealInstantly: true,
        },
        runtime: { ...NODE_RUNTIME, wallMs: () => 1_000 },
        onFinal: nothing,
        onFailure: (error) => (error === FULL ? resolve(items) : reject(error)),
        log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      });
      shell.start();
    });
  }
}

test('after a suspect tried alone fails, the others follow at once', async (t) => {
  const world = new World(t);
  const apart = world.add(CODE);
  const other = world.add({ ...CODE, from: 'bob' });
  world.setApart(apart);
  world.bad.add(apart);
  assert.deepEqual(await world.sealed(), [encodeTransactionItem(other)]);
  assert.match(world.pool.removal(apart.hashHex)?.reason ?? '', /execution_fault/);
});

test('no solo try is wasted on a suspect that cannot be included yet', async (t) => {
  const world = new World(t);
  const apart = world.add({ ...CODE, nonce: 1 });
  const other = world.add({ from: 'bob' });
  world.setApart(apart);
  assert.deepEqual(await world.sealed(), [encodeTransactionItem(other)]);
  assert.notEqual(world.pool.get(apart.hashHex), undefined);
});

test('a failed block write is not blamed on the transactions in the block', async (t) => {
  const world = new World(t);
  const transaction = world.add(CODE);
  assert.deepEqual(await world.sealed(), [encodeTransactionItem(transaction)]);
  assert.equal(world.open().record.trustLevel(transaction.hashHex), 'trusted');
});

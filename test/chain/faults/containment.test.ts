import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ExecutionBase } from '../../../src/chain/executed-candidates.js';
import { Containment, type ReportedFault } from '../../../src/chain/faults/containment.js';
import { ExecutionMarker } from '../../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../../src/chain/faults/fault-record.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { ProgressMarker } from '../../../src/execution/parallel/progress-marks.js';
import type { CandidateHashHex } from '../../../src/ledger/hex-types.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import type { Selection } from '../../../src/mempool/draw/block-draw.js';
import { ProofError } from '../../../src/proofs/proof-error.js';
import { StoreError } from '../../../src/storage/store-error.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { allIncluded } from '../../support/worlds/executed-candidates.js';
import { PoolWorld, type TransactionSpec } from '../../support/worlds/pool-world.js';

const BASE: ExecutionBase = {
  env: { chainId: 1n, height: 1n, timestampMs: 1n, baseFee: 1n, slotPrice: 1n, gasLimit: 1n, proposer: '' },
  branch: [],
};
const CODE: TransactionSpec = { action: { type: 'batch', value: [] } };
const BROKEN = new StoreError('write_failed', 'the disk is full');

describe('suspected candidates', () => {
  let directory: string;
  let world: PoolWorld;
  let record: FaultRecord;
  let executionMarker: ExecutionMarker;
  const opened: ExecutionMarker[] = [];
  let containment: Containment;
  /** Called in place of execution. */
  let execute: (selection: Selection) => Promise<void>;
  let tried: string[];
  let faults: ReportedFault[];

  beforeEach(() => {
    directory = temporaryDirectory();
    world = new PoolWorld();
    execute = () => Promise.resolve();
    tried = [];
    faults = [];
    restart();
  });
  afterEach(() => {
    for (const marks of opened.splice(0)) marks.close();
    removeDirectory(directory);
  });

  function unexpected(error: unknown): never {
    throw error;
  }

  /** Simulates a restart after a process that exited without closing anything. */
  function restart(): void {
    const marks = ExecutionMarker.open(directory, unexpected);
    record = FaultRecord.open(directory, marks, unexpected);
    executionMarker = marks.marker;
    opened.push(executionMarker);
    containment = new Containment({
      pool: world.pool,
      record,
      marker: executionMarker,
      onFault: (fault) => faults.push(fault),
      execute: async (_, selection) => {
        tried.push(...selection.transactions.map(({ hashHex }) => hashHex));
        await execute(selection);
        return allIncluded(selection);
      },
    });
  }

  /** Simulates a process that ended once while executing each of these candidates. */
  function suspect(...names: CandidateHashHex[]): void {
    const candidates = names.map((name, start) => ({ name, start }));
    executionMarker.begin('block', candidates, true);
    for (const { start } of candidates) endIn(start);
    restart();
  }

  /** Marks a worker as executing the candidate at an index. */
  function endIn(start: number): void {
    const marker = new ProgressMarker(executionMarker.take() ?? assert.fail('nobody is watched'));
    marker.at(start + 1);
    marker.close();
  }

  /** Simulates candidates that ran well alone, although the process ended twice while executing them. */
  function setApart(...candidates: readonly VerifiedTransaction[]): void {
    const names = candidates.map(({ hashHex }) => hashHex);
    for (let times = 0; times < 2; times++) {
      suspect(...names);
      record.clear(names);
    }
  }

  function call(spec: TransactionSpec = {}): VerifiedTransaction {
    return world.add({ ...CODE, ...spec });
  }

  function standings(candidates: readonly VerifiedTransaction[]): string[] {
    return candidates.map(({ hashHex }) => record.trustLevel(hashHex));
  }

  for (const [what, error, isHeld] of [
    ['the store cannot write', BROKEN, false],
    ['the node is being stopped', new ExecutionError('stopped', 'the workers are being stopped'), false],
    ['the tree cannot be written', new ProofError('worker_failed', 'no pages', { cause: BROKEN }), false],
    ['anything else goes wrong', new Error('something else'), true],
  ] as const) {
    test(`candidates are ${isHeld ? 'watched' : 'still trusted'} after a block is cancelled because ${what}`, () => {
      const candidates = [call(), call({ nonce: 1 })];
      containment.begin({ transactions: candidates, bundles: [] });
      containment.onBlockAbandoned(error);
      restart();
      const standing = isHeld ? 'watched' : 'trusted';
      assert.deepEqual(standings(candidates), [standing, standing]);
    });
  }

  test('a store failure adds no strike, whether a candidate runs alone or with others', async () => {
    const candidates = [call(), call({ from: 'bob' })];
    const [first] = candidates as [VerifiedTransaction];
    suspect(first.hashHex);
    execute = () => Promise.reject(BROKEN);
    await assert.rejects(containment.trySuspects(BASE), BROKEN);
    restart();
    assert.deepEqual(standings(candidates), ['suspected', 'trusted']);
    const selection = { transactions: candidates, bundles: [] };
    containment.begin(selection);
    await assert.rejects(containment.recover(BASE, selection, BROKEN), BROKEN);
    restart();
    assert.deepEqual(standings(candidates), ['suspected', 'trusted']);
  });

  test('candidates behind a slow failure are tried in the next turn, which starts at once', async () => {
    const candidates = ['alice', 'bob', 'carol'].map((from) => call({ from }));
    const [slow] = candidates as [VerifiedTransaction];
    suspect(...candidates.map(({ hashHex }) => hashHex));
    execute = async ({ transactions: [only] }) => {
      if (only !== slow) return;
      await new Promise((resolve) => setTimeout(resolve, 210));
      throw new RangeError('expected u128');
    };
    assert.equal(await containment.trySuspects(BASE), true);
    assert.deepEqual(standings(candidates), ['suspected', 'suspected', 'suspected']);
    assert.deepEqual(
      faults.map(({ verdict }) => verdict),
      ['suspected'],
    );
    assert.equal(await containment.trySuspects(BASE), true);
    assert.deepEqual(standings(candidates), ['out', 'watched', 'watched']);
    assert.equal(faults.length, 2);
    assert.equal(await containment.trySuspects(BASE), false);
  });

  test('candidates that overloaded workers cannot try are tried in the next turn', async () => {
    const candidate = call();
    suspect(candidate.hashHex);
    execute = ({ transactions }) =>
      transactions.length === 0
        ? Promise.resolve()
        : Promise.reject(new ExecutionError('overloaded', 'too much'));
    assert.equal(await containment.trySuspects(BASE), true);
    assert.deepEqual(standings([candidate]), ['suspected']);
  });

  test('suspects do not run inside bundles and are remembered while a bundle holds them; the bundle leaves with them', async () => {
    const member = call({ from: 'bob' });
    const bundle = world.addBundle([member, { from: 'carol' }]);
    const other = world.addBundle([{ from: 'dave' }]);
    world.pool.drop(member.hashHex, 'evicted', 'only the bundle has it now');
    suspect(member.hashHex);
    const drawn = () =>
      world.pool
        .select({ ...world.head, isHeldBack: (name) => containment.isHeldBack(name) })
        .bundles.map(({ hashHex }) => hashHex);
    assert.deepEqual(drawn(), [other.hashHex]);
    assert.equal(await containment.trySuspects(BASE), true);
    assert.deepEqual(tried, [member.hashHex]);
    assert.deepEqual(drawn().sort(), [bundle.hashHex, other.hashHex].sort());
    suspect(member.hashHex);
    execute = ({ transactions }) =>
      transactions.length === 0 ? Promise.resolve() : Promise.reject(new RangeError('expected u128'));
    for (let times = 0; times < 2; times++) await containment.trySuspects(BASE);
    assert.deepEqual(standings([member]), ['out']);
    assert.deepEqual(drawn(), [other.hashHex]);
    assert.deepEqual(
      world.bundleRemovals.map(({ bundle: { hashHex }, reason }) => [hashHex, reason]),
      [[bundle.hashHex, 'execution_fault']],
    );
  });

  test('suspects have a block of their own every second time, once they can be included', () => {
    const second = call({ nonce: 1 });
    const expensive = call({ from: 'bob', maxFee: 100 });
    setApart(second, expensive);
    world.seal([], { baseFee: 101n });
    assert.equal(containment.hasIsolated, false);
    assert.equal(
      containment.nextIsolated(),
      undefined,
      'one has a nonce to come before it, one waits for the base fee',
    );
    const first = call();
    setApart(first);
    assert.deepEqual(containment.nextIsolated()?.transactions, [first]);
    world.seal([first]);
    assert.equal(containment.nextIsolated(), undefined, 'others have their turn');
    assert.deepEqual(containment.nextIsolated()?.transactions, [second]);
    world.seal([second], { baseFee: 50n });
    assert.equal(containment.hasIsolated, true);
    containment.nextIsolated();
    assert.deepEqual(containment.nextIsolated()?.transactions, [expensive]);
    world.seal([expensive]);
    assert.deepEqual(standings([expensive]), ['apart']);
    containment.nextIsolated();
    assert.deepEqual([containment.nextIsolated(), containment.hasIsolated], [undefined, false]);
    assert.deepEqual(standings([expensive]), ['trusted'], 'removed candidates are forgotten');
  });
});

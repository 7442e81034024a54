// Fast sync from sources that drop or withhold the snapshot they offered.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readImportMarker } from '../../../src/chain/import-marker.js';
import type { Log } from '../../../src/config/log.js';
import type { Status } from '../../../src/generated/node-rpc-v1.js';
import { readTip } from '../../../src/ledger/chain-meta.js';
import { FastSync } from '../../../src/sync/follow/fast-sync.js';
import { Source } from '../../../src/sync/follow/source.js';
import { SourceError } from '../../../src/sync/follow/source-error.js';
import {
  boundsOf,
  type SourceMethod,
  type SourceParams,
  type SourceResult,
} from '../../../src/sync/follow/source-methods.js';
import { SourceSet } from '../../../src/sync/follow/source-set.js';
import { HASHES, randomState } from '../../proofs/snapshot/snapshot-model.js';
import { temporaryStore } from '../../storage/stores.js';
import { randomSource } from '../../support/random-source.js';
import { type FakeSnapshot, fakeSnapshot, verifySignature } from '../fake-snapshot.js';

const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const [OLDER, NEWER] = [13n, 20n].map((height) =>
  fakeSnapshot(
    randomState(randomSource(5), { accounts: 200, slots: 2_500, contracts: 12, codeBytes: 150_000 }),
    height,
  ),
) as [FakeSnapshot, FakeSnapshot];

/** A clock that a test moves, in milliseconds. */
interface Clock {
  ms: number;
}

/** Parameters of any of the methods answered here. */
interface ChunkParams {
  readonly height?: bigint;
  readonly index?: number;
}

/** A source with one snapshot at a time. */
class SnapshotSource extends Source {
  offered: FakeSnapshot;
  /** Requested chunks as `height/index`. */
  readonly asked: string[] = [];
  /** Called before a chunk is sent; may throw instead. */
  beforeChunk: (index: number) => void = () => undefined;

  constructor(index: number, offered: FakeSnapshot, clock: Clock) {
    super({ url: `http://source-${index}`, index, log, now: () => clock.ms, random: () => 0 });
    this.offered = offered;
  }

  override async ask<M extends SourceMethod>(method: M, params: SourceParams<M>): Promise<SourceResult<M>> {
    try {
      return this.#answer(method, params as ChunkParams) as SourceResult<M>;
    } catch (error) {
      assert.ok(error instanceof SourceError);
      if (boundsOf(method).fairRefusals?.includes(error.kind ?? '') !== true) this.recordFault(error, method);
      throw error;
    }
  }

  #answer(method: string, { height, index = 0 }: ChunkParams): unknown {
    const { light, origin } = this.offered.head;
    const isThere = height === undefined || height === light.header.height;
    switch (method) {
      case 'status':
        return { tip: { height: light.header.height } } as Status;
      case 'get_light_snapshot':
        if (!isThere) throw notFound();
        return light;
      case 'finalized_history_root':
        return { header: origin.header };
      case 'finalized_history_proof':
        return { path: origin.path };
      case 'get_snapshot_chunk': {
        this.asked.push(`${height}/${index}`);
        this.beforeChunk(index);
        if (height !== this.offered.head.light.header.height) throw notFound();
        return this.offered.chunks[index];
      }
      default:
        return assert.fail(method);
    }
  }
}

function notFound(): SourceError {
  return new SourceError('refused', 'no checkpoint', { kind: 'not_found' });
}

async function syncing(t: TestContext, sources: readonly SnapshotSource[], clock: Clock) {
  const store = await temporaryStore(t, 'off');
  const set = new SourceSet({
    sources,
    pollMs: 5,
    checkHead: () => undefined,
    onFailure: (error) => assert.fail(error),
  });
  set.start();
  t.after(() => set.stop());
  const sync = new FastSync({
    store,
    hashes: HASHES,
    sources: set,
    log,
    verifySignature,
    trust: { type: 'key', groupPublicKey: NEWER.groupPublicKey },
    buildTree: async () => undefined,
    now: () => clock.ms,
  });
  return { sync, store };
}

/** Advances a clock until a task ends, so that pauses of sources end. */
async function advancing<T>(clock: Clock, work: Promise<T>, byMs = 100): Promise<T> {
  const timer = setInterval(() => (clock.ms += byMs), 5);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

test('a snapshot that its only source drops is replaced by the next one', async (t) => {
  const clock = { ms: 1_000_000 };
  const source = new SnapshotSource(0, OLDER, clock);
  const { sync, store } = await syncing(t, [source], clock);
  source.beforeChunk = (index) => {
    if (index > 0) source.offered = NEWER;
  };
  assert.equal(await advancing(clock, sync.run()), 'at_checkpoint');
  assert.equal(readTip(store)?.height, NEWER.head.light.header.height);
  assert.equal(readImportMarker(store), undefined);
});

test('a source that withholds the chunks of the newest snapshot does not keep a node from an older one', async (t) => {
  const clock = { ms: 1_000_000 };
  const [liar, honest] = [new SnapshotSource(0, NEWER, clock), new SnapshotSource(1, OLDER, clock)];
  for (const code of ['timeout', 'refused'] as const) {
    liar.asked.length = 0;
    liar.beforeChunk = () => {
      throw code === 'refused' ? notFound() : new SourceError(code, 'no complete answer in time');
    };
    const { sync, store } = await syncing(t, [liar, honest], clock);
    assert.equal(await advancing(clock, sync.run(), 2_000), 'at_checkpoint');
    assert.equal(readTip(store)?.height, OLDER.head.light.header.height);
    assert.ok(liar.asked.length > 0);
  }
});

test('a source that pauses for less than a minute keeps its chunks', async (t) => {
  const clock = { ms: 1_000_000 };
  const [source, other] = [new SnapshotSource(0, NEWER, clock), new SnapshotSource(1, OLDER, clock)];
  const { sync, store } = await syncing(t, [source, other], clock);
  let failures = 0;
  source.beforeChunk = (index) => {
    if (index === 2 && failures++ < 3) throw new SourceError('unreachable', 'it is down');
  };
  assert.equal(await advancing(clock, sync.run()), 'at_checkpoint');
  assert.equal(readTip(store)?.height, NEWER.head.light.header.height);
  assert.deepEqual(other.asked, []);
  assert.equal(source.asked.length, NEWER.chunks.length + 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EffectOf } from '../../../src/consensus/core/types.js';
import { NO_PEERS } from '../../../src/consensus/shell/sole-validator.js';
import { SyncStatus } from '../../../src/consensus/shell/sync-status.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { genesisHeader } from '../../../src/ledger/genesis.js';
import { CRYPTO } from '../../support/crypto/loaded-crypto.js';
import { ManualRuntime } from '../../support/worlds/manual-runtime.js';
import { shellContext } from '../../support/worlds/shell-context.js';

const HASH = '00'.repeat(32);
const FELL_BEHIND: EffectOf<'fell_behind'> = {
  type: 'fell_behind',
  certificate: {
    kind: 'finalize',
    epoch: 0,
    view: 90,
    parentView: 89,
    hash: HASH,
    signature: new Uint8Array(96),
  },
  height: 80,
};

/** The status of a validator of four at height 0 that is connected to all others. */
function status() {
  const root = new Uint8Array(32);
  const header = genesisHeader(CRYPTO, devGenesis(CRYPTO), {
    state_root: root,
    transactions_root: root,
    receipts_root: root,
    history_root: root,
  });
  const runtime = new ManualRuntime();
  const failures: unknown[] = [];
  const { lifecycle } = shellContext({});
  const sync = new SyncStatus(
    shellContext({
      runtime,
      chain: {
        tip: { header, hash: root },
        verify: () => Promise.reject(new Error('no blocks arrive')),
      },
      network: { ...NO_PEERS, connected: () => [1, 2, 3] },
      lifecycle: { ...lifecycle, fail: (error) => failures.push(error) },
    }),
    { peers: { best: () => 80 }, commits: { commitFetched: () => Promise.resolve() } },
  );
  return { sync, runtime, failures };
}

test('stopping ends a catch-up and all its timers', async () => {
  const { sync, runtime, failures } = status();
  sync.onFellBehind(FELL_BEHIND);
  assert.deepEqual(sync.info().reasons.slice(-1), ['fetching final blocks up to height 80']);
  sync.stop();
  await sync.caughtUp;
  // One answer timeout per peer at most; none is waited for.
  assert.equal(runtime.timers, 0);
  assert.equal(sync.info().reasons.length, 1);
  assert.deepEqual(failures, []);
});

test('a node that has diverged fetches no further blocks', async () => {
  const { sync, runtime } = status();
  sync.onDiverged('block 7 is final but invalid here');
  sync.onFellBehind(FELL_BEHIND);
  assert.equal(runtime.timers, 0);
  assert.equal(sync.info().state, 'stalled');
  assert.ok(!sync.info().reasons.some((reason) => reason.startsWith('fetching')));
});

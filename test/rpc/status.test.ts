// The status of a validator, as its consensus reports it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resharingStatus } from '../../src/chain/epochs/resharing-status.js';
import { type ConsensusInfo, zeroMetrics } from '../../src/consensus/consensus-info.js';
import { sha256 } from '../../src/crypto/sha256.js';
import { type StatusSources, statusHandlers } from '../../src/rpc/methods/status.js';
import { setOf, tipAt } from '../support/worlds/epoch-tips.js';

const consensus = { ...zeroMetrics({ epoch: 1n, view: 7n, leader: 2 }), equivocations_seen: 3n };

function asked(validators: number, agreement: Partial<ConsensusInfo>, parts: Partial<StatusSources> = {}) {
  const chain = tipAt(13n, [setOf(0n, validators), setOf(1n, validators, 1)]);
  const handlers = statusHandlers({
    version: '1',
    chain: { ...chain, genesisStateRoot: new Uint8Array(32) },
    pool: { size: 0 },
    crypto: { sha256 },
    gatheredChanges: () => [],
    agreement: { metrics: () => consensus, sinceFinalMs: 5, ...agreement },
    checkpoints: { latest: undefined },
    blockTimeMs: 250,
    uptimeMs: () => 1_000,
    now: () => 2_000_000_000_000,
    eventLoopLagMs: () => 0,
    sealingFailure: () => undefined,
    admissionFailure: () => undefined,
    failingOpenings: () => [],
    ...parts,
  });
  return {
    validator: handlers.validator_status(),
    readiness: handlers.readiness(),
    health: handlers.health(),
  };
}

test('a validator reports its index, its peers, its dealing and its progress', () => {
  const peers = [{ index: 1, address: '10.0.0.2:9700', connected: true, rtt_ms: 4 }];
  let asOf: bigint | undefined;
  const { validator, readiness } = asked(4, {
    index: 2,
    peers: (tip) => {
      asOf = tip;
      return peers;
    },
    sync: () => ({ state: 'catching_up', bestKnownHeight: 40n, reasons: ['27 blocks behind'] }),
  });
  assert.deepEqual(validator.role, { type: 'validator' });
  assert.equal(validator.index, 2);
  assert.deepEqual(validator.peers, peers);
  assert.equal(asOf, 13n);
  assert.deepEqual(validator.dkg, resharingStatus(tipAt(13n, [setOf(0n, 4), setOf(1n, 4, 1)])));
  assert.deepEqual(validator.consensus, consensus);
  assert.deepEqual(validator.sync.state, { type: 'catching_up' });
  assert.equal(validator.sync.best_known_height, 40n);
  assert.deepEqual([readiness.ready, readiness.reasons], [false, ['27 blocks behind']]);
  assert.equal(readiness.epoch_key_available, true);
});

test('a validator without a share of the epoch is not ready, and reports it', () => {
  const { readiness } = asked(4, { epochKeyAvailable: false });
  assert.equal(readiness.ready, false);
  assert.equal(readiness.epoch_key_available, false);
  assert.match(readiness.reasons.join(), /no share of the group key/);
});

test('a removed validator has no index; a node that seals alone is a development node', () => {
  assert.equal('index' in asked(4, { index: undefined }).validator, false);
  const { validator, readiness } = asked(1, {});
  assert.deepEqual([validator.role, validator.index], [{ type: 'dev' }, 0]);
  assert.deepEqual(validator.dkg.state, { type: 'ready' });
  assert.deepEqual(validator.peers, []);
  assert.equal(readiness.ready, true);
});

test('a follower reports its sources, and the dealing recorded in blocks', () => {
  const peers = [{ index: 0, address: 'a:1', connected: true }];
  const report = { state: 'synced', bestKnownHeight: 13n, reasons: [], peers, blockTimeMs: 250 } as const;
  const { validator } = asked(4, {}, { following: () => report });
  assert.deepEqual(validator.role, { type: 'follower' });
  assert.deepEqual(validator.peers, peers);
  assert.deepEqual(validator.dkg.state, { type: 'dealing' });
});

test('a validator that cannot open sealed transactions is not ready, and reports the cause', () => {
  const fault = { hashHex: '0a'.repeat(32), pauseMs: 2_000, message: 'it ran for too long' };
  const { readiness } = asked(
    4,
    { index: 2 },
    { failingOpenings: () => [{ ...fault, height: 9n, failures: 2 }] },
  );
  assert.equal(readiness.ready, false);
  assert.deepEqual(readiness.reasons, [
    `what opens at height 9 failed here 2 times in a row, in sealed transaction 0x${'0a'.repeat(32)}: it ran for too long`,
  ]);
});

test('a node that refuses all transactions is not ready, and says why', () => {
  const { readiness, health } = asked(1, {}, { admissionFailure: () => 'the disk is full' });
  assert.deepEqual([readiness.ready, readiness.reasons], [false, ['the disk is full']]);
  assert.deepEqual(readiness.sync.state, { type: 'synced' });
  assert.deepEqual(health.status, { type: 'ok' });
});

test('a node whose next block is overdue is degraded, stalled and not ready', () => {
  const { validator, readiness, health } = asked(1, { overdueMs: 7_400 });
  const reason = 'no block for 7 s, though one is due';
  assert.deepEqual(health.status, { type: 'degraded', value: reason });
  assert.deepEqual(validator.sync.state, { type: 'stalled' });
  assert.deepEqual([readiness.ready, readiness.reasons], [false, [reason]]);
});

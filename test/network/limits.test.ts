import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FRAME_KINDS } from '../../src/network/frame-kinds.js';
import { PeerBan } from '../../src/network/peer-ban.js';
import { FrameRates, PeerRateLimit } from '../../src/network/peer-rate-limit.js';
import { MESH_TIMING } from '../../src/network/timing.js';

describe("a peer's rate limits", () => {
  test('admit thousands of votes a second, but no more', () => {
    let nowMs = 0;
    const rates = new FrameRates(() => nowMs, 1);
    let admitted = 0;
    for (; nowMs < 10_000; nowMs++) {
      for (let i = 0; i < 10; i++) if (rates.admit(FRAME_KINDS.vote, 221)) admitted++;
    }
    assert.ok(admitted > 40_000 && admitted < 50_000, `${admitted}`);
  });

  test('admit the longest message of each kind', () => {
    for (const spec of Object.values(FRAME_KINDS)) {
      assert.ok(new FrameRates(() => 0, 1).admit(spec, spec.maxBytes), spec.kind);
      const nothing = () => undefined;
      const limiter = new PeerRateLimit({
        now: () => 0,
        rateScale: 1,
        setPaused: nothing,
        onThrottled: nothing,
      });
      assert.ok(limiter.admits(spec, spec.maxBytes), spec.kind);
    }
  });

  test('count each kind of frame separately', () => {
    const rates = new FrameRates(() => 0, 1);
    while (rates.admit(FRAME_KINDS.vote, 221));
    assert.equal(rates.admit(FRAME_KINDS.certificate, 153), true);
  });
});

describe('banning a peer', () => {
  test('lasts longer with each fault, up to a limit, and starts over after good conduct', () => {
    let nowMs = 1_000;
    const exclusion = new PeerBan(
      MESH_TIMING,
      () => nowMs,
      () => false,
    );
    assert.equal(exclusion.remainingMs, 0);
    const waits: number[] = [];
    for (let i = 0; i < 11; i++) {
      exclusion.addFault();
      waits.push(exclusion.remainingMs);
      nowMs += exclusion.remainingMs;
    }
    assert.deepEqual(waits.slice(0, 4), [1_000, 2_000, 4_000, 8_000]);
    assert.deepEqual(waits.slice(-2), [300_000, 300_000]);
    nowMs += MESH_TIMING.banResetMs + 1;
    exclusion.addFault();
    assert.equal(exclusion.remainingMs, 1_000);
    nowMs += 999;
    assert.equal(exclusion.remainingMs, 1);
  });

  test('is brief while the peer is needed for a quorum, even if it began before that', () => {
    let nowMs = 1_000;
    let isNeeded = false;
    const exclusion = new PeerBan(
      MESH_TIMING,
      () => nowMs,
      () => isNeeded,
    );
    for (let i = 0; i < 8; i++) exclusion.addFault();
    assert.equal(exclusion.remainingMs, 128_000);
    isNeeded = true;
    assert.equal(exclusion.remainingMs, MESH_TIMING.maxBanWithoutQuorumMs);
    nowMs += MESH_TIMING.maxBanWithoutQuorumMs;
    assert.equal(exclusion.remainingMs, 0);
    isNeeded = false;
    assert.equal(exclusion.remainingMs, 128_000 - MESH_TIMING.maxBanWithoutQuorumMs);
  });
});

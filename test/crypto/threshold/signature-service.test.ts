import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import type { NativeChoice } from '../../../src/config/native-mode.js';
import type { ThresholdBls } from '../../../src/crypto/crypto.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import type { EpochKeys } from '../../../src/crypto/threshold/signature-messages.js';
import {
  SignatureService,
  type SignatureServiceOptions,
} from '../../../src/crypto/threshold/signature-service.js';
import { type DealtKey, dealKey } from '../../support/crypto/shared-key.js';
import { hex } from '../../support/hex.js';
import { NATIVE_MODES } from '../../support/native-modes.js';

const MESSAGE = new TextEncoder().encode('a vote');

async function started(t: TestContext, options: Partial<SignatureServiceOptions> = {}) {
  const service = await SignatureService.start({ native: 'auto', ...options });
  t.after(() => service.stop());
  return service;
}

function keysOf(key: DealtKey, epoch: bigint, index?: number): EpochKeys {
  const { quorum, groupPublicKey, shareKeys, shares } = key;
  const share = index === undefined ? undefined : shares[index];
  return {
    epoch,
    quorum,
    groupPublicKey,
    shareKeys,
    ...(share === undefined || index === undefined ? {} : { own: { index, share } }),
  };
}

function problem(code: string) {
  return { name: 'SignatureServiceError', code };
}

describe('the signature service', () => {
  let bls: ThresholdBls;
  let key: DealtKey;
  before(async () => {
    bls = await loadBls('auto');
    key = dealKey(bls, 3, 4);
  });
  const partialOf = (index: number, message = MESSAGE) => ({
    index,
    signature: bls.sign(message, key.shares[index] ?? assert.fail()),
  });

  for (const native of NATIVE_MODES) {
    test(`signs, assembles and verifies, --native ${native}`, async (t) => {
      const choices: NativeChoice[] = [];
      const service = await started(t, { native, report: (choice) => choices.push(choice) });
      assert.deepEqual(
        choices.map(({ part, native: isNative }) => [part, isNative]),
        [['bls12-381', native !== 'off']],
      );
      await service.enterEpoch(keysOf(key, 7n, 2));
      const own = await service.sign(7n, MESSAGE);
      assert.equal(hex(own), hex(partialOf(2).signature));
      const partials = [partialOf(0), { index: 2, signature: own }, partialOf(3)];
      const [assembly, verdicts] = await Promise.all([
        service.assemble(7n, MESSAGE, partials),
        service.verifyPartials(7n, MESSAGE, [partialOf(1), { index: 0, signature: own }]),
      ]);
      const signature = assembly.signature ?? assert.fail();
      assert.equal(hex(signature), hex(bls.sign(MESSAGE, key.groupPrivateKey)));
      assert.deepEqual(verdicts, [true, false]);
      assert.equal(await service.verify(signature, MESSAGE, key.groupPublicKey), true);
      assert.equal(await service.verify(own, MESSAGE, key.groupPublicKey), false);
      assert.equal(await service.verify(own.subarray(1), MESSAGE, key.groupPublicKey), false);
    });
  }

  test('a validator whose partial signature is bad is named', async (t) => {
    const service = await started(t);
    await service.enterEpoch(keysOf(key, 1n));
    const bad = { ...partialOf(1, new Uint8Array(1)) };
    const assembly = await service.assemble(1n, MESSAGE, [bad, partialOf(0), partialOf(2), partialOf(3)]);
    assert.deepEqual(assembly.bad, [1]);
    assert.equal(hex(assembly.signature ?? assert.fail()), hex(bls.sign(MESSAGE, key.groupPrivateKey)));
  });

  test('shares of two epochs are held together and dropped separately', async (t) => {
    const service = await started(t);
    const other = dealKey(bls, 3, 4, 2n);
    await Promise.all([service.enterEpoch(keysOf(key, 1n, 0)), service.enterEpoch(keysOf(other, 2n, 3))]);
    const [one, two] = await Promise.all([service.sign(1n, MESSAGE), service.sign(2n, MESSAGE)]);
    assert.equal(hex(one), hex(bls.sign(MESSAGE, key.shares[0] ?? assert.fail())));
    assert.equal(hex(two), hex(bls.sign(MESSAGE, other.shares[3] ?? assert.fail())));
    const leaving = service.leaveEpoch(1n);
    await assert.rejects(service.sign(1n, MESSAGE), problem('unknown_epoch'));
    await leaving;
    await assert.rejects(service.assemble(1n, MESSAGE, []), problem('unknown_epoch'));
    assert.equal(hex(await service.sign(2n, MESSAGE)), hex(two));
    await service.leaveEpoch(9n);
  });

  test('a validator without a share cannot sign but can verify', async (t) => {
    const service = await started(t);
    await service.enterEpoch(keysOf(key, 1n));
    await assert.rejects(service.sign(1n, MESSAGE), problem('unknown_epoch'));
    assert.deepEqual(await service.verifyPartials(1n, MESSAGE, [partialOf(3)]), [true]);
  });

  test('a share of another validator is refused and not revealed', async (t) => {
    const service = await started(t);
    const keys = keysOf(key, 1n, 1);
    for (const own of [
      { index: 2, share: key.shares[1] ?? assert.fail() },
      { index: 9, share: key.shares[1] ?? assert.fail() },
      { index: 1, share: new Uint8Array(32) },
      { index: 1, share: new Uint8Array(31).fill(7) },
    ]) {
      await assert.rejects(service.enterEpoch({ ...keys, own }), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'wrong_share');
        assert.ok(!error.message.includes(hex(own.share)));
        return true;
      });
      await assert.rejects(service.sign(1n, MESSAGE), problem('unknown_epoch'));
    }
    await service.enterEpoch(keys);
    assert.equal(hex(await service.sign(1n, MESSAGE)), hex(partialOf(1).signature));
  });

  test('invalid requests are refused before they reach the worker', async (t) => {
    const service = await started(t);
    const keys = keysOf(key, 1n, 1);
    for (const quorum of [0, 5, 1.5]) {
      await assert.rejects(service.enterEpoch({ ...keys, quorum }), problem('invalid_input'));
    }
    await service.enterEpoch(keys);
    const partial = partialOf(0);
    for (const partials of [
      [partial, partial],
      [{ ...partial, index: 4 }],
      [{ ...partial, index: -1 }],
      [{ ...partial, index: Number.NaN }],
      [{ ...partial, index: 0.5 }],
      [{ ...partial, signature: new Uint8Array(97) }],
    ]) {
      await assert.rejects(service.assemble(1n, MESSAGE, partials), problem('invalid_input'));
      await assert.rejects(service.verifyPartials(1n, MESSAGE, partials), problem('invalid_input'));
    }
    await assert.rejects(service.sign(1n, new Uint8Array(1_025)), problem('invalid_input'));
  });

  test('jobs beyond the queue limit are refused as overloaded', async (t) => {
    const service = await started(t, { maxJobs: 3 });
    await service.enterEpoch(keysOf(key, 1n, 1));
    const jobs = Array.from({ length: 5 }, () => service.sign(1n, MESSAGE));
    const settled = await Promise.allSettled(jobs);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    assert.equal((await service.sign(1n, MESSAGE)).length, 96);
  });

  test('own signatures do not wait for checks of others', async (t) => {
    const service = await started(t);
    await service.enterEpoch(keysOf(key, 1n, 1));
    const order: string[] = [];
    const checks = Array.from({ length: 20 }, async () => {
      await service.verify(partialOf(0).signature, MESSAGE, key.groupPublicKey);
      order.push('check');
    });
    const signed = service.sign(1n, MESSAGE).then(() => order.push('sign'));
    await Promise.all([...checks, signed]);
    assert.equal(order[0], 'sign');
  });

  test('slices of a larger buffer are transferred without the rest', async (t) => {
    const service = await started(t);
    const frame = Buffer.alloc(1 << 20);
    const message = frame.subarray(5, 5 + MESSAGE.length);
    message.set(MESSAGE);
    await service.enterEpoch(keysOf(key, 1n, 0));
    assert.equal(hex(await service.sign(1n, message)), hex(partialOf(0).signature));
  });

  test('a worker exit rejects pending and later jobs, and is reported once', async (t) => {
    const failures: Error[] = [];
    const service = await started(t, {
      worker: new URL('../../support/threads/crashing-signature-worker.js', import.meta.url),
      onFailure: (error) => failures.push(error),
    });
    const first = service.enterEpoch(keysOf(key, 1n, 0));
    const second = service.verify(partialOf(0).signature, MESSAGE, key.groupPublicKey);
    await Promise.all([
      assert.rejects(first, problem('worker_failed')),
      assert.rejects(second, problem('worker_failed')),
    ]);
    await assert.rejects(
      service.verify(partialOf(0).signature, MESSAGE, key.groupPublicKey),
      problem('worker_failed'),
    );
    assert.equal(failures.length, 1);
  });

  test('after the stop pending and later jobs are rejected as stopped', async () => {
    const service = await SignatureService.start({ native: 'auto' });
    await service.enterEpoch(keysOf(key, 1n, 1));
    const waiting = Promise.allSettled([service.sign(1n, MESSAGE), service.sign(1n, MESSAGE)]);
    await Promise.all([service.stop(), service.stop()]);
    for (const outcome of await waiting) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'stopped');
    }
    await assert.rejects(service.sign(1n, MESSAGE), problem('stopped'));
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Certificate } from '../../../src/consensus/core/types.js';
import { CertificateCheck } from '../../../src/consensus/shell/certificate-check.js';

const GOOD = new Uint8Array(96).fill(1);
const BAD = new Uint8Array(96).fill(2);

function nullification(view: number, signature: Uint8Array): Certificate {
  return { kind: 'nullify', epoch: 0, view, parentView: 0, hash: '00'.repeat(32), signature };
}

function checking() {
  const done: string[] = [];
  let checks = 0;
  let running = 0;
  let most = 0;
  const check = new CertificateCheck({
    signatures: {
      isCertified: async ({ signature }) => {
        checks++;
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return signature === GOOD;
      },
    },
    wants: ({ view }) => !done.includes(`good ${view}`),
    onValid: ({ view }) => done.push(`good ${view}`),
    onUnwanted: ({ view }, from) => done.push(`heard ${view} of ${from}`),
    onInvalid: (_, from) => done.push(`bad of ${from}`),
    onError: (error) => assert.ifError(error),
  });
  return { check, done, checks: () => checks, most: () => most };
}

async function ended(check: CertificateCheck): Promise<void> {
  while (check.size > 0) await new Promise((resolve) => setImmediate(resolve));
}

test('a burst of bad certificates from a peer costs one check', async () => {
  const { check, done, checks } = checking();
  for (let view = 1; view <= 64; view++) check.check(nullification(view, BAD), 3);
  await ended(check);
  assert.equal(checks(), 1);
  assert.deepEqual(done, ['bad of 3']);
  // A returning peer's certificates are checked again.
  check.check(nullification(70, GOOD), 3);
  await ended(check);
  assert.deepEqual(done, ['bad of 3', 'good 70']);
});

test('each peer has at most one certificate checked at a time, and each message is checked once, in any order', async () => {
  const { check, done, checks, most } = checking();
  const views = [1, 2, 3, 4];
  for (const view of views) check.check(nullification(view, GOOD), 1);
  for (const view of [...views].reverse()) check.check(nullification(view, GOOD), 2);
  await ended(check);
  assert.ok(most() <= 2);
  assert.equal(checks(), 4);
  assert.deepEqual(
    done.filter((what) => what.startsWith('good')).sort(),
    views.map((view) => `good ${view}`),
  );
});

test('a bad certificate of one peer does not delay a good one of the same message', async () => {
  const { check, done } = checking();
  check.check(nullification(1, BAD), 3);
  check.check(nullification(1, GOOD), 1);
  await ended(check);
  assert.deepEqual(done, ['bad of 3', 'good 1']);
});

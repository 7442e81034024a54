// One client's queued signature and point checks leave room for those of others.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChargedClient } from '../../src/async/caller.js';
import { PointChecker } from '../../src/execution/point-checker.js';
import { decodeSignatures, encodeVerdicts } from '../../src/execution/signature-batch.js';
import { SignatureChecker } from '../../src/execution/signature-checker.js';
import { poolTransaction } from '../support/worlds/pool-world.js';

interface Checker {
  readonly places: number;
  readonly waiting: () => number;
  readonly ask: (client?: ChargedClient) => Promise<unknown>;
  /** Lets the workers answer from now on. */
  readonly open: () => void;
}

/** Holds tasks back until it is opened. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

function signatures(): Checker {
  const { passed, open } = gate();
  const run = async (_kind: 'verify_signatures', batch: Uint8Array): Promise<Uint8Array> => {
    await passed;
    return encodeVerdicts(decodeSignatures(batch).map(() => true));
  };
  const checker = new SignatureChecker({ workers: 2, run });
  const transaction = poolTransaction({ nonce: 1 });
  return {
    places: 16_384,
    waiting: () => checker.waiting,
    ask: (client) => checker.verify(transaction, client),
    open,
  };
}

function points(): Checker {
  const { passed, open } = gate();
  const run = async (_kind: 'check_points', batch: readonly Uint8Array[]): Promise<boolean[]> => {
    await passed;
    return batch.map(() => true);
  };
  const checker = new PointChecker({ run });
  return {
    places: 1_024,
    waiting: () => checker.waiting,
    ask: (client) => checker.check(new Uint8Array(48), client),
    open,
  };
}

async function refusals(answers: readonly Promise<unknown>[]): Promise<number> {
  let refused = 0;
  for (const each of await Promise.allSettled(answers)) {
    if (each.status === 'fulfilled') continue;
    assert.equal((each.reason as { readonly code?: unknown }).code, 'overloaded');
    refused++;
  }
  return refused;
}

for (const [what, made] of Object.entries({ signatures, points })) {
  describe(`${what} that wait to be checked`, () => {
    test('of one client stay within its share, and those of another are checked', async () => {
      const checker = made();
      const { places } = checker;
      const hog = Array.from({ length: 2 * places }, () => checker.ask({ client: 'address 127.0.0.2' }));
      const taken = checker.waiting();
      assert.ok(taken > places / 2 && taken < 0.72 * places, `${taken} of ${places}`);
      const honest = Array.from({ length: places / 8 }, () => checker.ask({ client: 'address 127.0.0.1' }));
      const own = Array.from({ length: places / 16 }, () => checker.ask());
      checker.open();
      assert.deepEqual(await Promise.all([honest, own, hog].map(refusals)), [0, 0, 2 * places - taken]);
      assert.equal(checker.waiting(), 0);
      await checker.ask({ client: 'address 127.0.0.2' });
    });

    test('of a hundred thousand clients fill only the available places, which are all freed again', async () => {
      const checker = made();
      const asked = Array.from({ length: 100_000 }, (_, i) => checker.ask({ client: `address ${i}` }));
      assert.equal(checker.waiting(), checker.places);
      checker.open();
      assert.equal(await refusals(asked), 100_000 - checker.places);
      assert.equal(checker.waiting(), 0);
    });
  });
}

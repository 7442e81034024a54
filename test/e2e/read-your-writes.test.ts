// After a receipt is seen, its state is visible on every connection.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NodeProcess } from '../support/node-process.js';
import { readYourWrites } from '../support/read-your-writes.js';

const ROUNDS = 3_000;

for (const seal of ['instant', 'timer']) {
  describe(`--seal ${seal}`, () => {
    let node: NodeProcess;
    before(async () => {
      node = await NodeProcess.start({ flags: ['--seal', seal, '--block-time', '50'] });
    });
    after(() => node?.dispose());

    test('state of a receipt seen on one connection is readable on another', async () => {
      const report = await readYourWrites({ url: node.url, rounds: ROUNDS, senders: 128, freshEvery: 8 });
      assert.deepEqual(report.stale, []);
      assert.equal(report.rounds, ROUNDS);
      assert.ok(report.fresh >= ROUNDS / 8);
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { packageRoot } from '../../../support/package-root.js';
import { perTier } from '../../../support/sweep.js';
import { findMutation } from './find-mutation.js';
import { mutatedSource } from './mutated-copy.js';
import { MUTATIONS } from './mutations.js';

const ROOT = packageRoot(import.meta.url);

test('the text of each mutation occurs once in its source, and the result is a program', () => {
  for (const mutation of MUTATIONS) transformSync(mutatedSource(ROOT, mutation), { loader: 'ts' });
});

test('no mutation is both equivalent and missed', () => {
  for (const { name, equivalent, missed } of MUTATIONS)
    assert.ok(equivalent === undefined || missed === undefined, name);
});

test('names of mutations are unique', () => {
  assert.equal(new Set(MUTATIONS.map(({ name }) => name)).size, MUTATIONS.length);
});

/** Faults that some of the first seeds show. */
const SAMPLE = [
  'f nullify votes are joined',
  'a nullification of q - 1 votes',
  'nullify votes are not journaled',
  'effects do not wait for the journal',
  'replay forgets votes',
];

for (const name of perTier(SAMPLE.slice(0, 1), SAMPLE)) {
  test(`the simulator finds that ${name}`, async () => {
    const mutation = MUTATIONS.find((one) => one.name === name) ?? assert.fail('no such mutation');
    const paths = { root: ROOT, compiled: `${ROOT}/dist` };
    assert.ok(await findMutation(paths, mutation, [{ validators: 4, from: 1, to: 200 }]));
  });
}

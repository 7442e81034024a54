// A short form of packages.slow.test.ts, which covers browsers, types and building a contract too.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PackedPackages } from '../support/operations/packed-packages.js';

const packages = new PackedPackages();

after(() => packages.remove());

test('heddle-client installs six small libraries, and works in Node', () => {
  packages.tryClient();
});

test('heddle-contracts installs five libraries', () => {
  assert.deepEqual(Object.keys(packages.install('heddle-contracts').dependencies), [
    '@jridgewell/trace-mapping',
    '@noble/curves',
    '@noble/hashes',
    'assemblyscript',
    'commander',
  ]);
});

// A short form of packages.slow.test.ts, which covers browsers, types and the package of contracts too.
import { after, test } from 'node:test';
import { PackedPackages } from '../support/packed-packages.js';

const packages = new PackedPackages('client');

after(() => packages.remove());

test('heddle-client installs six small libraries, and works in Node', () => {
  packages.tryClient();
});

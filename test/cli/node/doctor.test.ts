// Checks of heddle doctor whose bad cases cannot be made on every machine.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDiskSpace, describeFileSystem, shortTermBytes } from '../../../src/cli/node/doctor/disk.js';
import { checkMemory, checkNodeVersion, memoryBudget } from '../../../src/cli/node/doctor/machine.js';
import { defaultConfig } from '../../support/default-config.js';

const config = defaultConfig();
const GIB = 2 ** 30;

describe('the version of Node', () => {
  for (const [version, result] of [
    ['v20.15.0', 'warning'],
    ['v20.20.2', 'warning'],
    ['v22.1.0', 'ok'],
    ['v24.0.0', 'ok'],
    ['v26.3.1', 'ok'],
    ['v18.20.4', 'problem'],
    ['v20.14.0', 'problem'],
    ['v23.5.0', 'problem'],
  ] as const) {
    it(`${version}: ${result}`, () => assert.equal(checkNodeVersion(version).result, result));
  }

  it('v20.15.0: names the advantages of a newer one', () => {
    const { found, advice = '' } = checkNodeVersion('v20.15.0');
    assert.match(
      found,
      /^Node 20\.15\.0 on \S+ \S+: Node 20 gets no security fixes any more; Node 24 does, and /,
    );
    assert.match(advice, /^install Node 24, /);
  });
});

describe('disk space', () => {
  const needed = shortTermBytes(config);
  const examine = async (free: number, ffree: number, files = 1_000_000) =>
    (await checkDiskSpace(config, async () => ({ bsize: 4_096, bavail: free / 4_096, files, ffree }))).result;

  it('is enough for the journal, the log and ten more gibibytes', async () => {
    assert.equal(await examine(needed + 10 * GIB, 500_000), 'ok');
    assert.equal(await examine(needed + 9 * GIB, 500_000), 'warning');
    assert.equal(await examine(needed - 4_096, 500_000), 'problem');
  });

  it('counts inodes, unless the file system makes them as needed', async () => {
    assert.equal(await examine(100 * GIB, 9_999), 'warning');
    assert.equal(await examine(100 * GIB, 999), 'problem');
    assert.equal(await examine(100 * GIB, 0, 0), 'ok');
  });
});

describe('the file system', {
  skip: process.platform !== 'linux' && 'its numbers are those of Linux',
}, () => {
  for (const [name, type, result] of [
    ['ext4', 0xef53, 'ok'],
    ['xfs', 0x5846_5342, 'ok'],
    ['nfs', 0x6969, 'warning'],
    ['cifs', 0xff53_4d42, 'warning'],
    // As some versions of Node return it, with a sign.
    ['cifs', 0xff53_4d42 | 0, 'warning'],
    ['overlay', 0x794c_7630, 'warning'],
  ] as const) {
    it(`${name} (${type}): ${result}`, () => {
      const finding = describeFileSystem('/data', type);
      assert.equal(finding.result, result);
      assert.match(finding.found, new RegExp(`^/data is on ${name}`));
    });
  }

  it('an unknown one is reported as unknown', () => {
    assert.match(describeFileSystem('/data', 0x1234).found, /cannot tell whether that is local/);
  });
});

describe('memory', () => {
  const examine = (bytes: number) => checkMemory(config, { bytes, source: 'limit of the control group' });

  it('holds all budgets, or at least the process, the cache and the tree', () => {
    assert.equal(examine(memoryBudget(config)).result, 'ok');
    assert.equal(examine(memoryBudget(config) - 1).result, 'warning');
    const withoutResults = memoryBudget({ ...config, resultCacheBytes: 0 });
    assert.equal(memoryBudget(config) - withoutResults, config.resultCacheBytes);
    assert.match(examine(GIB).expected, /--result-cache 64 MiB/);
    assert.equal(examine(GIB / 2).result, 'problem');
    assert.match(examine(GIB).found, /^1\.0 GiB \(limit of the control group\)$/);
  });
});

// The systemd unit and its drop-in.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import {
  configFrom,
  deployFile,
  environmentOf,
  missing,
  unitKeys,
} from '../support/operations/deploy-files.js';

const text = deployFile('heddle.service');
const unit = unitKeys(text);
const one = (key: string): string => {
  const values = unit.get(key) ?? assert.fail(`the unit lacks ${key}`);
  assert.equal(values.length, 1, key);
  return values[0] ?? '';
};
const seconds = (key: string): number => Number(one(key));

describe('heddle.service', () => {
  test('starts the node as its own user, with its data in the state directory', () => {
    // A path of its own would be wrong with either Debian's npm or others.
    assert.equal(one('Service.ExecStart'), '/usr/bin/env heddle start');
    assert.equal(one('Service.ExecStartPre'), '-/usr/bin/env heddle doctor');
    const user = one('Service.User');
    assert.match(deployFile('heddle.sysusers.conf'), new RegExp(`^u ${user} - `, 'm'));
    const environment = environmentOf(unit.get('Service.Environment') ?? []);
    const placed = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('%S', '/var/lib'),
    ]);
    const config = configFrom(Object.fromEntries(placed));
    assert.equal(config.dataDir, `/var/lib/${one('Service.StateDirectory')}`);
    assert.equal(one('Service.StateDirectoryMode'), '0700');
    assert.equal(one('Service.UMask'), '0077');
    assert.equal(one('Service.EnvironmentFile'), '-/etc/heddle/heddle.env');
  });

  test('restarts the node after failures, except after wrong options, and leaves it time to stop', () => {
    assert.equal(one('Service.Restart'), 'on-failure');
    assert.equal(one('Service.RestartPreventExitStatus'), '2');
    // The node ends within 2 s (src/cli/node/start.ts).
    assert.ok(seconds('Service.TimeoutStopSec') >= 5);
    assert.ok(seconds('Service.LimitNOFILE') >= 65_536);
  });

  test('takes away what the node does not need, and leaves what V8 and the lock need', () => {
    for (const key of [
      ...['LockPersonality', 'NoNewPrivileges', 'PrivateDevices', 'PrivateTmp', 'ProtectHome'],
      ...['ProtectControlGroups', 'ProtectKernelModules', 'ProtectKernelTunables', 'RestrictSUIDSGID'],
    ]) {
      assert.equal(one(`Service.${key}`), 'yes');
    }
    assert.equal(one('Service.ProtectSystem'), 'strict');
    assert.equal(one('Service.CapabilityBoundingSet'), '');
    assert.deepEqual(unit.get('Service.SystemCallFilter'), ['@system-service', '~@privileged @resources']);
    assert.ok(!unit.has('Service.MemoryDenyWriteExecute') && !unit.has('Service.ProcSubset'));
  });
});

describe('systemd', { skip: missing('systemd-analyze', '--version') }, () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));
  const path = join(directory, 'heddle.service');
  writeFileSync(path, text);
  mkdirSync(`${path}.d`);
  writeFileSync(join(`${path}.d`, 'validator-key.conf'), deployFile('validator-key.conf'));

  test('accepts the unit with its drop-in', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    assert.equal(stdout + stderr, '', 'it warns');
  });

  test('rates the exposure as low', () => {
    const args = ['security', '--offline=yes', '--no-pager', '--threshold=20', path];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    // Versions before 250 cannot examine a file.
    if (/unrecognized option/.test(stderr)) return;
    assert.equal(status, 0, stdout + stderr);
  });
});

test('the drop-in hands over the key as a credential', () => {
  const dropIn = unitKeys(deployFile('validator-key.conf'));
  const [credential = ''] = dropIn.get('Service.LoadCredential') ?? [];
  const [name] = credential.split(':');
  assert.deepEqual(dropIn.get('Service.Environment'), [`HEDDLE_VALIDATOR_KEY=%d/${name}`]);
});

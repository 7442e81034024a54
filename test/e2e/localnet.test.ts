// Four validators, each in its own process, as run by "heddle localnet".
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  haveSameBlocks,
  heightOf,
  isAlive,
  LocalnetProcess,
  LocalnetSender,
  localnetPort,
  reaches,
} from '../support/networks/localnet.js';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';

describe('a localnet with one dealer', () => {
  const directory = temporaryDirectory();
  const flags = ['--dealer', '--port', `${localnetPort()}`, '--block-time', '100'];
  after(() => removeDirectory(directory));

  test('runs four validators that agree, also without one of them', { timeout: 300_000 }, async () => {
    const net = new LocalnetProcess(directory, [...flags, '--idle-block-time', '500']);
    const sender = new LocalnetSender();
    await net.ready();
    assert.deepEqual(
      net.validators.map(({ validator }) => validator),
      [0, 1, 2, 3],
    );
    assert.match(net.groupPublicKey ?? '', /^0x[0-9a-f]{96}$/);
    for (const through of [0, 1, 2, 3]) await sender.send(net, through, 1_000n);
    await haveSameBlocks(net);

    net.kill(3);
    await sender.send(net, 1, 2_000n);
    await reaches(net.client(0), (await heightOf(net.client(0))) + 3n);

    net.signal('SIGTERM');
    assert.equal(await net.ended, 0);
    for (const { pid } of net.validators) assert.ok(!isAlive(pid), `${pid} has ended`);
  });

  test('refuses a configuration other than the one it was created with', async () => {
    const { code, err } = await heddle(['localnet', '--data-dir', directory, '--validators', '7']);
    assert.equal(code, 2);
    assert.match(err, /was made with --validators 4; omit the option/);
  });
});

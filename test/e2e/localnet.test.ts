// Several validators, each in its own process, as run by "heddle localnet".
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect, devAccount } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { isAlive, LocalnetProcess } from '../support/localnet.js';
import { removeDirectory, runHeddle, startHeddle, temporaryDirectory } from '../support/node-process.js';

const PORT = 12_400 + (process.pid % 200) * 10;

async function heightOf(client: Client): Promise<bigint> {
  return (await client.status()).finalized_height;
}

async function reaches(client: Client, height: bigint): Promise<void> {
  await eventually(`block ${height} is final`, async () => (await heightOf(client)) >= height);
}

/** Returns a function that sends a transfer through a validator once it has caught up with the previous transfer. */
function sending(): (net: LocalnetProcess, through: number, amount: bigint) => Promise<void> {
  let height = 0n;
  return async (net, through, amount) => {
    const client = net.client(through);
    await reaches(client, height);
    const to = devAccount(1).address;
    const { receipt } = await client.sender(devAccount(0)).transfer({ to, amount, wait: 'finalized' });
    assert.equal(receipt.status.type, 'success');
    height = receipt.height;
  };
}

describe('a localnet with one dealer', () => {
  const directory = temporaryDirectory();
  const flags = ['--dealer', '--port', `${PORT}`, '--block-time', '100', '--idle-block-time', '500'];
  after(() => removeDirectory(directory));

  test('runs four validators that agree across kills and restarts', { timeout: 900_000 }, async () => {
    const net = new LocalnetProcess(directory, flags);
    const send = sending();
    await net.ready();
    assert.deepEqual(
      net.validators.map(({ validator }) => validator),
      [0, 1, 2, 3],
    );
    assert.match(net.groupPublicKey ?? '', /^0x[0-9a-f]{96}$/);
    for (const through of [0, 1, 2, 3]) await send(net, through, 1_000n);

    const height = await heightOf(net.client(0));
    const blocks = [];
    for (const validator of [0, 1, 2, 3]) {
      await reaches(net.client(validator), height);
      const { blocks: all } = await net.client(validator).get_blocks({ from_height: 0n, to_height: height });
      blocks.push(all.map(({ hash }) => Buffer.from(hash).toString('hex')));
    }
    for (const other of blocks) assert.deepEqual(other, blocks[0]);

    net.kill(3);
    await reaches(net.client(0), (await heightOf(net.client(0))) + 5n);
    await send(net, 1, 2_000n);

    net.kill(2);
    await eventually(
      'the dead are named',
      async () => net.validators.filter(({ ended }) => ended).length === 2,
    );
    await sleep(3_000);
    const stopped = await heightOf(net.client(0));
    await sleep(3_000);
    assert.equal(await heightOf(net.client(0)), stopped, 'two of four finalize nothing');

    const again = new LocalnetProcess(directory, flags);
    await again.ready();
    const pidOf = (each: LocalnetProcess, index: number) =>
      each.validators.find(({ validator }) => validator === index)?.pid;
    assert.equal(pidOf(again, 0), pidOf(net, 0), 'what runs is not started again');
    assert.notEqual(pidOf(again, 3), pidOf(net, 3));
    for (const validator of [0, 1, 2, 3]) await reaches(again.client(validator), stopped + 5n);
    await send(again, 3, 3_000n);
    for (const validator of [0, 1, 2, 3]) {
      const { consensus } = await again.client(validator).validator_status();
      assert.equal(consensus.equivocations_seen, 0n);
    }

    again.signal('SIGTERM');
    assert.equal(await again.ended, 0);
    for (const { pid } of [...net.validators, ...again.validators])
      assert.ok(!isAlive(pid), `${pid} has ended`);
    assert.equal(await net.ended, 1, 'whoever watches processes that are no more ends, too');

    const last = new LocalnetProcess(directory, flags);
    await last.ready();
    await send(last, 2, 4_000n);
    await reaches(last.client(0), await heightOf(last.client(2)));
    const to = Buffer.from(devAccount(1).address).toString('hex');
    const { accounts } = await last.client(0).accounts({ addresses: [devAccount(1).address] });
    assert.equal(accounts[0]?.balance, 10n ** 24n + 4_000n + 2_000n + 3_000n + 4_000n, to);
    last.signal('SIGINT');
    assert.equal(await last.ended, 0);
    for (const { pid } of last.validators) assert.ok(!isAlive(pid));
  });

  test('refuses a configuration other than the one it was created with', async () => {
    const { code, stderr } = await runHeddle(['localnet', '--data-dir', directory, '--validators', '7']);
    assert.equal(code, 2);
    assert.match(stderr, /was made with --validators 4; leave the option out/);
  });
});

describe('a localnet with a ceremony', () => {
  const directory = temporaryDirectory();
  const port = PORT + 1_100;
  const flags = [
    '--port',
    `${port}`,
    '--epoch-length',
    '40',
    '--block-time',
    '100',
    '--idle-block-time',
    '250',
  ];
  after(() => removeDirectory(directory));

  test('reshares its key while validators join and leave', { timeout: 900_000 }, async () => {
    const net = new LocalnetProcess(directory, flags);
    const send = sending();
    await net.ready();
    const home = (index: number) => join(directory, `validator-${index}`);
    const newcomer = join(directory, 'newcomer');
    const made = await runHeddle(['init', newcomer, '--endpoint', `127.0.0.1:${port + 150}`]);
    assert.equal(made.code, 0, made.stderr);
    const admission = JSON.parse(made.stdout) as Record<string, string>;
    const { identity_key: identity, encryption_key: encryption, endpoint } = admission;
    for (const file of ['genesis.json', 'peers.json'])
      copyFileSync(join(home(0), file), join(newcomer, file));
    const started = startHeddle(
      [
        ...['start', '--validator', newcomer, '--port', `${port + 50}`, '--p2p-port', `${port + 150}`],
        ...['--block-time', '100', '--idle-block-time', '250'],
        // Like the other validators, it inherits nothing from this process's environment.
        ...['--workers', '1', '--block-workers', '1', '--native', 'auto', '--log-format', 'json'],
      ],
      { timeoutMs: 800_000 },
    );
    const approve = async (change: readonly string[]) => {
      for (const index of [0, 1, 2, 3]) {
        const { code, stderr } = await runHeddle([
          'validator',
          'approve',
          '--validator',
          home(index),
          ...change,
        ]);
        assert.equal(code, 0, stderr);
      }
    };
    await approve(['--add', `${identity}:${encryption}@${endpoint}`]);
    const members = async () => (await net.client(0).status()).validator_set.validators;
    await eventually('the newcomer is a validator', async () => (await members()).length === 5);
    const client = connect(`http://127.0.0.1:${port + 50}`, { timeoutMs: 20_000 });
    await eventually('it votes', async () => {
      const { index, consensus } = await client.validator_status();
      return index === 4 && consensus.proposals > 0n;
    });
    await send(net, 0, 1_000n);

    const [, second] = await members();
    await approve(['--remove', `0x${Buffer.from(second?.address ?? []).toString('hex')}`]);
    await eventually('a validator has left', async () => (await members()).length === 4);
    const { validator_set: set } = await net.client(0).status();
    assert.equal(`0x${Buffer.from(set.group_public_key).toString('hex')}`, net.groupPublicKey);
    await send(net, 2, 1_000n);

    net.signal('SIGTERM');
    assert.equal(await net.ended, 0);
    started.child.kill('SIGTERM');
    assert.equal((await started.ended).signal, 'SIGTERM');
  });
});

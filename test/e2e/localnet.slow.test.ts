// A localnet with a ceremony: its validators are killed, stopped and started again, and others join and leave.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, devAccount } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
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
import { removeDirectory, startHeddle, temporaryDirectory } from '../support/nodes/node-process.js';

const BLOCKS = ['--block-time', '100', '--idle-block-time', '250'];

describe('a localnet with a ceremony', { timeout: 900_000 }, () => {
  const directory = temporaryDirectory();
  const port = localnetPort();
  const flags = ['--port', `${port}`, '--epoch-length', '16', ...BLOCKS];
  const sender = new LocalnetSender();
  const nets: LocalnetProcess[] = [];
  after(() => removeDirectory(directory));

  async function started(): Promise<LocalnetProcess> {
    const net = new LocalnetProcess(directory, flags);
    nets.push(net);
    await net.ready();
    return net;
  }
  const latest = () => nets.at(-1) ?? assert.fail('none was started');

  test('runs four validators that agree across kills', async () => {
    const net = await started();
    for (const through of [0, 1, 2, 3]) await sender.send(net, through, 1_000n);
    await haveSameBlocks(net);

    net.kill(3);
    await reaches(net.client(0), (await heightOf(net.client(0))) + 5n);
    await sender.send(net, 1, 2_000n);

    net.kill(2);
    await eventually(
      'the dead are named',
      async () => net.validators.filter(({ ended }) => ended).length === 2,
    );
    await sleep(1_000);
    const stopped = await heightOf(net.client(0));
    await sleep(2_500);
    assert.equal(await heightOf(net.client(0)), stopped, 'two of four finalize nothing');

    const again = await started();
    const pidOf = (each: LocalnetProcess, index: number) =>
      each.validators.find(({ validator }) => validator === index)?.pid;
    assert.equal(pidOf(again, 0), pidOf(net, 0), 'what runs is not started again');
    assert.notEqual(pidOf(again, 3), pidOf(net, 3));
    for (const validator of [0, 1, 2, 3]) await reaches(again.client(validator), stopped + 5n);
    await sender.send(again, 3, 3_000n);
    for (const validator of [0, 1, 2, 3]) {
      const { consensus } = await again.client(validator).validator_status();
      assert.equal(consensus.equivocations_seen, 0n);
    }

    again.signal('SIGTERM');
    assert.equal(await again.ended, 0);
    // The command waits until each process releases its data directory, just before the process exits.
    for (const { pid } of [...net.validators, ...again.validators])
      await eventually(`${pid} exits`, async () => !isAlive(pid));
    assert.equal(await net.ended, 1, 'whoever watches processes that are no more ends, too');
  });

  test('continues its chain after all were stopped', async () => {
    const last = await started();
    assert.equal(last.groupPublicKey, nets[0]?.groupPublicKey);
    await sender.send(last, 2, 4_000n);
    await reaches(last.client(0), await heightOf(last.client(2)));
    const { accounts } = await last.client(0).accounts({ addresses: [devAccount(1).address] });
    assert.equal(accounts[0]?.balance, 10n ** 24n + sender.sent);
  });

  test('reshares its key while a validator joins and another leaves', async () => {
    const net = latest();
    const home = (index: number) => join(directory, `validator-${index}`);
    const newcomer = join(directory, 'newcomer');
    const made = await heddle(['init', newcomer, '--endpoint', `127.0.0.1:${port + 150}`]);
    assert.equal(made.code, 0, made.err);
    const admission = JSON.parse(made.out) as Record<string, string>;
    const { identity_key: identity, encryption_key: encryption, endpoint } = admission;
    for (const file of ['genesis.json', 'peers.json'])
      copyFileSync(join(home(0), file), join(newcomer, file));
    const beside = startHeddle(
      [
        ...['start', '--validator', newcomer, '--port', `${port + 50}`, '--p2p-port', `${port + 150}`],
        // Like the other validators, it inherits nothing from this process's environment.
        ...[...BLOCKS, '--workers', '1', '--block-workers', '1', '--native', 'auto', '--log-format', 'json'],
      ],
      { timeoutMs: 800_000 },
    );
    const approve = async (change: readonly string[]) => {
      for (const index of [0, 1, 2, 3]) {
        const { code, err } = await heddle(['validator', 'approve', '--validator', home(index), ...change]);
        assert.equal(code, 0, err);
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
    await sender.send(net, 0, 1_000n);

    const [, second] = await members();
    await approve(['--remove', `0x${Buffer.from(second?.address ?? []).toString('hex')}`]);
    await eventually('a validator has left', async () => (await members()).length === 4);
    const { validator_set: set } = await net.client(0).status();
    assert.equal(`0x${Buffer.from(set.group_public_key).toString('hex')}`, net.groupPublicKey);
    await sender.send(net, 2, 1_000n);

    net.signal('SIGINT');
    assert.equal(await net.ended, 0);
    for (const { pid } of net.validators) assert.ok(!isAlive(pid));
    beside.child.kill('SIGTERM');
    assert.equal((await beside.ended).signal, 'SIGTERM');
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatAddress } from '../../../src/client/client.js';
import { packageRoot } from '../../../src/config/package-info.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../../support/actions.js';
import { probeCode } from '../../support/contracts/assembled-contracts.js';
import { hex } from '../../support/hex.js';
import { type CommandOutcome, heddle } from '../../support/nodes/command-line.js';
import { ContractNode, FIRST_TIME_MS, token as tokenAbi } from '../../support/nodes/contract-node.js';
import { contractCode } from '../../support/worlds/contract-world.js';

const IDL = join(packageRoot(), 'contracts', 'token', 'token.idl');
const TRANSFER = hex(tokenAbi.events.get('Transfer')?.topic ?? new Uint8Array());
const TO_BOB = BOB.slice(2).padStart(64, '0');

interface Line {
  readonly height: number;
  readonly tx_index: number;
  readonly event?: { readonly name: string; readonly args: { readonly amount?: string } };
}

function amounts(ndjson: string): (string | undefined)[] {
  const lines = ndjson.split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as Line).event?.args.amount);
}

describe('heddle logs', () => {
  let world: ContractNode;

  before(async () => {
    world = await ContractNode.start({ workers: '1' });
    await world.seal([1, 2].map((amount) => world.pay(amount)));
    await world.seal([3, 4, 5].map((amount) => world.pay(amount)));
  });
  after(() => world?.stop());

  const run = (...args: readonly string[]): Promise<CommandOutcome> =>
    heddle(['logs', ...args], { HEDDLE_URL: world.node.url });

  async function read(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
    return out;
  }

  it('prints events in order, decoded, with block and transaction', async () => {
    const out = await read('--contract', world.token, '--from', '2');
    const lines = out.split('\n').slice(0, -1);
    assert.equal(lines.length, 5);
    assert.match(
      lines[0] ?? '',
      new RegExp(
        `^2 {2}[0-9a-f]{64} {2}Transfer\\(from: 0x\\w{40}, to: ${BOB}, amount: 1\\) of ${world.token}$`,
      ),
    );
    assert.deepEqual(amounts(await read('--from', '2', '--json')), ['1', '2', '3', '4', '5']);
    assert.deepEqual(amounts(await read('--from', '2', '--to', '2', '--json')), ['1', '2']);
    assert.deepEqual(amounts(await read('--contract', world.token.slice(2), '--from', '3', '--json')), [
      '3',
      '4',
      '5',
    ]);
  });

  it('reads pages until the limit', async () => {
    for (const limit of [1, 3, 5]) {
      const out = await read('--from', '2', '--limit', String(limit), '--json');
      assert.deepEqual(amounts(out), ['1', '2', '3', '4', '5'].slice(0, limit));
    }
  });

  it('selects an event by its name, by the interface on chain or in a file', async () => {
    const names = (await read('--contract', world.token, '--event', 'MinterChanged', '--json'))
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as Line).event?.name);
    assert.deepEqual(names, ['MinterChanged']);
    const fromFile = await read('--event', 'Transfer', '--idl', IDL, '--from', '2', '--json');
    assert.deepEqual(amounts(fromFile), ['1', '2', '3', '4', '5']);
  });

  it('selects topics by position, in every form', async () => {
    const all = ['1', '2', '3', '4', '5'];
    for (const args of [
      ['--topic', TRANSFER, '--topic', 'any', '--topic', TO_BOB],
      ['--topic', `0x${TRANSFER.toUpperCase()},${'00'.repeat(32)}`],
      ['--event', 'Transfer', '--contract', world.token, '--topic', 'any', '--topic', `0x${TO_BOB}`],
    ]) {
      assert.deepEqual(amounts(await read(...args, '--from', '2', '--json')), all, args.join(' '));
    }
    assert.equal(await read('--topic', 'cd'.repeat(32)), '');
  });

  it('ends with code 2 for wrong input, and with code 1 for what is absent', async () => {
    for (const [args, code, expected] of [
      [
        ['--event', 'Transfer'],
        2,
        /--event needs the interface of a contract: give --contract, or --idl FILE/,
      ],
      [
        ['--contract', world.token, '--event', 'Transfr'],
        2,
        /^heddle: Token has no event "Transfr"; did you mean Transfer\?\n$/,
      ],
      [['--contract', world.probe, '--event', 'Transfer'], 1, /has no interface on chain/],
      [['--contract', BOB, '--event', 'Transfer'], 1, /there is no contract at/],
      [['--event', 'Transfer', '--idl', '/no/such.idl'], 1, /no such file/],
      [['--topic', 'Transfer'], 2, /expected a hash \(64 hex digits\), got "Transfer"/],
      [
        ['--topic', 'any', '--topic', 'any', '--topic', 'any', '--topic', 'any', '--topic', 'any'],
        2,
        /at most 4 topics/,
      ],
      [['--contract', 'token'], 2, /expected an address/],
      [['--from', '5', '--to', '4'], 2, /--to: expected at least --from 5, got 4/],
      [['--follow', '--to', '4'], 2, /cannot be used with/],
      [['--limit', '0'], 2, /expected an integer from 1/],
      [['--url', 'http://127.0.0.1:2'], 1, /is it running \("heddle start"\)\?/],
      [['--follow', '--url', 'http://127.0.0.1:2'], 1, /is it running \("heddle start"\)\?/],
    ] as const) {
      const outcome = await run(...args);
      assert.match(outcome.err, expected, args.join(' '));
      assert.deepEqual([outcome.code, outcome.out], [code, ''], args.join(' '));
    }
  });

  it('selects events by the values of indexed fields', async () => {
    const of = (...where: readonly string[]) =>
      read('--contract', world.token, '--event', 'Transfer', '--from', '2', '--json', ...where);
    assert.deepEqual(amounts(await of('--where', `to=${BOB}`)), ['1', '2', '3', '4', '5']);
    assert.deepEqual(amounts(await of('--where', 'from=dev:0', '--where', `to=${BOB}`)), [
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    assert.deepEqual(amounts(await of('--where', 'to=dev:7')), []);
    assert.deepEqual(amounts(await of('--where', 'to=dev:7', '--where', `to=${BOB}`)), [
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    for (const [where, message] of [
      ['amount=1', /amount is not indexed.* the indexed ones are from, to$/m],
      ['too=dev:0', /there is no field "too"; did you mean to\?/],
      ['to=bob', /Token\.Transfer: filter\.to: .*got "bob"/],
      ['dev:0', /--where: expected FIELD=VALUE, got "dev:0"/],
    ] as const) {
      const { code, err } = await run('--contract', world.token, '--event', 'Transfer', '--where', where);
      assert.equal(code, 2, err);
      assert.match(err, message);
    }
    const { code, err } = await run('--contract', world.token, '--where', 'to=dev:0');
    assert.deepEqual([code, err], [2, 'heddle: --where needs --event NAME\n']);
  });

  it('follows: first what happened since --from, then new events, without gap or repeat', async () => {
    const following = read('--contract', world.token, '--from', '2', '--follow', '--limit', '9', '--json');
    for (const amount of [6, 7, 8, 9]) {
      await world.seal([world.pay(amount)]);
      await pause(100);
    }
    assert.deepEqual(amounts(await following), ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('follows from the next block without --from', async () => {
    const { tip } = await world.client.status();
    let isRunning = true;
    const following = read('--follow', '--limit', '1', '--json').finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      await world.seal([world.pay(20)]);
      await pause(100);
    }
    const { height } = JSON.parse(await following) as Line;
    assert.ok(height > Number(tip.height), `${height}`);
  });

  it('follows from a block far below the tip, which it reads as pages first', async () => {
    const { tip } = await world.client.status();
    for (let i = 1; i <= 520; i++) await world.node.sealNow(FIRST_TIME_MS + 1_000_000 + i);
    const earlier = amounts(await read('--from', '3', '--json'));
    const limit = String(earlier.length + 1);
    const following = read('--from', '3', '--follow', '--limit', limit, '--json');
    await world.seal([world.pay(10)]);
    assert.deepEqual(amounts(await following), [...earlier, '10']);
    assert.ok((await world.client.status()).tip.height > tip.height + 520n);
  });

  it('takes several contracts, with and without --follow', async () => {
    const coinIdl = `contract Coin {
      event Transfer { indexed to: address; indexed from: address; amount: u128; }
    }`;
    const { address: other } = await world.client.predict_address({ deployer: alice.address });
    const { address: coin } = await world.client.predict_address({ deployer: alice.address, offset: 1n });
    const init = tokenAbi.function('init').encodeCall(['Other', 'OTH', 0, '1000', ALICE, ALICE]);
    const code = Uint8Array.from(contractCode('token'));
    await world.seal([
      deployOf(code, init, readFileSync(IDL, 'utf8')),
      deployOf(probeCode, undefined, coinIdl),
    ]);
    const both = ['--contract', world.token, '--contract', formatAddress(other), '--event', 'Transfer'];
    const from = String((await world.client.status()).tip.height + 1n);
    const following = read(...both, '--from', from, '--follow', '--limit', '3', '--json');
    const payOther = callOf(formatAddress(other), tokenAbi.function('transfer').encodeCall([BOB, '31']));
    await world.seal([world.pay(30), payOther]);
    await world.seal([world.pay(32)]);
    assert.deepEqual(amounts(await following), ['30', '31', '32']);
    const where = ['--where', `to=${BOB}`, '--from', from, '--json'];
    assert.deepEqual(amounts(await read(...both, ...where)), ['30', '31', '32']);
    const all = [...both, '--contract', formatAddress(coin)];
    assert.deepEqual(amounts(await read(...all, '--from', from, '--json')), ['30', '31', '32']);
    const { code: exit, err } = await run(...all, ...where);
    assert.equal(
      err,
      'heddle: --where: the topics of Transfer differ between Token, Coin: ask for one at a time\n',
    );
    assert.equal(exit, 2);
    const many = Array.from({ length: 101 }, () => ['--contract', world.token]).flat();
    assert.match((await run(...many)).err, /at most 100 contracts, got 101/);
  });
});

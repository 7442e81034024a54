import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../../src/client/client.js';
import { packageRoot } from '../../../src/config/package-info.js';
import type { RunningNode } from '../../../src/node.js';
import { type CommandOutcome, heddle } from '../../support/nodes/command-line.js';
import { devNode } from '../../support/nodes/dev-node.js';
import { NodeParts } from '../../support/nodes/node-parts.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const TOKEN = join(packageRoot(), 'contracts', 'token');
const WASM = join(TOKEN, 'token.wasm');
const IDL = join(TOKEN, 'token.idl');
const alice = formatAddress(devAccount(0).address);
const bob = formatAddress(devAccount(1).address);

describe('heddle contract', () => {
  const scratch = temporaryDirectory();
  const parts = new NodeParts();
  let node: RunningNode;
  let token = '';

  before(async () => {
    node = await devNode(parts, { seal: 'instant' });
    token = await deployed([...INIT]);
  });
  after(async () => {
    await parts.close();
    removeDirectory(scratch);
  });

  const INIT = ['name=Thread', 'symbol=THR', 'decimals=2', 'supply=1e21', 'owner=dev:0', `minter=${alice}`];
  const contract = (...args: string[]): Promise<CommandOutcome> =>
    heddle(['contract', ...args], { HEDDLE_URL: node.url });

  async function deployed(args: string[]): Promise<string> {
    const { code, out, err } = await contract('deploy', WASM, '--idl', IDL, '--from-dev', '0', ...args);
    assert.equal(code, 0, err);
    assert.match(out, /^status +success, final$/m);
    const [, address = ''] = /^contract +(0x[0-9a-f]{40}) \(Token\)$/m.exec(out) ?? [];
    assert.notEqual(address, '', out);
    return address;
  }

  it('deploys with init by name, by position, and in JSON', async () => {
    const json = JSON.stringify({
      name: 'Json',
      symbol: 'J',
      decimals: 0,
      supply: '7',
      owner: alice,
      minter: alice,
    });
    for (const [init, supply] of [
      [['--init', json], '7\n'],
      [[json], '7\n'],
      [['Position', 'P', '0', '1_000', 'dev:1', 'dev:1'], '1000\n'],
    ] as const) {
      const address = await deployed([...init]);
      assert.deepEqual(await contract('view', address, 'total_supply'), { code: 0, out: supply, err: '' });
    }
  });

  it('calls by name and prints the result, the events and the cost', async () => {
    const call = await contract('call', token, 'transfer', 'to=dev:1', 'amount=1e20', '--from-dev', '0');
    assert.equal(call.code, 0, call.err);
    assert.match(call.out, new RegExp(`^contract +${token} \\(Token\\)$`, 'm'));
    assert.match(call.out, /^method +transfer$/m);
    assert.match(call.out, /^gas used +[\d,]+$/m);
    assert.match(call.out, /^event +Transfer\(from: 0x.*, to: 0x.*, amount: 100000000000000000000\) of 0x/m);
    const balance = await contract('view', token, 'balance_of', bob);
    assert.deepEqual(balance, { code: 0, out: '100000000000000000000\n', err: '' });
  });

  it("a contract's own error fails the command and is spelled out", async () => {
    const transfer = ['call', token, 'transfer', bob, '5', '--from-dev', '5'];
    const error = 'reverted: InsufficientBalance\\(available: 0, required: 5\\)';
    const refused = await contract(...transfer);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, new RegExp(`it would fail: ${error}; nothing was sent \\(use --force`));
    const forced = await contract(...transfer, '--force');
    assert.equal(forced.code, 1);
    assert.match(forced.out, /^transaction +[0-9a-f]{64}$/m);
    assert.match(forced.out, /^status +reverted, final$/m);
    assert.match(forced.err, new RegExp(`did not succeed: ${error}`));
  });

  it('simulates with --dry-run, and sends nothing', async () => {
    const transfer = ['call', token, 'transfer', 'to=dev:8', 'amount=250', '--dry-run'];
    const dry = await contract(...transfer, '--from-dev', '0');
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /^status +success, on the state of block \d+$/m);
    assert.match(dry.out, /^gas used +[\d,]+, at least [\d,]+ as the limit$/m);
    assert.match(dry.out, /^event +Transfer\(from: 0x.*, amount: 250\) of 0x/m);
    assert.match(dry.out, new RegExp(`state changes:\n[^]*${token}\n( {2}slot .*→.*\n)+`));
    const json = JSON.parse((await contract(...transfer, '--json', '--from-dev', '0')).out);
    assert.deepEqual([json.status.type, json.logs[0].event.name], ['success', 'Transfer']);
    const failing = await contract(...transfer, '--from-dev', '5');
    assert.equal(failing.code, 1);
    assert.match(failing.err, /it would fail: reverted: InsufficientBalance/);
    assert.equal((await contract('view', token, 'balance_of', 'dev:8')).out, '0\n');
    const deployment = await contract(
      ...['deploy', WASM, '--idl', IDL, ...INIT, '--dry-run', '--from-dev', '0'],
    );
    assert.match(deployment.out, /^contract +0x[0-9a-f]{40} \(Token\)$/m);
    const both = await contract(...transfer, '--force', '--from-dev', '0');
    assert.equal(both.code, 2);
  });

  it('prints a transaction with its receipt as JSON', async () => {
    const { out, err } = await contract(
      ...['call', token, 'transfer', 'to=dev:1', 'amount=1', '--from-dev', '0', '--json'],
    );
    assert.equal(err, '');
    const sent = JSON.parse(out);
    assert.equal(sent.tx_hash, sent.receipt.tx_hash);
    assert.equal(sent.sender, alice);
    assert.equal(sent.receipt.status.type, 'success');
  });

  it('names the wrong argument, and accepts development accounts wherever an address is expected', async () => {
    const wrong = await contract('call', token, 'transfer', 'to=dev:1', 'amount=-1', '--from-dev', '0');
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.err, /amount: expected .*got -1/);
    const asked = await contract('view', token, 'balance_of', 'owner=dev:7', '--from', 'dev:1');
    assert.deepEqual(asked, { code: 0, out: '0\n', err: '' });
  });

  it('counts an amount with a decimal point in the unit of the contract, and says so', async () => {
    const note = (text: string, value: string) =>
      `note: amount: ${text} is ${value} in units of 10^-2, from the contract's decimals\n`;
    const call = await contract('call', token, 'transfer', 'dev:6', '1_000.5', '--from-dev', '0');
    assert.deepEqual([call.code, call.err], [0, note('1_000.5', '100050')]);
    const balance = async () => (await contract('view', token, 'balance_of', 'dev:6')).out;
    assert.equal(await balance(), '100050\n');
    const whole = await contract('call', token, 'transfer', 'to=dev:6', 'amount=2.0', '--from-dev', '0');
    assert.deepEqual([whole.code, whole.err], [0, note('2.0', '200')]);
    assert.equal(await balance(), '100250\n');
    for (const amount of ['2', '2.5e2', '1e1']) {
      const exact = await contract('call', token, 'transfer', 'dev:6', amount, '--from-dev', '0');
      assert.deepEqual([exact.code, exact.err], [0, ''], amount);
    }
    assert.equal(await balance(), '100512\n');
    const fine = await contract('call', token, 'transfer', 'dev:6', '1.005', '--from-dev', '0');
    assert.equal(fine.code, 2);
    assert.match(fine.err, /^heddle: amount: expected an amount with at most 2 decimals.*got "1\.005"\n$/);
    const view = await contract('view', token, 'transfer', 'dev:6', '0.5', '--from-dev', '0');
    assert.deepEqual([view.code, view.err], [0, note('0.5', '50')]);
  });

  it('leaves other arguments with a decimal point, and contracts without decimals, alone', async () => {
    const folder = mkdtempSync(join(scratch, 'x'));
    const bare = join(folder, 'bare.idl');
    writeFileSync(bare, 'contract Token { method transfer(to: address, amount: u128); }\n');
    const call = ['call', token, 'transfer', 'dev:6', '1.5', '--from-dev', '0'];
    const without = await contract(...call, '--idl', bare);
    assert.match(without.err, /^heddle: Token\.transfer: args\.amount: expected .*got "1\.5"\n$/);
    const other = join(folder, 'other.idl');
    writeFileSync(
      other,
      'contract Token { view decimals() -> u8; method pay(to: address, rate: u128, value: u8); }\n',
    );
    for (const args of [
      ['rate=1.5', 'value=1'],
      ['rate=1', 'value=1.5'],
    ]) {
      const { err } = await contract(
        'call',
        token,
        'pay',
        'to=dev:6',
        ...args,
        '--from-dev',
        '0',
        '--idl',
        other,
      );
      assert.match(err, /^heddle: Token\.pay: args\.(?:rate|value): expected .*got "1\.5"\n$/);
    }
  });

  it('takes addresses in every form', async () => {
    const bare = token.slice(2);
    const usual = await contract('view', token, 'balance_of', bob);
    assert.equal(usual.code, 0, usual.err);
    for (const [at, owner] of [
      [bare, bob.slice(2)],
      [`0X${bare.toUpperCase()}`, `0x${bob.slice(2).toUpperCase()}`],
    ] as const) {
      assert.deepEqual(await contract('view', at, 'balance_of', `owner=${owner}`), usual);
    }
  });

  it('views an earlier state, and prints the whole answer as JSON', async () => {
    const { out } = await contract('view', token, 'balance_of', bob, '--json');
    const answer = JSON.parse(out);
    const text = (await contract('view', token, 'balance_of', bob)).out;
    assert.deepEqual([answer.status.type, `${answer.decoded}\n`], ['success', text]);
    assert.ok(answer.gas_used > 0);
    const { deployed_at: born } = JSON.parse((await contract('show', token, '--json')).out).metadata;
    const first = await contract('view', token, 'balance_of', bob, '--at', String(born));
    assert.deepEqual(first, { code: 0, out: '0\n', err: '' });
    const failed = await contract('view', token, 'transfer', bob, '5', '--from-dev', '5', '--json');
    assert.equal(failed.code, 1);
    assert.match(failed.err, /transfer did not succeed: reverted: InsufficientBalance/);
    assert.equal(JSON.parse(failed.out).status.type, 'reverted');
  });

  it('shows a contract as JSON', async () => {
    const { code, out } = await contract('show', token, '--json');
    assert.equal(code, 0);
    const { metadata, interface: idl, account, ...others } = JSON.parse(out);
    assert.deepEqual([metadata.address, idl.address, account.address], [token, token, token]);
    assert.equal(idl.idl, readFileSync(IDL, 'utf8'));
    assert.equal(metadata.deployer, alice);
    assert.deepEqual(others, {});
  });

  it('does not call init, which is only for deployment', async () => {
    const { code, err } = await contract('call', token, 'init', '--from-dev', '0');
    assert.equal(code, 2);
    assert.match(err, /init runs only at deployment/);
  });

  it('explains what is possible without an interface', async () => {
    const wasm = join(packageRoot(), 'contracts', 'compute', 'compute.wasm');
    const bare = await contract('deploy', wasm, '--from-dev', '0', '--policy', 'admin');
    assert.equal(bare.code, 0, bare.err);
    assert.match(bare.err, /without --idl no interface is stored/);
    const [, address = ''] = /^contract +(0x[0-9a-f]{40})$/m.exec(bare.out) ?? [];
    const idl = join(packageRoot(), 'contracts', 'compute', 'compute.idl');
    const named = await contract('upgrade', address, wasm, '--idl', idl, '--from-dev', '0');
    assert.deepEqual([named.code, named.err], [0, '']);
    const lost = await contract('upgrade', address, wasm, '--from-dev', '0');
    assert.equal(lost.code, 2);
    assert.match(
      lost.err,
      /would lose its interface on chain: give the new one with --idl FILE, or --drop-idl/,
    );
    const dropped = await contract('upgrade', address, wasm, '--from-dev', '0', '--drop-idl');
    assert.deepEqual([dropped.code, dropped.err], [0, '']);
    assert.match((await contract('show', address)).out, /no interface on chain/);
  });

  it('shows the known facts of a contract', async () => {
    const { code, out } = await contract('show', token);
    assert.equal(code, 0);
    assert.match(out, /^policy +immutable$/m);
    assert.match(out, new RegExp(`^deployed +in block \\d+ by ${alice}$`, 'm'));
    assert.match(out, /^ {2}transfer\(to: address, amount: u128\)$/m);
    assert.match(out, /^ {2}balance_of\(owner: address\) -> u128$/m);
    assert.match(out, /^ {2}InsufficientBalance \{ available: u128, required: u128 \}$/m);
  });

  it('sends no transaction for a file that is not a module', async () => {
    const nonce = async (): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account', params: { address: alice } });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${node.url}/v2/rpc`, { method: 'POST', headers, body });
      return ((await answer.json()) as { result: { lanes: unknown } }).result.lanes;
    };
    const before = await nonce();
    for (const args of [
      ['deploy', IDL],
      ['upgrade', token, IDL],
    ]) {
      const refused = await contract(
        ...args,
        '--idl',
        IDL,
        '--from-dev',
        '0',
        ...(args[0] === 'deploy' ? INIT : []),
      );
      assert.equal(refused.code, 1, refused.out);
      assert.match(refused.err, /token\.idl: expected a compiled contract \(WebAssembly\)/);
    }
    assert.deepEqual(await nonce(), before);
  });

  it('upgrades under a timelock, and prints when to come back', async () => {
    const address = await deployed([...INIT, '--policy', 'timelock', '--delay', '1000']);
    const shown = await contract('show', address);
    assert.match(shown.out, new RegExp(`^policy +admin ${alice}, 1000 blocks after announcing$`, 'm'));
    const announced = await contract('upgrade', address, WASM, '--idl', IDL, '--from-dev', '0');
    assert.equal(announced.code, 0, announced.err);
    assert.match(announced.out, /^ready at +block \d+/m);
    const early = await contract('upgrade', address, WASM, '--idl', IDL, '--from-dev', '0');
    assert.equal(early.code, 1);
    assert.match(early.err, /may be applied from height \d+ on/);
    const stranger = await contract('upgrade', address, WASM, '--idl', IDL, '--from-dev', '3');
    assert.match(stranger.err, new RegExp(`only ${alice} may upgrade`));
  });

  it('reports mistakes by name', async () => {
    const broken = join(mkdtempSync(join(scratch, 'x')), 'broken.idl');
    writeFileSync(broken, 'contract Broken { metod x(); }');
    const short = join(mkdtempSync(join(scratch, 'x')), 'short.wasm');
    writeFileSync(short, readFileSync(WASM).subarray(0, 100));
    for (const [args, code, expected] of [
      [['call', token, 'trasfer', '--from-dev', '0'], 2, /Token has no function trasfer; it has init, name/],
      [['call', token, 'transfer', 'to=dev:1', '--from-dev', '0'], 1, /Token\.transfer: args\.amount/],
      [['call', token, 'transfer', 'to=dev:1', 'amout=1', '--from-dev', '0'], 1, /args.*amout/],
      [['call', token, 'transfer', 'to=dev:1', '5', '--from-dev', '0'], 2, /all arguments by name/],
      [['call', token, 'transfer', 'to=nobody', 'amount=1', '--from-dev', '0'], 1, /args\.to: expected/],
      [['call', token, 'transfer'], 2, /no sender: give/],
      [['call', 'token', 'transfer', '--from-dev', '0'], 2, /ADDRESS: expected an address/],
      [['view', bob, 'name'], 1, /there is no contract at/],
      [['deploy', '/no/such.wasm', '--from-dev', '0'], 1, /no such file/],
      [['deploy', short, '--from-dev', '0'], 1, /the module is refused/],
      [['deploy', WASM, '--idl', broken, '--from-dev', '0'], 1, /broken\.idl/],
      [['deploy', WASM, 'x=1', '--from-dev', '0'], 2, /need --idl/],
      [['deploy', WASM, '--policy', 'timelock', '--from-dev', '0'], 2, /needs --delay/],
      [['deploy', WASM, '--idl', IDL, '--from-dev', '0'], 1, /Token\.init: args/],
    ] as const) {
      const outcome = await contract(...args);
      assert.match(outcome.err, expected, args.join(' '));
      assert.equal(outcome.code, code, `${args.join(' ')}: ${outcome.err}`);
      assert.doesNotMatch(outcome.err, /\n\s+at /, 'shows a stack');
    }
  });
});

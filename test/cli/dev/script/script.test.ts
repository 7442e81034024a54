// These tests need a node in another process: a dry run is a fork of a real chain, whose reads with proofs block this one.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startDryRunFork } from '../../../../src/cli/dev/script/dry-run-fork.js';
import { type Client, connect, devAccount, parseAddress } from '../../../../src/client/client.js';
import { ledger } from '../../../../src/ledger/codecs.js';
import { heddle } from '../../../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../../support/nodes/node-process.js';
import { CONTRACTS } from '../../../support/worlds/contract-world.js';

const BOB = `0x${Buffer.from(devAccount(1).address).toString('hex')}`;
const DEPLOY = `
/** @type {import('heddle/client').Script} */
export async function run({ deploy, deployed, contract, sender, log, args: [amount = '250'] }) {
  const owner = sender.signer.address;
  const token =
    (await deployed('Thread')) ??
    (await deploy('Thread', {
      wasm: ${JSON.stringify(join(CONTRACTS, 'token', 'token.wasm'))},
      init: { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1000n, owner, minter: owner },
    }));
  await contract(token.address).call('transfer', { to: '${BOB}', amount });
  log('left', await token.view('balance_of', { owner }));
}
`;

describe('heddle dev script', () => {
  const directory = temporaryDirectory();
  let node: NodeProcess;
  let client: Client;

  before(async () => {
    node = await NodeProcess.start({ dataDir: join(directory, 'data'), flags: ['--seal', 'instant'] });
    client = connect(node.url);
    mkdirSync(join(directory, 'scripts'));
    writeFileSync(join(directory, 'scripts', 'deploy.mjs'), DEPLOY);
  });
  after(async () => {
    await client.close();
    await node.dispose();
    removeDirectory(directory);
  });

  const script = (...args: string[]) =>
    heddle(['dev', 'script', 'scripts/deploy.mjs', ...args], { HEDDLE_URL: node.url }, directory);

  it('shows what a script would do, and sends nothing', async () => {
    const { next_nonce } = await lane();
    const { code, out, err } = await script();
    assert.equal(code, 0, err);
    assert.match(out, /^dry run of scripts\/deploy\.mjs on a fork of chain 9545 at block \d+, from 0x8628/);
    assert.match(
      out,
      /^1 {2}deploy Thread\(name: Thread, .*\)\n {3}contract 0x[0-9a-f]{40}\n {3}gas [\d,]+, fee [\d,]+$/m,
    );
    assert.match(out, /^2 {2}Thread\.transfer\(to: 0x4e23.*, amount: 250\)$/m);
    assert.match(
      out,
      /^left 750\n2 transactions, gas [\d,]+, fee [\d,]+\nnothing was sent; --broadcast sends it$/m,
    );
    assert.deepEqual(await lane(), { lane: 0, next_nonce, pending: 0 });
    assert.equal(existsSync(join(directory, 'deployments')), false);
  });

  it('names the line and the reason of a failure, and then sends nothing', async () => {
    const { code, err } = await script('--broadcast', '--yes', '--from-dev', '0', '5000');
    assert.equal(code, 1);
    assert.match(
      err,
      /^heddle: scripts\/deploy\.mjs:11:\d+: Token\.transfer: reverted: InsufficientBalance\(available: 1000, required: 5000\)\nheddle: nothing was sent\n$/,
    );
    assert.equal(existsSync(join(directory, 'deployments')), false);
  });

  it('sends what the dry run had, records it, and knows it in the next run', async () => {
    const sent = await script('--broadcast', '--yes', '--from-dev', '0', '--json');
    assert.equal(sent.code, 0, sent.err);
    const answer = JSON.parse(sent.out);
    assert.equal(answer.mode, 'broadcast');
    const record = JSON.parse(readFileSync(join(directory, answer.record), 'utf8'));
    assert.equal(record.state, 'complete');
    assert.equal(
      record.genesis_hash,
      Buffer.from((await client.light_client_context({})).genesis_hash).toString('hex'),
    );
    const latest = JSON.parse(readFileSync(join(directory, answer.record, '..', 'latest.json'), 'utf8'));
    const { address } = latest.contracts.Thread;
    const { code_hash } = await client.contract_metadata({ address: parseAddress(address) });
    assert.equal(latest.contracts.Thread.code_hash, Buffer.from(code_hash).toString('hex'));
    const again = await script('20');
    assert.match(again.out, /^1 {2}Thread\.transfer\(/m);
    assert.match(again.out, /^left 730$/m);
    assert.equal((await lane()).next_nonce, 2n);
    assert.equal(readdirSync(join(directory, answer.record, '..')).length, 2);
    const key = Buffer.from('5b2ed790b6569480274a1eb78e4114ac531ba9e1e20e06696f381fb567378c27');
    for (const text of [record, latest]) assert.ok(!JSON.stringify(text).includes(key.toString()));
  });

  it('explains wrong usage', async () => {
    writeFileSync(join(directory, 'empty.mjs'), 'export const nothing = 1;');
    writeFileSync(join(directory, 'wrong.mjs'), 'export async function run() {\n  const = 5;\n}');
    const usage = async (args: readonly string[], code: number, why: RegExp) => {
      const outcome = await heddle(
        ['dev', 'script', ...args],
        { HEDDLE_URL: 'http://127.0.0.1:2' },
        directory,
      );
      assert.match(outcome.err, why);
      assert.equal(outcome.code, code);
    };
    await usage(['none.mjs'], 2, /none\.mjs: there is no such file/);
    await usage(['scripts'], 2, /expected a script that ends in \.mjs, /);
    await usage(['empty.mjs'], 2, /empty\.mjs: expected an exported function run: .* it exports nothing/);
    await usage(['wrong.mjs'], 1, /wrong\.mjs:2: SyntaxError: /);
    await usage(['scripts/deploy.mjs', '--broadcast'], 2, /no terminal to ask: give --yes/);
    await usage(['scripts/deploy.mjs', '--broadcast', '--yes'], 2, /no sender: give --key FILE/);
    await usage(['scripts/deploy.mjs', '--skip-dry-run'], 2, /--skip-dry-run needs --broadcast/);
    await usage(['scripts/deploy.mjs', '--dry-run', '--broadcast'], 2, /cannot be used with option/);
    await usage(
      ['scripts/deploy.mjs', '--import', './none.mjs'],
      2,
      /--import \.\/none\.mjs: Cannot find module/,
    );
    writeFileSync(
      join(directory, 'late.mjs'),
      "if (globalThis.early !== 5) throw new RangeError('too early');",
    );
    writeFileSync(join(directory, 'early.mjs'), 'globalThis.early = 5;');
    await usage(['late.mjs'], 1, /late\.mjs:1:\d+: RangeError: too early/);
    // A failed module is not loaded again.
    writeFileSync(join(directory, 'later.mjs'), readFileSync(join(directory, 'late.mjs')));
    await usage(['later.mjs', '--import', './early.mjs'], 2, /expected an exported function run/);
    await usage(['scripts/deploy.mjs'], 1, /no node answers at http:\/\/127\.0\.0\.1:2/);
  });

  it('signs nothing in a dry run that the chain would accept', async () => {
    const { tip } = await client.status();
    const fork = await startDryRunFork(node.url, tip.height, undefined, process.env);
    const forked = connect(fork.url);
    try {
      const sent = await forked.sender(devAccount(2)).transfer({ to: BOB, amount: 1n, wait: 'included' });
      const { transaction } = await forked.tx_by_hash({ tx_hash: sent.hash });
      assert.ok(transaction !== undefined);
      assert.equal(transaction.transaction.nonce, 0n);
      const encoded = ledger.SignedTransaction.encode(transaction);
      await assert.rejects(client.tx_submit({ encoded }), { reason: 'wrong_chain' });
    } finally {
      await forked.close();
      await fork.stop();
    }
  });

  async function lane() {
    const { lanes } = await client.account({ address: devAccount(0).address });
    return lanes[0] ?? { lane: 0, next_nonce: 0n, pending: 0 };
  }
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect, devAccount, formatAddress } from '../../../src/client/client.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { toHex } from '../../../src/idl/hex.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import type { RunningNode } from '../../../src/node.js';
import { heddle } from '../../support/nodes/command-line.js';
import { NodeParts } from '../../support/nodes/node-parts.js';

const parts = new NodeParts();
const { directory } = parts;
const NATIVE = process.env['HEDDLE_NATIVE'] ?? 'auto';
const TO = new Uint8Array(20).fill(0xcd);
const PRIVATE_KEY = new Uint8Array(32).fill(5);

type Change = (method: string, result: Record<string, unknown>) => Record<string, unknown>;

/** A source that changes the answers of the node behind it. */
async function lyingSource(url: string, change: Change, moreParams: object = {}) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const call = JSON.parse(body) as { method: string; params: object };
    const { method } = call;
    const answer = await fetch(`${url}/v2/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, params: { ...call.params, ...moreParams } }),
    });
    const { result, ...rest } = (await answer.json()) as { result: Record<string, unknown> };
    response.end(JSON.stringify(result === undefined ? rest : { ...rest, result: change(method, result) }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function nodeWith(name: string, flags: Record<string, string>): Promise<RunningNode> {
  const more = { 'data-dir': name, workers: '1', native: NATIVE, 'log-level': 'silent', ...flags };
  return parts.node({ flags: more, sealing: 'manual' });
}

const light = (url: string, ...query: readonly string[]) =>
  heddle(['light', '--url', url, '--group-key', 'dev', ...query]);
const balanceOf = (url: string) => light(url, 'balance', formatAddress(TO));

describe('heddle light', () => {
  let node: RunningNode;
  let txHash = '';
  const opened: { close(): void }[] = [];
  const lying = async (change: Change) => {
    const source = await lyingSource(node.url, change);
    opened.push(source);
    return source.url;
  };

  before(async () => {
    node = await nodeWith('dev', {});
    const sent = await connect(node.url)
      .sender(devAccount(0))
      .transfer({ to: TO, amount: 777n, wait: 'none' });
    txHash = sent.hashHex;
    await node.sealNow(1_800_000_000_000);
    await node.sealNow(1_800_000_001_000);
  });
  after(async () => {
    for (const { close } of opened) close();
    await parts.close();
  });

  test('prints balances, empty slots and transactions with the checks made', async () => {
    const balance = await balanceOf(node.url);
    assert.equal(balance.code, 0, balance.err);
    assert.match(balance.out, /^balance +777$/m);
    assert.match(balance.out, /^block +2, [0-9a-f]{64}$/m);
    assert.match(balance.out, /^checked +the certificate that makes the block final/m);
    const nobody = await light(node.url, 'balance', `0x${'11'.repeat(20)}`);
    assert.match(nobody.out, /^account +proved not to be in the state$/m);
    const slot = await light(node.url, 'slot', formatAddress(TO), '00'.repeat(32));
    assert.match(slot.out, /^value +proved to be empty$/m);
    const transaction = await light(node.url, 'tx', txHash);
    assert.match(transaction.out, /^outcome +success$/m);
    assert.match(transaction.out, /^block +1, /m);
  });

  test('proves the state after an earlier block at that very block, also as JSON', async () => {
    const at = (url: string, height: string, ...query: readonly string[]) =>
      light(url, '--json', '--at', height, ...query);
    const answerOf = async (height: string, ...query: readonly string[]) => {
      const { code, out, err } = await at(node.url, height, ...query);
      assert.equal(code, 0, err);
      assert.match(out, /^\{.*\}\n$/);
      return JSON.parse(out) as {
        balance?: string;
        exists?: boolean;
        slot?: string;
        block: { height: number };
      };
    };
    const before = await answerOf('0', 'balance', formatAddress(TO));
    assert.deepEqual([before.balance, before.exists, before.block.height], ['0', false, 0]);
    const first = await answerOf('1', 'balance', formatAddress(TO));
    assert.deepEqual([first.balance, first.exists, first.block.height], ['777', true, 1]);
    const slot = await answerOf('2', 'slot', formatAddress(TO), '00'.repeat(32));
    assert.deepEqual([slot.slot, 'value' in slot, slot.block.height], ['00'.repeat(32), false, 2]);
    const newest = await light(node.url, '--json', 'tx', txHash);
    assert.deepEqual((JSON.parse(newest.out) as { outcome: string }).outcome, 'success');

    const other = await lying((_, result) => result);
    const elsewhere = await lyingSource(node.url, (_, result) => result, { at: { type: 'latest' } });
    opened.push(elsewhere);
    assert.equal((await at(other, '1', 'balance', formatAddress(TO))).code, 0);
    const refused = await at(elsewhere.url, '1', 'balance', formatAddress(TO));
    assert.equal(refused.code, 1);
    assert.match(refused.err, /wrong_subject.*expected the state after block 1, got block 2's/);
    assert.match((await at(node.url, '99', 'balance', formatAddress(TO))).err, /no block 99 yet/);
    assert.equal((await at(node.url, '1', 'tx', txHash)).code, 2);
    assert.equal((await at(node.url, 'x', 'balance', formatAddress(TO))).code, 2);
  });

  test('does not believe a lying source, and reports why', async () => {
    const changes: readonly (readonly [Change, RegExp])[] = [
      [
        (_, result) => ({ ...result, account: { ...(result['account'] as object), value: '0x00' } }),
        /not_proved.*state root/,
      ],
      [(_, { certificate: _certificate, ...result }) => result, /no_certificate/],
      [
        (_, result) => ({ ...result, header: { ...(result['header'] as object), height: 9 } }),
        /wrong_certificate/,
      ],
      [
        (_, result) => {
          const certificate = result['certificate'] as { signature: string };
          const signature = `${certificate.signature.slice(0, -2)}00`;
          return { ...result, certificate: { ...certificate, signature } };
        },
        /bad_signature/,
      ],
      [() => ({}), /malformed/],
    ];
    for (const [change, reason] of changes) {
      const { code, out, err } = await balanceOf(await lying(change));
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(err, reason);
    }
  });

  test('takes the answer of the one honest source, and names the others', async () => {
    const liar = await lying((_, result) => ({ ...result, account: {} }));
    const { code, out, err } = await balanceOf(`${liar},http://127.0.0.1:1,${node.url}`);
    assert.equal(code, 0, err);
    assert.match(out, /^balance +777$/m);
    assert.ok(out.includes(node.url));
    assert.ok(err.includes(liar) && err.includes('malformed') && err.includes('http://127.0.0.1:1/'), err);
  });

  test('proves a block without a certificate in the history of one that has it', async () => {
    const forgetful = await lying((method, result) => {
      if (method !== 'finalized_history_root') return result;
      const { certificate, ...rest } = result;
      return (result['header'] as { height: number }).height === 1 ? rest : { ...rest, certificate };
    });
    const { code, out, err } = await light(forgetful, 'tx', txHash);
    assert.equal(code, 0, err);
    assert.match(out, /^outcome +success$/m);
    const liar = await lying((method, result) => {
      if (method === 'finalized_history_proof') return { ...result, block_hash: '00'.repeat(32) };
      const { certificate, ...rest } = result;
      const isFirst =
        method === 'finalized_history_root' && (result['header'] as { height: number }).height === 1;
      return isFirst ? rest : result;
    });
    const refused = await light(liar, 'tx', txHash);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /not_proved/);
  });

  test('reports an unknown transaction as unproved', async () => {
    const { code, err } = await light(node.url, 'tx', '77'.repeat(32));
    assert.equal(code, 1);
    assert.match(err, /knows of no block/);
  });

  test('reads queries from standard input; a failing one does not end it but sets the exit code', async () => {
    const main = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, 'light', '--url', node.url, '--group-key', 'dev'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      err += part.toString();
    });
    child.stdin.end(`stars\n\n  balance   ${formatAddress(TO)}\nquit\ntx ${txHash}\n`);
    const code = await new Promise((done) => child.on('close', done));
    assert.match(out, /^balance +777$/m);
    assert.doesNotMatch(out, /outcome/, 'it went on after quit');
    assert.match(err, /expected one of: balance ADDRESS.*got "stars"/);
    assert.equal(code, 1);
  });

  test('refuses another key, and missing or wrong arguments', async () => {
    const other = toHex((await loadBls('off')).publicKey(PRIVATE_KEY));
    const wrong = await heddle([
      'light',
      '--url',
      node.url,
      '--group-key',
      other,
      'balance',
      formatAddress(TO),
    ]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /wrong_key/);
    for (const args of [
      ['light', '--url', node.url, 'balance', formatAddress(TO)],
      ['light', '--url', node.url, '--group-key', '0x12', 'balance', formatAddress(TO)],
      ['light', '--url', node.url, '--group-key', 'dev', 'balance', '0x12'],
      ['light', '--url', node.url, '--group-key', 'dev', 'slot', formatAddress(TO), '0x1'],
      ['light', '--url', node.url, '--group-key', 'dev', 'stars'],
    ]) {
      assert.equal((await heddle(args)).code, 2, args.join(' '));
    }
  });

  test('works on a private chain with --genesis and --validator-key', async () => {
    const key = join(directory, 'validator.json');
    const made = await heddle(['keys', 'new-validator', '--out', key]);
    assert.equal(made.code, 0, made.err);
    assert.equal(statSync(key).mode & 0o777, 0o600);
    assert.equal((await heddle(['keys', 'new-validator', '--out', key])).code, 1, 'it wrote over a key');
    const [, publicKey = ''] = /^group_public_key 0x([0-9a-f]{96})$/m.exec(made.out) ?? [];
    const dev = devGenesis(await loadCrypto('off'));
    const set = { ...dev.validator_set, group_public_key: Uint8Array.from(Buffer.from(publicKey, 'hex')) };
    const genesis = join(directory, 'genesis.json');
    writeFileSync(genesis, ledger.Genesis.toJson({ ...dev, chain_id: 77n, validator_set: set }));
    const query = ['balance', formatAddress(devAccount(0).address)];

    const certified = await nodeWith('own', { genesis, 'validator-key': key });
    const proved = await heddle(['light', '--url', certified.url, '--genesis', genesis, ...query]);
    const elsewhere = await heddle(['light', '--url', node.url, '--genesis', genesis, ...query]);
    await certified.stop();
    assert.equal(proved.code, 0, proved.err);
    assert.match(proved.out, /^block +0, /m);
    assert.match(elsewhere.err, /wrong_chain/);

    await assert.rejects(nodeWith('own', { genesis }), /--validator-key is missing: .*--no-certificates/);
    const uncertified = await nodeWith('own', { genesis, 'no-certificates': 'true' });
    const unproved = await heddle(['light', '--url', uncertified.url, '--genesis', genesis, ...query]);
    await uncertified.stop();
    assert.match(unproved.err, /no_certificate/);

    await assert.rejects(nodeWith('other', { 'validator-key': key }), /not the key of the genesis/);
  });
});

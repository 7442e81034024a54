// Secrets that reach the node, in the right place or in a wrong one, are in none of its outputs.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { rawExchange } from '../support/http/raw-http.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { OtlpReceiver } from '../support/operations/otlp-receiver.js';
import { perTier } from '../support/sweep.js';

const PATH = '/v2/rpc';
/** Length of the pieces that are searched for: a shorter part of a secret is of no use to a finder. */
const PIECE = 12;
const METHODS = [
  ...['account', 'accounts', 'view_call', 'tx_submit', 'tx_build', 'tx_simulate', 'chain_traceCall'],
  ...[
    'chain_traceTransaction',
    'get_logs',
    'block_by_hash',
    'import_snapshot_chunk',
    'status',
    'txpool_status',
  ],
];

/** The secrets' pieces that appear in a text. The part of a token before its signature is not secret. */
function findings(text: string, secrets: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  for (const [name, secret] of secrets) {
    for (let at = 0; at + PIECE <= secret.length; at++) {
      if (text.includes(secret.slice(at, at + PIECE))) found.add(name);
    }
  }
  return [...found];
}

for (const frontThreads of perTier(['1'], ['0', '1'])) {
  describe(`a node with --front-threads ${frontThreads}`, async () => {
    const passphrase = `correct-horse-${randomBytes(8).toString('hex')}`;
    const receiver = await OtlpReceiver.start();
    const node = await NodeProcess.start({
      flags: [
        ...['--log-level', 'trace', '--slow-call-ms', '1', '--front-threads', frontThreads],
        ...['--otlp-endpoint', receiver.url],
      ],
    });
    after(async () => {
      await node.dispose();
      receiver.stop();
    });
    const admin = readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
    const signature = admin.slice(admin.lastIndexOf('.') + 1);
    const signingKey = readFileSync(join(node.dataDir, 'token.secret'), 'utf8').trim();
    const privateKey = randomBytes(32).toString('hex');
    const secrets = new Map([
      ['the signature of the admin token', signature],
      ['the secret that signs tokens', signingKey],
      ['a private key', privateKey],
      ['a passphrase', passphrase],
    ]);
    const sent = [admin, signature, signingKey, privateKey, `0x${privateKey}`, passphrase];
    const rpc = new RpcClient(node.url);
    const asAdmin = { authorization: `Bearer ${admin}` };
    const json = { 'content-type': 'application/json' };
    const body = (method: string, params: unknown, id: unknown = 1): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });

    test('accepts the right token', async () => {
      const answer = await rpc.post(body('tx_build', {}), asAdmin);
      assert.notEqual(answer.status, 401);
      assert.notEqual(answer.status, 403);
    });

    test('answers requests that carry a secret in the wrong place', async () => {
      for (const secret of sent) {
        // A shorter one is a valid id, which is there to be logged.
        if (secret.length > 63) {
          const { headers } = await rpc.post(body('status', {}), { 'x-request-id': secret });
          assert.match(headers['x-request-id'] as string, /^[0-9a-f]{16}$/);
        }
        for (const authorization of [
          ...[
            secret,
            `Basic ${secret}`,
            `Bearer ${secret}x`,
            `Bearer ${secret}`,
            `bearer  ${secret} ${secret}`,
          ],
        ]) {
          await rpc.post(body('status', {}), { authorization });
        }
        await rpc.post(body(secret, {}), asAdmin);
        await rpc.post(body('status', {}, secret), asAdmin);
        await rpc.post(`[${body(secret, {})},${body('account', { address: secret })}]`);
        await rpc.post(secret, asAdmin);
        await rpc.post(body('status', {}), { 'content-type': `application/${secret}` });
        await rpc.post(body('status', {}), { traceparent: secret, host: secret });
        for (const method of METHODS) {
          for (const params of [
            { [secret]: secret },
            { address: secret, addresses: [secret], tx_hash: secret, encoded: secret, cursor: secret },
            { from: secret, to: secret, contract: secret, method: secret, args: { [secret]: secret } },
            [secret],
            secret,
          ]) {
            await rpc.post(body(method, params), asAdmin);
          }
        }
        for (const path of [
          `/${secret}`,
          `${PATH}?token=${secret}`,
          `/metrics?${secret}`,
          `/health/${secret}`,
        ]) {
          await rpc.http({ path, headers: asAdmin });
          await rpc.http({
            method: 'POST',
            path,
            body: body('status', {}),
            headers: { ...json, ...asAdmin },
          });
        }
        await rawExchange(node.url, `${secret} / HTTP/1.1\r\nhost: x\r\n\r\n`, 300);
        await rawExchange(node.url, `GET / HTTP/1.1\r\nhost: x\r\nhost: ${secret}\r\n\r\n`, 300);
      }
    });

    test('prints no secret', async () => {
      assert.deepEqual(findings(node.log, secrets), []);
    });

    test('shows no secret in its metrics', async () => {
      const page = (await rpc.http({ path: '/metrics' })).body.toString();
      assert.ok(page.includes('heddle_rpc_calls_total'));
      assert.deepEqual(findings(page, secrets), []);
    });

    test('neither prints nor exports a secret when it stops', async () => {
      await node.stop();
      assert.ok(receiver.spans.length > 100, `${receiver.spans.length} spans`);
      assert.deepEqual(findings(receiver.text, secrets), []);
      assert.deepEqual(findings(node.log, secrets), []);
    });
  });
}

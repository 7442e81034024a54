import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { nodeRpcV1Manifest } from '../../../src/generated/node-rpc-v1.js';
import { RpcClient } from '../../outside/rpc.js';
import { eventually } from '../eventually.js';
import { heddleOk } from '../nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../nodes/node-process.js';

type Tier = 'public' | 'paid' | 'admin';

const METHODS = nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods);
const RANK = { public: 0, paid: 1, admin: 2 };
const ACCESS_CODES = new Set([-32001, -32002, -32003, -32004]);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3_600;

interface Payload {
  readonly tier: string;
  readonly exp?: number | undefined;
  readonly [claim: string]: unknown;
}

/** Makes tokens from the specification of JWTs alone. */
class OutsideIssuer {
  readonly #secret: Buffer;
  readonly #ed25519 = generateKeyPairSync('ed25519');

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  get publicKeyPem(): string {
    return this.#ed25519.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  hs256(payload: Payload, secret: Buffer = this.#secret): string {
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(complete(payload))}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  eddsa(payload: Payload): string {
    const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(complete(payload))}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#ed25519.privateKey).toString('base64url')}`;
  }

  unsigned(payload: Payload): string {
    return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(complete(payload))}.`;
  }

  /** Signed with the public key as if that were the secret. */
  confused(payload: Payload): string {
    return this.hs256(payload, Buffer.from(this.publicKeyPem));
  }
}

function complete(payload: Payload): Payload {
  return { sub: 'outside', jti: randomUUID(), exp: inAnHour(), ...payload };
}

interface Answer {
  readonly error?: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
}

/** The access error that a caller gets for a method, or undefined if the method answers. */
type Expected = (tier: Tier, method: string) => number | undefined;

const reaches =
  (own: Tier, otherwise: number): Expected =>
  (tier) =>
    RANK[own] >= RANK[tier] ? undefined : otherwise;
/** Without a token: the method that answers about the caller's own one has nothing to answer. */
const withoutToken =
  (reached: Expected): Expected =>
  (tier, method) =>
    method === 'token_usage' ? -32001 : reached(tier, method);
const always =
  (code: number): Expected =>
  () =>
    code;

/** Tests every method against every kind of caller, single, in a batch and over a WebSocket. */
export function testAccess(paidAccess: 'open' | 'metered' | 'token'): void {
  describe(`access with --paid-access ${paidAccess}`, () => {
    const directory = temporaryDirectory();
    const keyFile = join(directory, 'issuer.pem');
    let node: NodeProcess;
    let issuer: OutsideIssuer;
    const clients: RpcClient[] = [];

    before(async () => {
      const dataDir = join(directory, 'data');
      // Creates the secret, before the node runs.
      await heddleOk(['token', 'issue', '--tier', 'public', '--data-dir', dataDir]);
      issuer = new OutsideIssuer(
        Buffer.from(readFileSync(join(dataDir, 'token.secret'), 'utf8').trim(), 'hex'),
      );
      writeFileSync(keyFile, issuer.publicKeyPem);
      node = await NodeProcess.start({
        dataDir,
        flags: ['--paid-access', paidAccess, '--token-issuer-key', keyFile, '--front-threads', '2'],
      });
    });
    after(async () => {
      for (const client of clients) client.close();
      await node.dispose();
      removeDirectory(directory);
    });

    const base: Tier = paidAccess === 'token' ? 'public' : 'paid';
    const callers: readonly (readonly [string, () => Promise<string | undefined>, Expected])[] = [
      ['without a token', async () => undefined, withoutToken(reaches(base, -32001))],
      [
        'with an expired token',
        async () => issuer.hs256({ tier: 'admin', exp: inAnHour() - 7_200 }),
        always(-32001),
      ],
      [
        'with a wrong signature',
        async () => issuer.hs256({ tier: 'admin' }, Buffer.alloc(32)),
        always(-32001),
      ],
      ['with alg none', async () => issuer.unsigned({ tier: 'admin' }), always(-32001)],
      ['with the public key as secret', async () => issuer.confused({ tier: 'admin' }), always(-32001)],
      ['without an expiry', async () => issuer.hs256({ tier: 'admin', exp: undefined }), always(-32001)],
      ['with a public token', async () => issuer.hs256({ tier: 'public' }), reaches(base, -32002)],
      ['with a paid token', async () => issuer.hs256({ tier: 'paid' }), reaches('paid', -32002)],
      ['with an admin token', async () => issuer.hs256({ tier: 'admin' }), reaches('admin', -32002)],
      ['with an EdDSA token', async () => issuer.eddsa({ tier: 'paid' }), reaches('paid', -32002)],
      ['with a revoked token', () => revoked(), always(-32001)],
      ['with an exhausted token', async () => issuer.hs256({ tier: 'admin', units: 0 }), always(-32003)],
    ];

    const revoked = async (): Promise<string> => {
      const issued = await heddleOk([
        'token',
        'issue',
        '--tier',
        'admin',
        '--json',
        '--data-dir',
        node.dataDir,
      ]);
      const { id, token } = JSON.parse(issued) as { id: string; token: string };
      const rpc = clientOf(token);
      await rpc.call('status');
      await heddleOk(['token', 'revoke', id, '--data-dir', node.dataDir]);
      await eventually('the token is refused', async () => (await single(rpc, 'status')).status === 401);
      return token;
    };

    const clientOf = (token: string | undefined): RpcClient => {
      const client = new RpcClient(node.url, token);
      clients.push(client);
      return client;
    };

    for (const [who, tokenOf, expected] of callers) {
      test(`a caller ${who}: each method, single, in a batch and over a WebSocket`, async () => {
        const token = await tokenOf();
        const rpc = clientOf(token);
        for (const { name, tier } of METHODS) {
          const { status, answer } = await single(rpc, name);
          assertAccess(answer, expected(tier, name), `${name}, single`);
          assert.equal(status, httpStatus(answer), name);
        }
        const batched = await batch(rpc);
        for (const [index, { name, tier }] of METHODS.entries()) {
          assertAccess(batched[index] ?? {}, expected(tier, name), `${name}, batch`);
        }
        const answers = await overSocket(node.url, token);
        if (typeof answers === 'number') {
          assert.equal(answers, 401);
          assert.equal(expected('public', 'status'), -32001);
          return;
        }
        for (const [index, { name, tier }] of METHODS.entries()) {
          assertAccess(answers.single[index] ?? {}, expected(tier, name), `${name}, message`);
          assertAccess(answers.batch[index] ?? {}, expected(tier, name), `${name}, batch in a message`);
        }
      });
    }
  });
}

async function single(rpc: RpcClient, method: string): Promise<{ status: number; answer: Answer }> {
  const { status, body } = await rpc.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }));
  return { status, answer: JSON.parse(body.toString()) as Answer };
}

async function batch(rpc: RpcClient): Promise<readonly Answer[]> {
  const calls = METHODS.map(({ name }, id) => ({ jsonrpc: '2.0', id, method: name, params: {} }));
  const { status, body } = await rpc.post(JSON.stringify(calls));
  assert.equal(status, 200);
  return JSON.parse(body.toString()) as readonly Answer[];
}

interface SocketAnswers {
  readonly single: readonly Answer[];
  readonly batch: readonly Answer[];
}

/** Calls each method in a message of its own, then all in one. Returns the status of a refused upgrade. */
function overSocket(url: string, token: string | undefined): Promise<SocketAnswers | number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/ws`, { headers });
  const calls = METHODS.map(({ name }, id) => ({ jsonrpc: '2.0', id, method: name, params: {} }));
  return new Promise((resolve, reject) => {
    const single: Answer[] = [];
    let answered = 0;
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve(statusCode);
      socket.terminate();
    });
    socket.on('error', reject);
    socket.on('open', () => {
      for (const call of calls) socket.send(JSON.stringify(call));
    });
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as (Answer & { readonly id: number }) | readonly Answer[];
      if ('length' in answer) {
        resolve({ single, batch: answer });
        socket.close();
        return;
      }
      single[answer.id] = answer;
      answered++;
      if (answered === calls.length) socket.send(JSON.stringify(calls));
    });
  });
}

function assertAccess({ error }: Answer, expected: number | undefined, what: string): void {
  const code = error !== undefined && ACCESS_CODES.has(error.code) ? error.code : undefined;
  assert.equal(code, expected, `${what}: ${JSON.stringify(error)}`);
}

/** The status that the error table pins for a lone call. */
function httpStatus({ error }: Answer): number {
  const statuses: Readonly<Record<number, number>> = {
    [-32001]: 401,
    [-32002]: 403,
    [-32003]: 402,
    [-32004]: 429,
    [-32013]: 503,
    [-32015]: 503,
  };
  return error === undefined ? 200 : (statuses[error.code] ?? 200);
}

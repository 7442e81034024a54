// After any bytes on the wire, the server stays up, answers the next client, and leaks no memory.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { HttpServer } from '../../src/rpc/http/http-server.js';
import { FakeRpc } from '../support/http/fake-rpc.js';
import { HTTP_IMPLEMENTATIONS } from '../support/http/http-implementations.js';
import { Wire } from '../support/http/wire.js';
import { sweep } from '../support/sweep.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Cases per round, and number of rounds whose memory is compared; the first round fills caches. */
const CASES = sweep(15);
const ROUNDS = 4;
const ALLOWED_GROWTH_BYTES = 4 * 1024 * 1024;

const json = fc.jsonValue({ maxDepth: 4 });
const id = fc.oneof(
  fc.constantFrom('1', '1e400', '-0', '99999999999999999999', '{}', 'true', 'null'),
  fc.string().map(quote),
);
const method = fc.oneof(
  fc.constantFrom(
    'subtract',
    'echo',
    'later',
    'repeat',
    'fail',
    'secret',
    'expensive',
    'health',
    'TestV1.echo',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const number = fc.constantFrom(
  '1',
  '-1',
  '1e309',
  '123456789012345678901234567890',
  '1.5',
  '9007199254740993',
  '-0',
);
const params = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  json.map((value) => `{"value":${JSON.stringify(value)}}`),
  fc.tuple(number, number).map(([a, b]) => `{"minuend":${a},"subtrahend":${b}}`),
  fc.constantFrom(
    '{"value":1,"value":2}',
    '{"__proto__":{"a":1}}',
    '{"text":"x","times":4294967296}',
    '[1,2]',
    '""',
  ),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => `{"value":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => '{"value":'.repeat(depth)),
);
const member = fc.oneof(
  fc.constant('"jsonrpc":"2.0"'),
  id.map((text) => `"id":${text}`),
  method.map((name) => `"method":${quote(name)}`),
  params.map((text) => `"params":${text}`),
  json.map((value) => `"extra":${JSON.stringify(value)}`),
);
const callText = fc
  .tuple(id, method, params)
  .map(([i, m, p]) => `{"jsonrpc":"2.0","id":${i},"method":${quote(m)},"params":${p}}`);
const requestText = fc.oneof(
  callText,
  fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`),
);
const bodyText = fc.oneof(
  { weight: 4, arbitrary: requestText },
  { weight: 2, arbitrary: fc.array(requestText, { maxLength: 250 }).map((calls) => `[${calls.join(',')}]`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
);
/** A body, intact or with some of its bytes changed or lost. */
const body = fc
  .tuple(bodyText, fc.array(fc.tuple(fc.nat(), fc.integer({ min: -1, max: 255 })), { maxLength: 3 }))
  .map(([text, changes]) => {
    let bytes = Buffer.from(text);
    for (const [place, value] of changes) {
      const at = place % (bytes.length + 1);
      if (value < 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      else if (at < bytes.length) bytes[at] = value;
    }
    return bytes;
  });

/** How a client sends a body. */
type Manner =
  | 'whole'
  | 'in pieces'
  | 'chunked'
  | 'broken off'
  | 'too short'
  | 'too long'
  | 'with rubbish behind';
const manner = fc.constantFrom<Manner>(
  'whole',
  'whole',
  'whole',
  'in pieces',
  'chunked',
  'broken off',
  'too short',
  'too long',
  'with rubbish behind',
);
const rawBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 200 }).map((text) => Buffer.from(`POST /v2/rpc HTTP/1.1\r\n${text}\r\n\r\n`)),
  fc
    .constantFrom(
      'content-length: 5\r\ncontent-length: 6',
      'transfer-encoding: chunked',
      'expect: 100-continue',
      'upgrade: websocket\r\nconnection: upgrade',
    )
    .map((head) => Buffer.from(`POST /v2/rpc HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\nfffffffffffffffff\r\n`)),
);

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`the HTTP border on ${implementation.name}`, { skip: implementation.skip }, () => {
    test('survives any client, and its memory stays flat', async () => {
      const rpc = await FakeRpc.create({ limits: { maxBodyBytes: 200_000, requestTimeoutMs: 30_000 } });
      const server = await implementation.open({ host: '127.0.0.1', port: 0, ...rpc.frontEnd.httpOptions });
      try {
        const used: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const seed = 1_000 + round;
          for (const [bytes, how] of fc.sample(fc.tuple(body, manner), { numRuns: CASES, seed })) {
            await send(server, bytes, how);
          }
          for (const bytes of fc.sample(rawBytes, { numRuns: CASES / 5, seed })) await sendRaw(server, bytes);
          await assertServes(server);
          // The method `fail` throws an error outside the table; nothing else becomes an internal error.
          const faults = rpc.log.filter(
            ({ level, fields }) => level !== 'info' && fields['method'] !== 'TestV1.fail',
          );
          assert.deepEqual(faults, []);
          rpc.log.length = 0;
          rpc.ran.length = 0;
          collectGarbage();
          await new Promise((resolve) => setTimeout(resolve, 50));
          collectGarbage();
          const { heapUsed, external } = process.memoryUsage();
          used.push(heapUsed + external);
        }
        const [, first = 0] = used;
        const growth = (used.at(-1) ?? 0) - first;
        assert.ok(growth < ALLOWED_GROWTH_BYTES, `grew by ${growth} bytes: ${used.join(', ')}`);
        assert.equal(rpc.metrics.rpc.callsInFlight.all, 0);
      } finally {
        await server.stop(1_000);
        await rpc.dispose();
      }
    });
  });
}

/** Sends a body; if it is intact, the answer must conform to the interface. */
async function send(server: HttpServer, bytes: Buffer, how: Manner): Promise<void> {
  const wire = await Wire.open(server.port);
  const head = 'POST /v2/rpc HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  const sized = (length: number): string => `${head}content-length: ${length}\r\n\r\n`;
  try {
    switch (how) {
      case 'whole':
        wire.write(Buffer.concat([Buffer.from(sized(bytes.length)), bytes]));
        return await assertAnswer(wire);
      case 'in pieces': {
        wire.write(sized(bytes.length));
        const middle = bytes.length >> 1;
        await tick();
        wire.write(bytes.subarray(0, middle));
        await tick();
        wire.write(bytes.subarray(middle));
        return await assertAnswer(wire);
      }
      case 'chunked':
        wire.write(`${head}transfer-encoding: chunked\r\n\r\n`);
        if (bytes.length > 0) {
          wire.write(
            Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
          );
        }
        wire.write('0\r\n\r\n');
        return await assertAnswer(wire);
      case 'too long': {
        const padded = Buffer.concat([bytes, Buffer.alloc(200_001, ' ')]);
        wire.write(Buffer.concat([Buffer.from(sized(padded.length)), padded]));
        assert.equal((await wire.answer()).status, 413);
        return;
      }
      case 'too short':
        wire.write(Buffer.concat([Buffer.from(sized(bytes.length + 100)), bytes]));
        return await tick();
      case 'broken off':
        wire.write(Buffer.concat([Buffer.from(sized(bytes.length)), bytes.subarray(0, bytes.length >> 1)]));
        wire.socket.resetAndDestroy();
        return;
      case 'with rubbish behind':
        wire.write(Buffer.concat([Buffer.from(sized(bytes.length)), bytes, bytes]));
        return await tick();
    }
  } finally {
    wire.close();
  }
}

async function sendRaw(server: HttpServer, bytes: Uint8Array): Promise<void> {
  const wire = await Wire.open(server.port);
  wire.write(bytes);
  await tick();
  wire.close();
}

/** Every answer is JSON-RPC: an object or array with results or errors of the declared shape, or empty. */
async function assertAnswer(wire: Wire): Promise<void> {
  const { status, body: bytes } = await wire.answer();
  const text = bytes.toString();
  if (status === 204) return assert.equal(text, '');
  assert.ok([200, 400, 401, 403, 413, 503].includes(status), `${status} ${text}`);
  const parsed = JSON.parse(text) as unknown;
  for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
    const { jsonrpc, error } = one as {
      jsonrpc: unknown;
      error?: { code: unknown; data: { kind: unknown } };
    };
    assert.equal(jsonrpc, '2.0');
    assert.ok('id' in (one as object));
    if (error === undefined) assert.ok('result' in (one as object));
    else assert.equal(typeof error.code, 'number');
  }
}

async function assertServes(server: HttpServer): Promise<void> {
  const wire = await Wire.open(server.port);
  wire.write(
    'POST /v2/rpc HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 82\r\n\r\n' +
      '{"jsonrpc":"2.0","id":1,"method":"subtract","params":{"minuend":3,"subtrahend":2}}',
  );
  assert.equal((await wire.answer()).body.toString(), '{"jsonrpc":"2.0","id":1,"result":1}');
  wire.close();
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

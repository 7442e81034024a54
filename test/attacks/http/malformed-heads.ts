// Invalid heads and heads that two parsers could read differently get a response and their connections are closed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawAnswer, rawExchange } from '../../support/http/raw-http.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';

const BODY = '{"jsonrpc":"2.0","id":1,"method":"health"}';
const LENGTH = BODY.length;
const POST = 'POST /v2/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const GET = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n';

function headers(count: number): string {
  return Array.from({ length: count }, (_, i) => `X-Header-${i}: a\r\n`).join('');
}

/** Body framings that a proxy could interpret differently. */
const FRAMINGS = {
  'two lengths, equal': `Content-Length: ${LENGTH}\r\nContent-Length: ${LENGTH}\r\n\r\n${BODY}`,
  'two lengths, the second short': `Content-Length: ${LENGTH}\r\nContent-Length: 5\r\n\r\n${BODY}`,
  'two lengths, the first short': `Content-Length: 5\r\nContent-Length: ${LENGTH}\r\n\r\n${BODY}`,
  'two lengths, in capitals and not': `CONTENT-LENGTH: ${LENGTH}\r\ncontent-length: 0\r\n\r\n${BODY}`,
  'three lengths, others between': `Content-Length: ${LENGTH}\r\nA: b\r\nContent-Length: 1\r\nC: d\r\nContent-Length: 2\r\n\r\n${BODY}`,
  'length and chunks': `Content-Length: ${LENGTH}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks and length': `Transfer-Encoding: chunked\r\nContent-Length: ${LENGTH}\r\n\r\n0\r\n\r\n`,
  'two codings': `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  'another coding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a coding before chunks': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'a sign': `Content-Length: +${LENGTH}\r\n\r\n${BODY}`,
  'a negative length': `Content-Length: -1\r\n\r\n${BODY}`,
  'a hexadecimal length': `Content-Length: 0x2a\r\n\r\n${BODY}`,
  'a list of lengths': `Content-Length: ${LENGTH}, ${LENGTH}\r\n\r\n${BODY}`,
  'a space in the length': `Content-Length: 4 2\r\n\r\n${BODY}`,
  'an empty length': `Content-Length:\r\n\r\n${BODY}`,
  'a length beyond 2^64': `Content-Length: 99999999999999999999\r\n\r\n${BODY}`,
  'a space before the colon': `Content-Length : ${LENGTH}\r\n\r\n${BODY}`,
  'a folded line': `X-A: 1\r\n Content-Length: ${LENGTH}\r\n\r\n${BODY}`,
  'chunks of no size': 'Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n',
};

/** Complete heads and their permitted response statuses. */
const HEADS: Readonly<Record<string, readonly [head: string, statuses: readonly number[]]>> = {
  'HTTP/1.0': [
    `POST /v2/rpc HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${LENGTH}\r\n\r\n${BODY}`,
    [200, 505],
  ],
  'HTTP/1.0 without anything': ['GET /health HTTP/1.0\r\n\r\n', [200, 505]],
  'HTTP/1.0 with a host': ['GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n', [200, 505]],
  'HTTP/0.9': ['GET /health\r\n\r\n', [200, 400, 505]],
  'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505]],
  'HTTP/3.1': ['GET /health HTTP/3.1\r\nHost: 127.0.0.1\r\n\r\n', [400, 505]],
  'a version without a number': ['GET /health HTTP\r\nHost: 127.0.0.1\r\n\r\n', [400, 505]],
  'no HTTP at all': ['hello there\n', [400, 505]],
  'a TLS handshake': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03aaaaaaaaaaaaaaaaaa', [400, 505]],
  'bare LF throughout': ['GET /health HTTP/1.1\nHost: 127.0.0.1\n\n', [400, 505]],
  'a bare LF in the middle': ['GET /health HTTP/1.1\r\nHost: 127.0.0.1\nX-A: b\r\n\r\n', [400]],
  'a bare LF at the end': ['GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\n', [400]],
  'no host, no header': ['GET /health HTTP/1.1\r\n\r\n', [400]],
  'no host': ['GET /health HTTP/1.1\r\nAccept: */*\r\n\r\n', [400]],
  'two hosts': [`${GET}Host: other.example\r\n\r\n`, [400]],
  '100 headers': [`${GET}${headers(100)}\r\n`, [431]],
  '1,000 headers': [`${GET}${headers(1_000)}\r\n`, [431]],
  'a head of 100,000 bytes': [`${GET}X-A: ${'a'.repeat(100_000)}\r\n\r\n`, [431]],
  'a NUL': [`${GET}X-A: a\0b\r\n\r\n`, [400]],
  'a line without a colon': [`${GET}XA\r\n\r\n`, [400]],
  'a path without a slash': ['GET health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', [400, 505]],
  'a second request that is none': [
    `${POST}Content-Length: ${LENGTH}\r\n\r\n${BODY}GET /health HTTP/1.1\n\n`,
    [400, 505],
  ],
};

function refused({ statuses, closed, ms, text }: RawAnswer, allowed: readonly number[]): void {
  const shown = JSON.stringify(text.slice(0, 300));
  assert.ok(closed, `the connection is still open after ${Math.round(ms)} ms: ${shown}`);
  const last = statuses.at(-1);
  assert.ok(last !== undefined && allowed.includes(last), `expected ${allowed.join(' or ')}, got ${shown}`);
}

export function malformedHeads(attacked: AttackedNode, afterRestart: AfterRestart): void {
  for (const [what, rest] of Object.entries(FRAMINGS)) {
    test(`${what}: 400 and closed`, async () => {
      refused(await rawExchange(attacked.node.url, `${POST}${rest}`, 5_000), [400]);
    });
  }
  for (const [what, [head, statuses]] of Object.entries(HEADS)) {
    test(`${what}: ${statuses.join(' or ')} and closed`, async () => {
      refused(await rawExchange(attacked.node.url, Buffer.from(head, 'latin1'), 5_000), statuses);
    });
  }

  test('a content length of 4 GiB or more is refused before any of the body arrives', async () => {
    for (const length of [2 ** 32 + LENGTH, 2 ** 40, 10_000_000]) {
      const answer = await rawExchange(attacked.node.url, `${POST}Content-Length: ${length}\r\n\r\n`, 5_000);
      refused(answer, [413]);
    }
  });

  test('smuggled requests through a proxy are refused under load', async () => {
    const flood = Array.from({ length: 40 }, () =>
      attacked.rpc.batch(Array.from({ length: 50 }, () => ({ method: 'health', params: {} }))),
    );
    const pipelined = `${POST}Content-Length: ${LENGTH}\r\n\r\n${BODY}`.repeat(10_000);
    const many = rawExchange(attacked.node.url, pipelined, 3_000);
    const smuggled = `${POST}X-Forwarded-For: 10.0.0.1\r\n${FRAMINGS['two lengths, the second short']}`;
    for (let i = 0; i < 20; i++) refused(await rawExchange(attacked.node.url, smuggled, 5_000), [400]);
    await Promise.all([...flood, many]);
  });

  test('leave the node unchanged', async () => {
    await attacked.assertSound({ peakMiB: 512 });
  });

  afterRestart(() => {
    test('are refused', async () => {
      refused(await rawExchange(attacked.node.url, `${POST}${FRAMINGS['two lengths, equal']}`, 5_000), [400]);
    });
  });
}

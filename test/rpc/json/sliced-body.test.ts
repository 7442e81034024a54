import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RpcError } from '../../../src/rpc/errors.js';
import { bodyText, parseRpcBody, type RpcBody, type RpcRequest } from '../../../src/rpc/json/json-rpc.js';
import { JsonSource } from '../../../src/rpc/json/json-text.js';
import { bodyInSlices } from '../../../src/rpc/json/sliced-body.js';

const LIMITS = { maxNesting: 128, maxBatchCalls: 200 };
const takesText = (method: string): boolean => method === 'text';

/** The body as read, and the number of slices. */
function inSlices(body: Uint8Array): { readonly body: RpcBody; readonly slices: number } {
  const steps = bodyInSlices(body, LIMITS, takesText);
  for (let slices = 1; ; slices++) {
    const { done, value } = steps.next();
    if (done === true) return { body: value, slices };
  }
}

function outcome(read: () => RpcBody): unknown {
  try {
    const body = read();
    return Array.isArray(body) ? body.map(plain) : plain(body as RpcRequest);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return [error.kind, error.kind === 'parse_error' ? undefined : error.message];
  }
}

function plain({ id, method, params, error }: RpcRequest): unknown {
  const text = params instanceof JsonSource ? JSON.parse(params.text) : params;
  return { id, method, text, error: error?.message };
}

const request = (members: string) => `{"jsonrpc":"2.0","id":1${members}}`;
const long = `"${'x'.repeat(70_000)}"`;
const wide = `[${'1,'.repeat(40_000)}1]`;

describe('a body read in slices', () => {
  test('gives the same as one read at once', () => {
    const member = fc.oneof(
      fc.constantFrom(',"method":"text"', ',"method":"m"', ',"params":{}', `,"params":{"a":${long}}`),
      fc.constantFrom(`,"params":{"a":"é"}`, `,"params":[1,2]`, ',"other":[]', `,"id":"${'y'.repeat(300)}"`),
      fc.json().map((text) => `,"params":{"a":${text}}`),
    );
    const entry = fc.array(member, { maxLength: 3 }).map((members) => request(members.join('')));
    const batch = fc
      .array(fc.oneof(entry, fc.json()), { maxLength: 4 })
      .map((entries) => `[${entries.join(', ')}]`);
    const spoilt = fc.tuple(batch, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
    fc.assert(
      fc.property(fc.oneof(entry, batch, spoilt), (text) => {
        const bytes = Buffer.from(text);
        assert.deepEqual(
          outcome(() => inSlices(bytes).body),
          outcome(() => parseRpcBody(bodyText(bytes), LIMITS, takesText)),
        );
      }),
    );
  });

  test('keeps long parameters as text, with their number of values', () => {
    const params = `{"a":${wide}}`;
    for (const text of [
      request(`,"method":"m","params":${params}`),
      `[${request(`,"params":${params},"method":"m"`)}]`,
    ]) {
      const { body, slices } = inSlices(Buffer.from(text));
      const [only] = [body].flat() as RpcRequest[];
      assert.ok(only?.params instanceof JsonSource);
      assert.equal(only.params.text, params);
      assert.equal(only.params.values, 40_003);
      assert.ok(slices > 3, `${slices} slices`);
    }
  });

  test('refuses a batch that is too long with its number of calls', () => {
    const body = Buffer.from(`[${'{},'.repeat(99_999)}{}]`);
    assert.throws(
      () => inSlices(body),
      (error) => error instanceof RpcError && (error.details as { given?: number }).given === 100_000,
    );
  });

  test('examines only a few members of a long request', () => {
    const text = `[{${'"a":1,'.repeat(20_000)}"b":2},${request(',"method":"m"')}]`;
    const [first, second] = inSlices(Buffer.from(text)).body as readonly RpcRequest[];
    assert.equal(first?.error?.kind, 'invalid_request');
    assert.equal(second?.method, 'm');
  });

  test('accepts text beyond ASCII whatever pieces it is decoded in, and refuses invalid UTF-8', () => {
    const text = request(`,"method":"m","params":{"a":"${'é€😀'.repeat(30_000)}"}`);
    const { params } = inSlices(Buffer.from(text)).body as RpcRequest;
    assert.equal(
      params instanceof JsonSource ? params.text : JSON.stringify(params),
      JSON.stringify(JSON.parse(text).params),
    );
    const broken = Buffer.from(text);
    broken[90_001] = 0xff;
    assert.throws(
      () => inSlices(broken),
      (error) => error instanceof RpcError && error.kind === 'parse_error',
    );
  });
});

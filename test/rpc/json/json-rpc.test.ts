// The reader of request bodies, against the specification and against JSON.parse.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RpcError } from '../../../src/rpc/errors.js';
import { parseRpcBody, RpcRequest } from '../../../src/rpc/json/json-rpc.js';
import { sweep } from '../../support/sweep.js';

const LIMITS = { maxNesting: 128, maxBatchCalls: 200 };

function lone(text: string): RpcRequest {
  const body = parseRpcBody(text, LIMITS);
  assert.ok(body instanceof RpcRequest, 'a lone request');
  return body;
}

function refusal(text: string): RpcError {
  try {
    parseRpcBody(text, LIMITS);
  } catch (error) {
    assert.ok(error instanceof RpcError, String(error));
    return error;
  }
  return assert.fail(`${text} was taken`);
}

describe('a request object', () => {
  test('gives its id as written, its method and its params', () => {
    for (const id of [
      '1',
      '-0',
      '1.0',
      '1e3',
      '12345678901234567890123',
      '0.1E-7',
      '""',
      '"\\u0041\\"\\n"',
      'null',
    ]) {
      const request = lone(
        ` {"jsonrpc" : "2.0" , "id" : ${id} , "method" : "m" , "params" : {"a":[1,"]}"]} } `,
      );
      assert.equal(request.error, undefined);
      assert.equal(request.id, id);
      assert.equal(request.method, 'm');
      assert.deepEqual(request.params, { a: [1, ']}'] });
    }
  });

  test('may have an id of up to 256 bytes, of any characters', () => {
    const taken = [
      '1'.repeat(256),
      `-${'9'.repeat(255)}`,
      `"${'x'.repeat(256)}"`,
      `"${'\u00e9'.repeat(128)}"`,
    ];
    for (const id of taken) {
      for (const text of [
        `{"jsonrpc":"2.0","id":${id},"method":"m"}`,
        `{"id": ${id} ,"method":"m","jsonrpc":"2.0"}`,
      ]) {
        assert.equal(lone(text).error, undefined, id);
        assert.equal(lone(text).id, id);
      }
    }
    const refused = [
      '1'.repeat(257),
      '1'.repeat(1_000_000),
      `-${'9'.repeat(256)}`,
      `0.${'0'.repeat(255)}`,
      `"${'x'.repeat(257)}"`,
      `"${'\u00e9'.repeat(129)}"`,
      `"${'\u20ac'.repeat(86)}"`,
      `"${'\\u0041'.repeat(43)}"`,
      `"${'x'.repeat(3_000_000)}"`,
    ];
    for (const id of refused) {
      const text = `{"jsonrpc":"2.0","id":${id},"method":"m"}`;
      const alone = lone(text);
      const batch = parseRpcBody(`[${text},{"jsonrpc":"2.0","id":1,"method":"m"}]`, LIMITS);
      assert.ok(Array.isArray(batch));
      for (const request of [alone, batch[0] as RpcRequest]) {
        assert.equal(request.id, 'null');
        assert.equal(request.error?.kind, 'invalid_request');
        assert.deepEqual(request.error.details, { member: 'id' });
        assert.match(request.error.message, /^id: at most 256 bytes, got \d+$/);
      }
      assert.equal((batch[1] as RpcRequest).error, undefined);
    }
  });

  test('without an id is a notification', () => {
    assert.equal(lone('{"jsonrpc":"2.0","method":"m"}').id, undefined);
  });

  test('may write its members and its version with escapes', () => {
    const request = lone('{"json\\u0072pc":"2\\u002e0","\\u0069d":7,"method":"\\u006d"}');
    assert.equal(request.error, undefined);
    assert.equal(request.id, '7');
    assert.equal(request.method, 'm');
  });

  const invalid: readonly (readonly [what: string, text: string, id: string, member: string | undefined])[] =
    [
      ['without a version', '{"id":1,"method":"m"}', '1', 'jsonrpc'],
      ['of another version', '{"jsonrpc":"1.0","id":1,"method":"m"}', '1', 'jsonrpc'],
      ['with a version that is a number', '{"jsonrpc":2.0,"id":1,"method":"m"}', '1', 'jsonrpc'],
      ['without a method', '{"jsonrpc":"2.0","id":"x"}', '"x"', 'method'],
      ['with a method that is no string', '{"jsonrpc":"2.0","id":1,"method":1}', '1', 'method'],
      ['with an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"m"}', 'null', 'id'],
      ['with an id that is a boolean', '{"jsonrpc":"2.0","id":true,"method":"m"}', 'null', 'id'],
      [
        'with params that are a string',
        '{"jsonrpc":"2.0","id":1,"method":"m","params":"bar"}',
        '1',
        'params',
      ],
      ['with params that are null', '{"jsonrpc":"2.0","id":1,"method":"m","params":null}', '1', 'params'],
      ['with a member twice', '{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}', '1', 'method'],
      ['with a member that does not exist', '{"jsonrpc":"2.0","id":1,"method":"m","parms":{}}', '1', 'parms'],
      ['of no members', '{}', 'null', 'jsonrpc'],
    ];
  for (const [what, text, id, member] of invalid) {
    test(`${what} is invalid`, () => {
      const request = lone(text);
      assert.equal(request.error?.kind, 'invalid_request');
      assert.equal(request.id, id);
      assert.equal((request.error.details as { member?: string }).member, member);
    });
  }

  test('with a misspelt member is told the right name', () => {
    const { error } = lone('{"jsonrpc":"2.0","id":1,"method":"m","parms":{}}');
    assert.deepEqual(error?.details, { member: 'parms', suggestion: 'params' });
  });

  test('that nests too deep is refused under its own id, at any depth', () => {
    for (const depth of [LIMITS.maxNesting + 1, 100_000, 2_000_000]) {
      const request = lone(
        `{"params":{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}},"jsonrpc":"2.0","id":5,"method":"m"}`,
      );
      assert.equal(request.id, '5');
      assert.equal(request.error?.kind, 'limit_exceeded');
    }
    const request = lone(
      `{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":${'['.repeat(127)}${']'.repeat(127)}}}`,
    );
    assert.equal(request.error, undefined);
  });

  test('keeps the last of several params members, as JSON.parse does', () => {
    assert.deepEqual(lone('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"a":2}}').params, { a: 2 });
  });

  test('cannot change prototypes through its members', () => {
    const request = lone('{"jsonrpc":"2.0","id":1,"method":"m","__proto__":{"x":1}}');
    assert.equal(request.error?.kind, 'invalid_request');
    const { params } = lone('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1}}}');
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(Object.keys(params as object), ['__proto__']);
  });
});

describe('a batch', () => {
  test('is its requests in order, with invalid ones in place', () => {
    const body = parseRpcBody(
      '[{"jsonrpc":"2.0","id":1,"method":"a"},1,[],{"jsonrpc":"2.0","method":"b"}]',
      LIMITS,
    );
    assert.ok(Array.isArray(body));
    const requests = body as readonly RpcRequest[];
    assert.deepEqual(
      requests.map(({ id, method, error }) => [id, method, error?.kind]),
      [
        ['1', 'a', undefined],
        ['null', '', 'invalid_request'],
        ['null', '', 'invalid_request'],
        [undefined, 'b', undefined],
      ],
    );
  });

  test('that is empty is invalid', () => {
    assert.equal(refusal(' [ ] ').kind, 'invalid_request');
  });

  test('beyond the limit is refused with its number of calls', () => {
    const error = refusal(`[${Array(1_234).fill('{"jsonrpc":"2.0","id":1,"method":"a"}').join(',')}]`);
    assert.equal(error.kind, 'limit_exceeded');
    assert.deepEqual(error.details, { subject: 'batch_calls', limit: 200, given: 1_234 });
  });

  test('of exactly the limit is accepted', () => {
    const body = parseRpcBody(
      `[${Array(200).fill('{"jsonrpc":"2.0","id":1,"method":"a"}').join(',')}]`,
      LIMITS,
    );
    assert.equal(Array.isArray(body) ? body.length : 0, 200);
  });

  test('of a great many values is refused without being stored', () => {
    assert.equal(refusal(`[${'1,'.repeat(1_000_000)}1]`).kind, 'limit_exceeded');
  });
});

describe('a body that is not JSON', () => {
  const broken = [
    '',
    ' ',
    '{',
    '[',
    '{"jsonrpc"',
    '{"jsonrpc":',
    '{"jsonrpc":"2.0",}',
    '{"jsonrpc":"2.0" "id":1}',
    '{jsonrpc:"2.0"}',
    "{'jsonrpc':'2.0'}",
    '{"id":01}',
    '{"id":1.}',
    '{"id":+1}',
    '{"id":.5}',
    '{"id":1e}',
    '{"id":NaN}',
    '{"id":tru}',
    '{"id":nulll}',
    '{"id":"\u0001"}',
    '{"id":"\\x"}',
    '{"id":"\\u12"}',
    '{"id":"unterminated}',
    '{"params":[}]}',
    '{"params":{"a":1]}',
    '{"params":{"a" 1}}',
    '{"params":[1,]}',
    '{"extra":[1,]}',
    '{}{}',
    '[]]',
    '[{}',
    '[{},',
    '[{},]',
    '[1 2]',
    '1 2',
    'nonsense',
    '\ufeff{}',
    '{"a":1}\u0000',
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
  ];
  for (const text of broken) {
    test(`${JSON.stringify(text)} is a parse error`, () => {
      assert.throws(() => JSON.parse(text), 'the example is not JSON');
      const error = refusal(text);
      assert.equal(error.kind, 'parse_error');
      assert.match(error.message, /at position \d+/);
    });
  }

  test('is distinguished from JSON that is not a request', () => {
    for (const text of ['1', '"x"', 'null', 'true', '-1.5e3']) {
      assert.equal(refusal(text).kind, 'invalid_request');
    }
  });
});

describe('any text', () => {
  test('parses exactly as JSON.parse does', () => {
    const member = fc.constantFrom('jsonrpc', 'id', 'method', 'params');
    const requests = fc.dictionary(member, fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(requests, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const request = lone(text);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const { id, method, params } = parsed;
        if (id === null || typeof id === 'string' || typeof id === 'number') {
          assert.deepEqual(JSON.parse(request.id ?? ''), id);
        }
        if (request.error !== undefined) return;
        assert.equal(parsed['jsonrpc'], '2.0');
        assert.equal(request.method, method);
        assert.deepEqual(request.params, params);
      }),
      { numRuns: sweep(200) },
    );
  });

  test('with well-formed members is always a valid request', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        (id, method, params) => {
          const request = lone(JSON.stringify({ params, id, jsonrpc: '2.0', method }));
          assert.equal(request.error, undefined);
          assert.equal(request.id, JSON.stringify(id));
          assert.equal(request.method, method);
          assert.deepEqual(request.params, JSON.parse(JSON.stringify(params)));
        },
      ),
      { numRuns: sweep(200) },
    );
  });

  test('that is damaged is refused exactly if JSON.parse refuses it', () => {
    const good =
      '[{"jsonrpc":"2.0","id":-1.5e3,"method":"m\\n","params":{"a":[true,null,"x\\u0041"],"b":{}}}]';
    const noise = fc.constantFrom(...'{}[]",:\\ 0123456789.eE+-truefalsn\u0000\u001f\u00e9\n');
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(3), fc.array(noise, { maxLength: 3 }), (at, drop, insert) => {
        const text = good.slice(0, at) + insert.join('') + good.slice(at + drop);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        let kind: string | undefined;
        try {
          parseRpcBody(text, LIMITS);
        } catch (error) {
          assert.ok(error instanceof RpcError, String(error));
          kind = error.kind;
        }
        assert.equal(kind === 'parse_error', !isJson, text);
      }),
      { numRuns: sweep(2_000) },
    );
  });
});

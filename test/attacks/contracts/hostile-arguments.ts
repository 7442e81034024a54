// Hostile JSON in every position of a call's parameters is refused as a caller error or does no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../src/load/workload.js';
import { hex } from '../../outside/bytes.js';
import { RpcClient } from '../../outside/rpc.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const AT = `0x${'c0'.repeat(20)}`;
const HOLDER = '0x8628ebcb49f661e121feae211f22d5bc9d704dc1';
const IDL = `
struct Point { x: u64; y: i64; }
enum Shape { Nothing, Dot: Point, Line: Point[] }
contract Hostile {
  view look(owner: address, amount: u128, name: string, raw: bytes, shape: Shape, points: Point[], flag?: bool) -> u8;
}`;
const ZERO = hex(
  assemble({
    imports: ['set_output'],
    memory: [1, 1],
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 1; call set_output; i32.const 0' },
    ],
  }),
);
const args = {
  owner: HOLDER,
  amount: '7',
  name: 'n',
  raw: '0x00',
  shape: { type: 'line', value: [{ x: 1, y: '-1' }] },
  points: [{ x: 1, y: 2 }],
  flag: true,
};
const overrides = [
  {
    address: AT,
    code: `0x${ZERO}`,
    idl: IDL,
    balance: '1',
    slots: [{ slot: `0x${'00'.repeat(32)}`, value: '0x01' }],
  },
];
const block_override = { height: 5, timestamp_ms: 7, base_fee: '1' };
const view = { contract: AT, method: 'look', args, overrides, block_override, gas_limit: 1_000_000 };
const action = { type: 'call', value: { contract: AT, method: 'look', args } };
const build = { sender: HOLDER, action, gas_limit: 1_000_000 };

const CALLS = [
  { method: 'view_call', params: { ...view, at: { type: 'height', value: 0 }, caller: HOLDER, value: '0' } },
  { method: 'chain_traceCall', params: { ...view, tracers: [{ type: 'call_tree' }, { type: 'prestate' }] } },
  { method: 'tx_simulate', params: { build, overrides, block_override, idl: IDL } },
  { method: 'tx_simulate_trace', params: { build, overrides, tracers: [{ type: 'host_ops' }] } },
  {
    method: 'tx_simulate_pipeline',
    params: { steps: [{ type: 'view', value: view }], overrides },
  },
  {
    method: 'chain_traceTransaction',
    params: { tx_hash: '00'.repeat(32), tracers: [{ type: 'call_tree' }] },
  },
  { method: 'accounts', params: { addresses: [HOLDER, AT] } },
  {
    method: 'get_logs',
    params: { contract: AT, topics: [[`0x${'00'.repeat(32)}`]], from_height: 0, limit: 3 },
  },
  { method: 'state_proof', params: { contract: HOLDER, at: { type: 'height', value: 0 } } },
  { method: 'list_blocks', params: { limit: 2 } },
];

const nested = (depth: number, open: string, close: string, inside: string): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** JSON texts as a client could send them. */
const HOSTILE: readonly string[] = [
  ...['1e400', '-1e400', '1e-400', '-0', '0.1', '1e2', '-1', '4294967296', '9007199254740993'],
  ...['18446744073709551616', `1${'0'.repeat(400)}`, '"1e3"', '" 1"', '"0b1"', '"-5"', '"+5"', '"٣"'],
  ...['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\u2028"', '""', '"0x"', '"0xg"', '"0x0"', '"NaN"'],
  ...['null', 'true', '[]', '{}', '[null]', '{"length":4294967295}', '{"toJSON":1,"valueOf":2}'],
  ...['{"__proto__":{"type":"transfer"}}', '{"__proto__":null}', '{"constructor":{"prototype":{"x":1}}}'],
  ...['{"type":"__proto__","value":1}', '{"type":"toString"}', '{"type":"call","type":"transfer"}'],
  ...['"__proto__"', '"constructor"', '"hasOwnProperty"', '"toString"', `"${'x'.repeat(70_000)}"`],
  ...[`"0x${'ab'.repeat(40_000)}"`, nested(9_000, '[', ']', ''), nested(400, '{"a":', '}', '1')],
  ...[
    `[${Array.from({ length: 9_000 }, () => '0').join()}]`,
    `{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":0`).join()}}`,
  ],
];

/** A call's parameters as JSON with one position replaced. */
function* hostileParams(params: object): Generator<string> {
  for (const path of pathsOf(params)) {
    const text = JSON.stringify(replaced(params, path, MARK));
    for (const hostile of HOSTILE) yield text.replace(`"${MARK}"`, () => hostile);
    const value = path.reduce<unknown>((at, name) => Reflect.get(at as object, name), params);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const [first = 'a'] = Object.keys(value);
    for (const name of ['__proto__', 'constructor', 'toString', first]) {
      const more = JSON.stringify(value).replace('{', () => `{${JSON.stringify(name)}:{"a":1},`);
      yield text.replace(`"${MARK}"`, () => more);
    }
  }
}

const MARK = 'here something else';

function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pathsOf(member, [...path, name]);
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
  Reflect.set(copy as object, name, replaced(Reflect.get(value as object, name), rest, by));
  return copy;
}

export function hostileArguments(attacked: AttackedNode): void {
  interface Answer {
    readonly jsonrpc?: unknown;
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly message: string; readonly data?: { readonly kind?: string } };
  }

  test('hostile JSON anywhere in the parameters is refused as a caller error or does no harm', async (t) => {
    const random = seededRandom(3);
    const kinds = new Map<string, number>();
    for (const { method, params } of CALLS) {
      const [sound] = await attacked.rpc.batch([{ method, params }]);
      assert.ok(sound !== undefined);
      if ('failure' in sound) assert.equal(sound.failure.data.kind, 'not_found', String(sound.failure));
      const all = [...hostileParams(params)];
      const some = all.filter(() => random() < Math.min(1, 220 / all.length));
      for (let at = 0; at < some.length; at += 20) {
        await Promise.all(some.slice(at, at + 20).map((text) => ask(method, text, kinds)));
      }
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(kinds)));
    assert.ok((kinds.get('invalid_params') ?? 0) > 500 && (kinds.get('result') ?? 0) > 20);
    assert.doesNotMatch(attacked.node.log, /internal error/);
    await attacked.assertSound({ peakMiB: 1_200 });
  });

  async function ask(method: string, params: string, kinds: Map<string, number>): Promise<void> {
    const shown = `${method} ${params.slice(0, 400)}`;
    const { body } = await attacked.rpc.post(
      `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`,
    );
    const answer = JSON.parse(body.toString()) as Answer;
    assert.equal(answer.jsonrpc, '2.0');
    const kind = answer.error === undefined ? 'result' : (answer.error.data?.kind ?? 'none');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    assert.ok(kind !== 'internal_error' && kind !== 'none', `${shown}: ${JSON.stringify(answer)}`);
    if (kind !== 'parse_error' && kind !== 'invalid_request') assert.equal(answer.id, 7, shown);
  }

  test('names of inherited object properties are not accepted as members, kinds or methods', async () => {
    const rpc = new RpcClient(attacked.node.url);
    try {
      for (const name of ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
        const asked = [
          { method: name, params: {} },
          { method: 'view_call', params: { ...view, method: name } },
          { method: 'chain_traceCall', params: { ...view, tracers: [{ type: name }] } },
          { method: 'view_call', params: { ...view, at: { type: name, value: 1 } } },
          { method: 'tx_simulate', params: { build: { ...build, action: { type: name, value: {} } } } },
          { method: 'view_call', params: { ...view, args: { ...args, shape: { type: name, value: 1 } } } },
        ];
        for (const [place, entry] of (await rpc.batch(asked)).entries()) {
          assert.ok('failure' in entry, `${name}: ${JSON.stringify(asked[place])}`);
          assert.match(String(entry.failure.data.kind), /^(invalid_params|method_not_found)$/);
        }
      }
    } finally {
      rpc.close();
    }
  });
}

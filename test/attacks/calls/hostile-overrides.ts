// Overrides and traces of the maximum size, number and depth are answered or refused in bounded time and memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { hostileModules } from '../../support/forged/hostile-modules.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const HOLDER = '0x8628ebcb49f661e121feae211f22d5bc9d704dc1';
const MOST_U64 = '18446744073709551615';
const MOST_U128 = '340282366920938463463374607431768211455';
/** Time limit of a call, plus slack for a busy machine. */
const PATIENCE_MS = 20_000;
const STATUS_MS = 1_500;

const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const bytes32 = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const invoke = (code: string, imports: readonly string[] = []): string =>
  `0x${hex(assemble({ imports, memory: [1, 1], functions: [{ name: 'invoke', type: '>i', code }] }))}`;

const AT = address(0xc0ffee);
const TRIVIAL = invoke('i32.const 0');
/** Calls itself at every depth until its gas is used up. */
const TREE = invoke(
  `i32.const 0; call self
   loop; i32.const 0; i32.const 64; i64.const -1; i32.const 128; i32.const 0; call call; drop; br 0; end; i32.const 0`,
  ['call', 'self'],
);
const viewsIdl = (count: number): string =>
  `contract A { ${times(count, (n) => `view f${n}(a: u8) -> u8;`).join(' ')} }`;
const nestedIdl = (depth: number): string =>
  `${times(depth, (n) => `struct S${n} { a: ${n === 0 ? 'u8' : `S${n - 1}`}; b: ${n === 0 ? 'u8' : `S${n - 1}`}; }`).join('\n')}
   contract A { view f(a: S${depth - 1}) -> S${depth - 1}; }`;

type Call = readonly [method: string, params: object];

const view = (overrides: readonly object[], more: object = {}): Call => [
  'view_call',
  { contract: AT, input: '0x', overrides: [{ address: AT, code: TRIVIAL }, ...overrides], ...more },
];
const tree = { contract: AT, input: '0x', overrides: [{ address: AT, code: TREE }] };
const build = (action: object) => ({ sender: HOLDER, gas_limit: 50_000_000, action });
const call = { type: 'call', value: { contract: AT, input: '0x' } };
const transferAll = { type: 'transfer', value: { to: AT, amount: MOST_U128 } };
const rich = [HOLDER, AT].map((name) => ({ address: name, balance: MOST_U128 }));
const lastBlock = { height: MOST_U64, timestamp_ms: MOST_U64, base_fee: MOST_U128 };

const CALLS: Readonly<Record<string, Call>> = {
  'the balances of 10,000 accounts': view(times(10_000, (n) => ({ address: address(n + 1), balance: '5' }))),
  '11,000 slots of one account': view([
    { address: address(1), slots: times(11_000, (n) => ({ slot: bytes32(n), value: '0x01' })) },
  ]),
  'slots of 16 KiB': view([
    {
      address: address(1),
      slots: times(30, (n) => ({ slot: bytes32(n), value: `0x${'ab'.repeat(16_384)}` })),
    },
  ]),
  'a slot that is too large': view([
    { address: address(1), slots: [{ slot: bytes32(0), value: `0x${'ab'.repeat(16_385)}` }] },
  ]),
  'one address twice': view([{ address: address(1) }, { address: address(1) }]),
  '2,000 contracts': view(
    times(2_000, (n) => ({ address: address(n + 1), code: invoke(`i32.const ${n}; drop; i32.const 0`) })),
  ),
  'an interface of 2,400 methods': view([{ address: address(1), idl: viewsIdl(2_400) }]),
  'fifteen such interfaces': view(times(15, (n) => ({ address: address(n + 1), idl: viewsIdl(2_400 - n) }))),
  'an interface of structs 1,000 deep': view([{ address: address(1), idl: nestedIdl(1_000) }]),
  'arguments that double with each of 30 levels': [
    'view_call',
    {
      contract: AT,
      method: 'f',
      args: [{}],
      overrides: [{ address: AT, code: TRIVIAL, idl: nestedIdl(30) }],
    },
  ],
  'the last block there could be': view([], { block_override: lastBlock }),
  'a simulation in it': ['tx_simulate', { build: build(call), block_override: lastBlock }],
  'balances that add up to more than there is': [
    'tx_simulate',
    { build: build(transferAll), overrides: rich },
  ],
  'a tree of calls, traced by all': [
    'chain_traceCall',
    {
      ...tree,
      tracers: ['call_tree', 'host_ops', 'gas_profile', 'state_diff', 'prestate'].map((type) => ({ type })),
    },
  ],
  'a tree of calls, simulated': ['tx_simulate', { build: build(call), overrides: tree.overrides }],
  'a tree of calls, simulated and traced': [
    'tx_simulate_trace',
    {
      build: build(call),
      overrides: tree.overrides,
      tracers: [{ type: 'call_tree' }, { type: 'gas_profile' }],
    },
  ],
  'a pipeline of such trees': [
    'tx_simulate_pipeline',
    {
      steps: times(64, () => ({ type: 'view', value: { ...tree, overrides: undefined } })),
      overrides: tree.overrides,
    },
  ],
};

/** @param every how many of the hostile modules one is tried */
export function hostileOverrides(attacked: AttackedNode, every: number): void {
  test('hostile overrides and traces are answered or refused in bounded time while other calls continue', async (t) => {
    const modules = [...hostileModules(2_000)].filter((_, place) => place % every === 0);
    const calls = new Map(Object.entries(CALLS));
    for (const [name, code] of modules) {
      calls.set(`module: ${name}`, view([{ address: address(77), code: `0x${hex(code)}` }]));
    }
    const status = new StatusWatch(attacked.node.url);
    const came = new Map<string, number>();
    const answer = async (what: string, [method, params]: Call): Promise<void> => {
      const begin = performance.now();
      let kind = 'result';
      try {
        await attacked.rpc.call(method, params);
      } catch (error) {
        assert.ok(error instanceof RpcFailure, `${what}: ${String(error)}`);
        kind = String(error.data.kind);
      }
      came.set(kind, (came.get(kind) ?? 0) + 1);
      const ms = performance.now() - begin;
      assert.match(kind, /^(result|invalid_params|limit_exceeded|timeout|transaction_rejected)$/, what);
      assert.ok(ms < PATIENCE_MS, `${what}: ${Math.round(ms)} ms`);
    };
    let longest = 0;
    for (const [what, call] of calls) {
      // A call that blocks the node does so every time, a machine that stalls does not.
      for (let trial = 1; ; trial++) {
        await answer(what, call);
        const ms = await status.longestMs();
        longest = Math.max(longest, ms);
        if (ms < STATUS_MS) break;
        assert.ok(trial < 3, `${what}: status took ${Math.round(ms)} ms, three times in a row`);
      }
    }
    await status.end();
    t.diagnostic(`${JSON.stringify(Object.fromEntries(came))}, status within ${Math.round(longest)} ms`);
    assert.ok((came.get('result') ?? 0) > 8 && (came.get('invalid_params') ?? 0) > 3);
    assert.doesNotMatch(attacked.node.log, /internal error/);
    await attacked.assertSound({ peakMiB: 1_200 });
  });

  /** Polls `status` continuously and records the slowest response. */
  class StatusWatch {
    readonly #rpc: RpcClient;
    readonly #watching: Promise<void>;
    #isOver = false;
    #longest = 0;
    #poll: Promise<unknown> = Promise.resolve();

    constructor(url: string) {
      this.#rpc = new RpcClient(url);
      this.#watching = this.#watch();
      this.#watching.catch(() => undefined);
    }

    /** Longest response time since the last call of this, with that of the request in flight. */
    async longestMs(): Promise<number> {
      await this.#poll;
      const longest = this.#longest;
      this.#longest = 0;
      return longest;
    }

    async end(): Promise<void> {
      this.#isOver = true;
      await this.#watching;
      this.#rpc.close();
    }

    async #time(): Promise<void> {
      const begin = performance.now();
      await this.#rpc.call('status');
      this.#longest = Math.max(this.#longest, performance.now() - begin);
    }

    async #watch(): Promise<void> {
      while (!this.#isOver) {
        this.#poll = this.#time();
        await this.#poll;
        await sleep(10);
      }
    }
  }
}

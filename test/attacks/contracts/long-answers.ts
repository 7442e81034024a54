// A short request cannot produce a long response: a response beyond the limit is never built.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { concat, hex } from '../../outside/bytes.js';
import { contractAddress } from '../../outside/counter-contract.js';
import { RpcFailure } from '../../outside/rpc.js';
import { devWallet, signTransaction } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { deployment } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';

/** Sends nothing else. */
const WALLET = devWallet(8);
const CONTRACT = contractAddress(WALLET.address, 0n);
const AT = `0x${'c0'.repeat(20)}`;
const MOST = 16 * 1024 * 1024;
/** Bytes of the response envelope around a result. */
const ENVELOPE = 4_096;
const LIMIT = { code: -32005, subject: 'answer_bytes', limit: MOST };

/** Emits `events` events of `bytes` bytes each under the first topic, then writes `slots` slots, then answers with `output` bytes. */
function talkative(talk: { events?: number; bytes?: number; slots?: number; output?: number }): Uint8Array {
  const { events = 0, bytes = 0, slots = 0, output = 0 } = talk;
  return assemble({
    imports: ['emit', 'storage_write', 'set_output'],
    memory: [2, 2],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `
          i32.const ${events}; local.set 0
          block; loop
            local.get 0; i32.eqz; br_if 1
            i32.const 65536; i32.const 1; i32.const 0; i32.const ${bytes}; call emit
            local.get 0; i32.const 1; i32.sub; local.set 0; br 0
          end; end
          i32.const ${slots}; local.set 0
          block; loop
            local.get 0; i32.eqz; br_if 1
            i32.const 70000; local.get 0; i32.store
            i32.const 0; i32.const 1; i32.store8
            i32.const 70000; i32.const 0; i32.const 16384; call storage_write
            local.get 0; i32.const 1; i32.sub; local.set 0; br 0
          end; end
          i32.const 0; i32.const ${output}; call set_output
          i32.const 0`,
      },
    ],
    data: [{ at: 65_536, bytes: TOPIC }],
  });
}

/** Interfaces with which a few bytes decode to very many values, or to values with long names. */
const LONG_NAME = `Name${'x'.repeat(30_000)}`;
const LEVELS = Array.from(
  { length: 24 },
  (_, level) =>
    `struct Level${level + 1} { ${[...'abcdefgh'].map((field) => `${field}: Level${level};`).join(' ')} }`,
).join('\n');
const NAMES_IDL = `enum Named { ${LONG_NAME} }\ncontract Names { view get() -> Named[]; event Told { names: Named[]; } }`;
const LEVELS_IDL = `struct Level0 { }\n${LEVELS}\ncontract Levels { view get() -> Level24; event Told { all: Level24; } event Indexed { indexed all: Level24; } error Wrong { all: Level24; } }`;
const TOPIC = sha256('Levels.Told(Level24)');
const selector = (signature: string) => sha256(signature).subarray(0, 4);

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

export function longAnswers(attacked: AttackedNode, afterRestart: AfterRestart): void {
  interface Answer {
    readonly bytes: number;
    readonly failure: RpcFailure | undefined;
    readonly result: unknown;
  }

  async function ask(method: string, params: object): Promise<Answer> {
    const answer = await attacked.rpc.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const { error, result } = JSON.parse(answer.body.toString());
    const failure =
      error === undefined ? undefined : new RpcFailure(error.code, error.message, error.data, answer.status);
    return { bytes: answer.body.length, failure, result };
  }

  /** Asserts that the response either fits or is refused only for its length. */
  function assertBounded(what: string, { bytes, failure }: Answer): void {
    assert.ok(bytes <= MOST + ENVELOPE, `${what}: ${bytes} bytes`);
    if (failure === undefined) return;
    const { code, data } = failure;
    assert.deepEqual(
      { code, subject: data['subject'], limit: data['limit'] },
      LIMIT,
      `${what}: ${failure.message}`,
    );
  }

  function override(code: Uint8Array, idl?: string): object {
    return { address: AT, code: `0x${hex(code)}`, ...(idl === undefined ? {} : { idl }) };
  }

  const CALLER = `0x${hex(devWallet(0).address)}`;
  const call = { type: 'call', value: { contract: AT, input: '0x' } };
  const build = { sender: CALLER, action: call, gas_limit: 1_000_000_000 };
  const loud = talkative({ events: 6_000, bytes: 16_384 });
  const often = talkative({ events: 60, bytes: 16_000 });
  const writing = talkative({ slots: 4_000 });

  async function attack(): Promise<void> {
    const overrides = [override(loud)];
    assertBounded('view_call', await ask('view_call', { contract: AT, input: '0x', overrides }));
    assertBounded('tx_simulate', await ask('tx_simulate', { build, overrides }));
    assertBounded('state diff', await ask('tx_simulate', { build, overrides: [override(writing)] }));
    assertBounded('access', await ask('tx_simulate_access', { build, overrides: [override(writing)] }));
    for (const tracers of [
      [{ type: 'call_tree' }],
      ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'].map((type) => ({ type })),
    ]) {
      for (const code of [loud, often, writing]) {
        const given = [override(code)];
        assertBounded(
          'trace',
          await ask('chain_traceCall', { contract: AT, input: '0x', overrides: given, tracers }),
        );
        assertBounded('trace', await ask('tx_simulate_trace', { build, overrides: given, tracers }));
      }
    }
    // Each step alone is allowed.
    const step = { type: 'view', value: { contract: AT, input: '0x' } };
    const steps = Array.from({ length: 64 }, () => step);
    const pipeline = await ask('tx_simulate_pipeline', { steps, overrides: [override(often)] });
    assertBounded('pipeline', pipeline);
    assert.ok(pipeline.failure !== undefined, '64 steps of 2 MB each have no answer');
    const transactions = Array.from({ length: 3 }, () => ({ type: 'tx', value: { build } }));
    assertBounded(
      'pipeline',
      await ask('tx_simulate_pipeline', { steps: transactions, overrides: [override(writing)] }),
    );

    // The calls are sent concurrently, then in one batch.
    const many = await Promise.all(
      Array.from({ length: 8 }, () => ask('view_call', { contract: AT, input: '0x', overrides })),
    );
    for (const each of many) assertBounded('side by side', each);
    const batch = await attacked.rpc.post(
      JSON.stringify(
        Array.from({ length: 20 }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'view_call',
          params: { contract: AT, input: '0x', overrides: [override(often)] },
        })),
      ),
    );
    assert.ok(batch.body.length <= MOST + 20 * ENVELOPE, `a batch has ${batch.body.length} bytes`);

    await amplify();
    await attacked.assertSound({ peakMiB: 900 });
  }

  /** Sends calls whose interfaces expand few bytes into long decoded values; such bytes stay raw. */
  async function amplify(): Promise<void> {
    const names = selector('Names.get()');
    const list = talkative({ output: 60_000 });
    for (const [idl, input] of [
      [NAMES_IDL, names],
      [LEVELS_IDL, selector('Levels.get()')],
    ] as const) {
      for (const code of [talkative({ output: 0 }), list, talkative({ events: 200, bytes: 4_000 })]) {
        const overrides = [override(code, idl)];
        const params = { contract: AT, input: `0x${hex(input)}`, overrides };
        assertBounded('decoded', await ask('view_call', params));
        assertBounded('decoded trace', await ask('chain_traceCall', params));
        const action = { type: 'call', value: { contract: AT, input: params.input } };
        assertBounded('decoded', await ask('tx_simulate', { build: { ...build, action }, overrides }));
      }
    }
  }

  test('responses stay within the limit for every kind of request', attack);

  test('events that decode to long values do not delay clients that list them', async () => {
    const { chain_id: chainId } = (await attacked.rpc.call('status')) as { chain_id: number };
    const base = { chainId: BigInt(chainId), gasLimit: 90_000_000n, priorityFee: 1_000_000n };
    const deploy = signTransaction(WALLET, {
      ...base,
      nonce: 0n,
      action: deployment(talkative({ events: 100, bytes: 0 }), LEVELS_IDL),
    });
    const told = signTransaction(WALLET, {
      ...base,
      nonce: 1n,
      action: {
        type: 'call',
        value: { contract: CONTRACT, input: concat(selector('Levels.get()')), value: 0n },
      },
    });
    for (const { encoded } of [deploy, told]) {
      const params = { encoded, wait: { type: 'included' }, timeout_ms: 20_000 };
      const { failure, result } = await ask('tx_submit', params);
      assert.equal(failure, undefined);
      assert.match(JSON.stringify(result), /"type":"success"/);
    }
    const at = `0x${hex(CONTRACT)}`;
    const asked: readonly (readonly [string, object])[] = [
      ['get_logs', { contract: at }],
      ['get_logs', {}],
      ['list_txs', {}],
      ['list_txs_by_contract', { contract: at }],
      ['tx_receipt', { tx_hash: told.hash }],
      ['tx_receipt', { tx_hash: told.hash, with_proof: true }],
      ['chain_traceTransaction', { tx_hash: told.hash }],
      ['get_txs_in_range', { from_height: 0, to_height: 1_000 }],
    ];
    for (const [method, params] of [...asked, ...asked]) {
      const answer = await ask(method, params);
      assert.equal(answer.failure, undefined, method);
      assertBounded(method, answer);
    }
    await attacked.assertSound({ peakMiB: 900 });
  });

  afterRestart(() => {
    test('events that decode to long values do not delay clients', async () => {
      await amplify();
      const { result } = await ask('get_logs', { contract: `0x${hex(CONTRACT)}`, limit: 1_000 });
      assert.equal((result as { logs: unknown[] }).logs.length, 100);
      await attacked.assertSound({ peakMiB: 900 });
    });
  });
}

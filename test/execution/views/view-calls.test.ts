import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALICE, BOB } from '../../support/actions.js';
import { PROBE } from '../../support/contracts/assembled-contracts.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { text } from '../../support/hex.js';
import { ContractNode, FIRST_TIME_MS, token, type ViewResult } from '../../support/nodes/contract-node.js';
import { spread } from '../../support/sweep.js';

const NOBODY = `0x${'77'.repeat(20)}`;
const ZERO_SLOT = '00'.repeat(32);

const SETTINGS = [
  { native: 'auto', workers: '1' },
  { native: 'off', workers: '2' },
];

for (const flags of spread(SETTINGS, 1)) {
  describe(`view calls, --native ${flags.native} --workers ${flags.workers}`, () => {
    let world: ContractNode;
    /**
     * Hashes of three payments in block 2, which take bob's balance to 10, 30 and 35; a fourth in block 3 takes it to
     * 135.
     */
    let payments: readonly string[];

    before(async () => {
      world = await ContractNode.start(flags);
      payments = await world.seal([world.pay(10), world.pay(20), world.pay(5)]);
      await world.seal([world.pay(100)]);
    });
    after(() => world?.stop());

    const at = (type: string, value?: unknown) => ({
      at: { type, ...(value === undefined ? {} : { value }) },
    });
    const hashOf = async (height: number): Promise<string> => {
      const { blocks } = (await world.rpc.call('get_block_summaries', {
        from_height: height,
        to_height: height,
      })) as { readonly blocks: readonly { readonly hash: string }[] };
      return blocks[0]?.hash ?? assert.fail();
    };

    test('by name and raw give the same result and gas', async () => {
      const named = await world.view({ contract: world.token, method: 'balance_of', args: { owner: BOB } });
      assert.deepEqual(named.status, { type: 'success', value: null });
      assert.equal(named.decoded, '135');
      assert.equal(named.height, 3);
      assert.equal(named.block_hash, await hashOf(3));
      assert.ok(named.gas_used > 0);
      assert.deepEqual(named.logs, []);
      const input = text(token.function('balance_of').encodeCall([BOB]));
      assert.deepEqual(await world.view({ contract: world.token, input }), named);
      assert.deepEqual(await world.view({ contract: world.token, method: 'balance_of', args: [BOB] }), named);
    });

    test('run on the state of any height, by number and by hash', async () => {
      for (const [height, balance] of [
        [1, '0'],
        [3, '135'],
        [2, '35'],
        [1, '0'],
      ] as const) {
        assert.equal(await world.bobs(at('height', height)), balance);
        assert.equal(await world.bobs(at('hash', await hashOf(height))), balance);
        assert.equal(await world.probed(PROBE.height, at('height', height)), BigInt(height));
      }
      assert.equal(await world.bobs(at('latest')), '135');
      assert.equal(await world.bobs(at('finalized')), '135');
    });

    test('run between the transactions of a block, asked in any order', async () => {
      for (const [place, balance] of [
        [2, '35'],
        [0, '10'],
        [1, '30'],
        [0, '10'],
        [2, '35'],
      ] as const) {
        const answer = await world.view({
          contract: world.token,
          method: 'balance_of',
          args: [BOB],
          ...at('after_tx', payments[place]),
        });
        assert.equal(answer.decoded, balance);
        assert.equal(answer.height, 2);
      }
    });

    test('change nothing and report the events they would have emitted', async () => {
      const transfer = { contract: world.token, method: 'transfer', args: { to: BOB, amount: '7' } };
      const answer = await world.view({ ...transfer, caller: ALICE });
      assert.equal(answer.status.type, 'success');
      const [log] = answer.logs;
      assert.deepEqual(log?.['event'], { name: 'Transfer', args: { from: ALICE, to: BOB, amount: '7' } });
      assert.equal(log?.['contract'], world.token);
      assert.equal(log?.['tx_hash'], ZERO_SLOT);
      assert.equal(await world.bobs(), '135');
      const inside = await world.view({ ...transfer, caller: ALICE, ...at('after_tx', payments[0]) });
      assert.equal(inside.status.type, 'success');
      assert.equal(await world.bobs(at('after_tx', payments[0])), '10');
    });

    test('see overridden slots, balances and blocks, which later calls do not', async () => {
      const slots = [{ slot: ZERO_SLOT, value: '0x2a00000000000000' }];
      const overrides = [{ address: world.probe, balance: '99', slots }];
      assert.equal(await world.probed(PROBE.slot, { overrides }), 42n);
      assert.equal(await world.probed(PROBE.balance, { overrides }), 99n);
      assert.equal(await world.probed(PROBE.slot), 0n);
      assert.equal(await world.probed(PROBE.balance), 0n);
      const block_override = { height: 1_000, timestamp_ms: 5 };
      assert.equal(await world.probed(PROBE.height, { block_override }), 1_000n);
      assert.equal(await world.probed(PROBE.timestamp, { block_override }), 5n);
      assert.equal(await world.probed(PROBE.timestamp, at('height', 3)), BigInt(FIRST_TIME_MS + 2_000));
    });

    test('see the block that would come next, if they run on the latest state', async () => {
      const tipTime = BigInt(FIRST_TIME_MS + 2_000);
      for (const more of [{}, at('latest')]) {
        assert.equal(await world.probed(PROBE.height, more), 4n);
        assert.ok((await world.probed(PROBE.timestamp, more)) > tipTime);
        assert.equal(await world.probed(PROBE.height, { ...more, block_override: { timestamp_ms: 5 } }), 4n);
        const traced = { contract: world.probe, input: PROBE.height, ...more };
        const { result } = (await world.rpc.call('chain_traceCall', traced)) as {
          readonly result: ViewResult;
        };
        assert.deepEqual([result.output, result.height], [`0x04${'00'.repeat(7)}`, 3]);
      }
      assert.equal(await world.probed(PROBE.height, at('finalized')), 3n);
    });

    test('run code and an interface that are not on the chain', async () => {
      const five = assemble({
        imports: ['set_output'],
        memory: [1, 1],
        data: [{ at: 0, bytes: Uint8Array.of(5, 0, 0, 0) }],
        functions: [
          { name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 4; call set_output; i32.const 0' },
        ],
      });
      const idl = 'contract Five { view five() -> u32; }';
      const call = { contract: NOBODY, method: 'five' };
      const overrides = [{ address: NOBODY, code: text(five), idl }];
      assert.equal((await world.view({ ...call, overrides })).decoded, 5);
      assert.equal(
        (await world.view({ ...call, idl, overrides: [{ address: NOBODY, code: text(five) }] })).decoded,
        5,
      );
      const replaced = [{ address: world.token, code: text(five), idl }];
      assert.equal(
        (await world.view({ contract: world.token, method: 'five', overrides: replaced })).decoded,
        5,
      );
      assert.equal(await world.bobs(), '135');
      assert.equal((await world.refusal('view_call', call)).data.kind, 'not_found');
    });

    test('transfer value if the caller has it, and revert otherwise', async () => {
      assert.equal(await world.probed(PROBE.value, { caller: ALICE, value: '12' }), 12n);
      assert.equal(await world.probed(PROBE.balance, { caller: ALICE, value: '12' }), 12n);
      const call = { contract: world.probe, input: PROBE.value, caller: NOBODY, value: '12' };
      const refused = await world.view(call);
      assert.equal(refused.status.type, 'reverted');
      assert.match(JSON.stringify(refused.status), /insufficient balance: 12 to be sent, the caller has 0/);
      const overrides = [{ address: NOBODY, balance: '12' }];
      assert.equal((await world.view({ ...call, overrides })).status.type, 'success');
    });

    test('are refused, as every simulation is, if a payment would raise a balance above 2^128 − 1', async () => {
      // Pays five units to the address at 0, in a frame of its own.
      const payer = assemble({
        imports: ['transfer', 'set_output'],
        memory: [1, 1],
        data: [
          { at: 0, bytes: Buffer.from(BOB.slice(2), 'hex') },
          { at: 20, bytes: Uint8Array.of(5) },
        ],
        functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 20; call transfer' }],
      });
      const greatest = String(2n ** 128n - 1n);
      const overrides = [
        { address: NOBODY, code: text(payer), balance: '5' },
        { address: BOB, balance: greatest },
      ];
      const view = { contract: NOBODY, input: '0x', overrides };
      const action = { type: 'call', value: { contract: NOBODY, input: '0x' } };
      const build = { sender: ALICE, action };
      const steps = [{ type: 'view', value: { contract: NOBODY, input: '0x' } }];
      const paid = { contract: world.probe, input: PROBE.balance, caller: ALICE, value: '12' };
      const calls: readonly (readonly [string, object])[] = [
        ['view_call', view],
        ['view_call', { ...paid, overrides: [{ address: world.probe, balance: greatest }] }],
        ['chain_traceCall', view],
        ['tx_simulate', { build, overrides }],
        ['tx_simulate_access', { build, overrides }],
        ['tx_simulate_trace', { build, overrides }],
        ['tx_simulate_pipeline', { steps, overrides }],
        ['tx_simulate_pipeline', { steps: [{ type: 'tx', value: { build } }], overrides }],
      ];
      for (const [method, params] of calls) {
        const { message, data } = await world.refusal(method, params);
        assert.equal(data.kind, 'invalid_params', `${method}: ${message}`);
        assert.match(message, /params\.overrides: expected balances that together stay below 2\^128/, method);
      }
      const [, full] = overrides;
      const enough = [overrides[0], { ...full, balance: String(2n ** 128n - 6n) }];
      assert.equal((await world.view({ ...view, overrides: enough })).status.type, 'success');
    });

    test('return a result when the contract reverts, traps or runs out of gas', async () => {
      const poor = await world.view({
        contract: world.token,
        method: 'transfer',
        args: [BOB, '1'],
        caller: NOBODY,
      });
      assert.equal(poor.status.type, 'reverted');
      const { error, data } = poor.status.value as { error: unknown; data: string };
      assert.deepEqual(error, { name: 'InsufficientBalance', args: { available: '0', required: '1' } });
      assert.equal(poor.output, data);
      assert.ok(data.length > 2);

      const said = await world.view({ contract: world.probe, input: PROBE.revert });
      assert.deepEqual(said.status, {
        type: 'reverted',
        value: { message: 'not today', data: text(Buffer.from('not today')) },
      });
      assert.equal(said.output, text(Buffer.from('not today')));

      const trapped = await world.view({ contract: world.probe, input: PROBE.trap });
      assert.equal(trapped.status.type, 'trapped');
      const trap = trapped.status.value as { kind: string; message: string; backtrace: string[] };
      assert.equal(trap.kind, 'unreachable');
      assert.ok(trap.message.length > 0);
      assert.match(trap.backtrace[0] ?? '', /fall/);

      const endless = await world.view({ contract: world.probe, input: PROBE.loop, gas_limit: 1_000_000 });
      assert.deepEqual(endless.status, { type: 'out_of_gas', value: null });
      assert.equal(endless.gas_used, 1_000_000);
    });

    test('return the reason when they cannot be answered', async () => {
      const balance = { contract: world.token, method: 'balance_of', args: [BOB] };
      const cases: readonly (readonly [object, string, RegExp])[] = [
        [{ ...balance, contract: NOBODY }, 'not_found', /no contract at 0x7777/],
        [{ ...balance, ...at('height', 0) }, 'not_found', /no contract/],
        [{ ...balance, ...at('hash', 'ab'.repeat(32)) }, 'not_found', /no block abab/],
        [{ ...balance, ...at('after_tx', 'ab'.repeat(32)) }, 'not_found', /no included transaction abab/],
        [{ ...balance, method: 'balance' }, 'invalid_params', /params\.method: .*balance_of/],
        [{ ...balance, args: ['0x12'] }, 'invalid_params', /params\.args/],
        [{ ...balance, args: { owner: BOB, other: 1 } }, 'invalid_params', /params\.args/],
        [{ ...balance, input: '0x' }, 'invalid_params', /either input or method/],
        [{ contract: world.token }, 'invalid_params', /either input or method/],
        [{ contract: world.probe, method: 'five' }, 'invalid_params', /params\.method.*idl/],
        [{ ...balance, idl: 'contract Broken {' }, 'invalid_params', /params\.idl/],
        [{ ...balance, gas_limit: 1_000_000_001 }, 'limit_exceeded', /call_gas: at most 1000000000/],
        [
          {
            ...balance,
            overrides: [
              { address: BOB, balance: '1' },
              { address: BOB, balance: '2' },
            ],
          },
          'invalid_params',
          /params\.overrides\[1\]\.address.*one entry for each address/,
        ],
        [
          { ...balance, overrides: [{ address: BOB, code: '0x00' }] },
          'invalid_params',
          /params\.overrides\[0\]\.code.*refused/,
        ],
        [
          {
            ...balance,
            overrides: [{ address: BOB, slots: [{ slot: ZERO_SLOT, value: `0x${'00'.repeat(16_385)}` }] }],
          },
          'invalid_params',
          /overrides\[0\]\.slots\[0\]\.value.*16384/,
        ],
        [{ ...balance, idl: ' '.repeat(65_537) }, 'limit_exceeded', /idl_bytes/],
      ];
      for (const [params, kind, message] of cases) {
        const failure = await world.refusal('view_call', params);
        assert.equal(failure.data.kind, kind, failure.message);
        assert.match(failure.message, message);
      }
      const later = await world.refusal('view_call', { ...balance, ...at('height', 4) });
      assert.equal(later.data.kind, 'state_unavailable');
      assert.deepEqual([later.data['oldest'], later.data['newest']], [0, 3]);
    });

    test('each get their own result at the same gas when sent concurrently', async () => {
      const heights = Array.from({ length: 150 }, (_, i) => 1 + (i % 3));
      const input = text(token.function('balance_of').encodeCall([BOB]));
      const answers = await Promise.all(
        heights.map((height, i) =>
          i % 4 === 0
            ? world.refusal('view_call', { contract: NOBODY, input })
            : world.view({ contract: world.token, input, ...at('height', height) }),
        ),
      );
      const gas = new Set<number>();
      for (const [i, answer] of answers.entries()) {
        if ('data' in answer) {
          assert.equal(answer.data.kind, 'not_found');
          continue;
        }
        assert.equal(answer.decoded, ['0', '35', '135'][(heights[i] ?? 0) - 1]);
        assert.equal(answer.height, heights[i]);
        if (heights[i] === 3) gas.add(answer.gas_used);
      }
      assert.equal(gas.size, 1);
    });

    test('see each block as soon as it is sealed', async () => {
      const start = 135;
      for (let i = 1; i <= 20; i++) {
        await world.seal([world.pay(1)]);
        const [now, before, old] = await Promise.all([
          world.bobs(),
          world.bobs(at('height', 3 + i - 1)),
          world.bobs(at('height', 2)),
        ]);
        assert.deepEqual([now, before, old], [String(start + i), String(start + i - 1), '35']);
      }
    });
  });
}

// A transaction leaves at most 1 MiB of output and events, in blocks and simulations alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const GAS = 200_000_000n;
const EVENT = 16 * 1024;
const FITTING = 63;

interface Shape {
  readonly events: number;
  readonly topics?: number;
  readonly bytes?: number;
  readonly output?: number;
  /** Whether the contract reverts at the end. */
  readonly reverts?: boolean;
}

/** Sets its output, then emits the given number of events. */
function emitter({ events, topics = 0, bytes = EVENT, output = 0, reverts = false }: Shape): Uint8Array {
  return assemble({
    imports: ['emit', 'set_output'],
    memory: [2, 2],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `i32.const 0; i32.const ${output}; call set_output
          loop
            local.get 0; i32.const ${events}; i32.lt_u
            if
              i32.const 0; i32.const ${topics}; i32.const 0; i32.const ${bytes}; call emit
              local.get 0; i32.const 1; i32.add; local.set 0; br 1
            end
          end
          i32.const ${reverts ? 1 : 0}`,
      },
    ],
  });
}

/** Calls another contract `times` times and ignores the outcomes. */
function caller(callee: Uint8Array, times: number): Uint8Array {
  const call = 'i32.const 0; i32.const 32; i64.const -1; i32.const 0; i32.const 0; call call; drop;';
  return assemble({
    imports: ['call'],
    memory: [1, 1],
    data: [{ at: 0, bytes: callee }],
    functions: [{ name: 'invoke', type: '>i', code: `${call.repeat(times)} i32.const 0` }],
  });
}

export function eventFloods(attacked: AttackedNode): void {
  const sender = new AttackSender(attacked, devWallet(1));

  interface Ended {
    readonly type: string;
    readonly logs: number;
  }

  async function included(contract: Uint8Array): Promise<Ended> {
    const { status, logs } = await sender.call(contract, GAS);
    return { type: status.type, logs: logs.length };
  }

  async function simulated(contract: Uint8Array): Promise<Ended> {
    const action = { type: 'call', value: { contract: `0x${hex(contract)}`, input: '0x', value: '0' } };
    const build = { sender: `0x${hex(devWallet(2).address)}`, action, gas_limit: Number(GAS) };
    const { status, logs } = (await attacked.rpc.call('tx_simulate', { build })) as {
      readonly status: { readonly type: string };
      readonly logs: readonly unknown[];
    };
    return { type: status.type, logs: logs.length };
  }

  async function assertEnds(shape: Shape, expected: Ended): Promise<void> {
    const contract = await sender.deploy(emitter(shape));
    assert.deepEqual(await simulated(contract), expected, `simulated: ${JSON.stringify(shape)}`);
    assert.deepEqual(await included(contract), expected, `in a block: ${JSON.stringify(shape)}`);
  }

  test('events up to the limit are stored and one more fails the transaction', async () => {
    await assertEnds({ events: FITTING }, { type: 'success', logs: FITTING });
    await assertEnds({ events: 7_400 }, { type: 'trapped', logs: 0 });
    await assertEnds({ events: FITTING + 1 }, { type: 'trapped', logs: 0 });
  });

  test('topics, output and the fixed size of an event count towards the limit', async () => {
    await assertEnds({ events: FITTING, output: 32 * 1024 }, { type: 'trapped', logs: 0 });
    await assertEnds({ events: 20_000, bytes: 0 }, { type: 'trapped', logs: 0 });
    await assertEnds({ events: 6_000, topics: 4, bytes: 0 }, { type: 'trapped', logs: 0 });
  });

  test('reverted events free their space, and a caught failure cannot exceed the limit', async () => {
    const reverting = await sender.deploy(emitter({ events: 30, reverts: true }));
    assert.deepEqual(await included(await sender.deploy(caller(reverting, 4))), { type: 'success', logs: 0 });
    const lasting = await sender.deploy(emitter({ events: 30 }));
    const expected = { type: 'success', logs: 60 };
    const contract = await sender.deploy(caller(lasting, 4));
    assert.deepEqual(await simulated(contract), expected);
    assert.deepEqual(await included(contract), expected);
  });

  test('a batch has one limit for all its calls', async () => {
    const contract = await sender.deploy(emitter({ events: 30 }));
    const batch = (calls: number) =>
      sender.send(
        {
          type: 'batch',
          value: Array.from({ length: calls }, () => ({ contract, input: new Uint8Array(), value: 0n })),
        },
        GAS,
      );
    assert.equal((await batch(2)).logs.length, 60);
    const over = await batch(3);
    assert.deepEqual([over.status.type, over.logs.length], ['trapped', 0]);
    await attacked.assertSound({ peakMiB: 768 });
  });
}

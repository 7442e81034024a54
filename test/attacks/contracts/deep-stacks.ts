// The deepest call with the largest frames ends the same on every node, whether its code is cold or warm, in blocks,
// simulations and views; and it never crashes a node.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const LOCALS = 60;
const GAS = 90_000_000n;
const MODE = { dive: 1, nest: 2, nestAndDive: 3, warmUp: 4 };

function each(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join(';');
}

/** Code, added per local, that enlarges a function's frame in one compiler only. */
const FRAMES: Readonly<Record<string, (local: string) => string>> = {
  'locals alone': (local) => `${local}; global.set 0`,
  'indices of indirect calls': (local) => `${local}; call_indirect >`,
  'arguments of memory.fill': (local) => `${local}; i32.const 0; i32.const 0; memory.fill`,
};

/**
 * Input: a mode, then the depth as an i32 at offset 4. Output: how the deepest call ended and the number of calls nested
 * below this one.
 */
function diver(use: (local: string) => string): Uint8Array {
  const local = (index: number) => `local.get ${1 + (index % LOCALS)}`;
  const uses = each(LOCALS, (index) => use(local(index)));
  const dive = `global.get 1; local.set ${LOCALS}; ${each(LOCALS, (index) => `${local(LOCALS - 1)}; local.set ${1 + index}`)}; loop
      ${uses}
      local.get 0; if; local.get 0; i32.const 1; i32.sub; call dive; else; call bottom; end
      ${uses}
      ${local(0)}; ${each(LOCALS - 1, (index) => `${local(index + 1)}; local.set ${1 + index}`)}; local.set ${LOCALS}
      global.get 1; br_if 0; end`;
  const mode = (number: number) => `i32.const 0; i32.load8_u; i32.const ${number}; i32.eq`;
  return assemble({
    imports: ['call', 'self', 'input_read', 'set_output', 'returned_read'],
    memory: [1],
    globals: [
      { type: 'i', value: 0n },
      { type: 'i', value: 0n },
    ],
    table: 1,
    elements: [{ at: 0, functions: ['nothing'] }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `i32.const 0; i32.const 0; i32.const 8; call input_read; drop
          ${mode(MODE.dive)}; if; i32.const -1; call dive; end
          ${mode(MODE.warmUp)}; if
            loop; i32.const 3; call dive; local.get 0; i32.const 1; i32.add; local.tee 0; i32.const 2000; i32.lt_u; br_if 0; end
          else; i32.const 4; i32.load; call dive; end
          i32.const 128; i32.const 2; call set_output; i32.const 0`,
      },
      { name: 'dive', type: 'i>', locals: 'i'.repeat(LOCALS), code: dive },
      {
        name: 'bottom',
        code: `${mode(MODE.warmUp)}; if; return; end
          i32.const 32; call self
          i32.const 128; i32.const 32; i32.const 64; i64.const -1; i32.const 0; i32.const 8; call call; i32.store8
          i32.const 128; i32.load8_u; if
            ${mode(MODE.nestAndDive)}; if; i32.const -1; call dive; end
          else
            i32.const 128; i32.const 0; i32.const 2; call returned_read; drop
            i32.const 129; i32.const 129; i32.load8_u; i32.const 1; i32.add; i32.store8
          end`,
      },
      { name: 'nothing', code: 'nop' },
    ],
  });
}

function inputOf(mode: number, rounds: number): Uint8Array {
  const input = new Uint8Array(8);
  input[0] = mode;
  new DataView(input.buffer).setInt32(4, rounds, true);
  return input;
}

/**
 * One full dive; many nested calls with few frames each; few with many frames each; one case with a full dive at the
 * end.
 */
const INPUTS: Readonly<Record<string, Uint8Array>> = {
  'one call': inputOf(MODE.dive, 0),
  'shallow calls': inputOf(MODE.nest, 5),
  'calls of some depth': inputOf(MODE.nest, 40),
  'calls of some depth and a dive': inputOf(MODE.nestAndDive, 10),
  'two deep calls': inputOf(MODE.nest, 1_200),
};

interface Ending {
  readonly status: { readonly type: string; readonly value?: unknown };
  readonly output?: string;
  readonly gas_used: number;
}

/** @param nodeFlags flags of Node itself with each of which the node is restarted */
export function deepStacks(attacked: AttackedNode, nodeFlags: readonly string[]): void {
  const contracts = new Map<string, Uint8Array>();

  before(async () => {
    const sender = new AttackSender(attacked, devWallet(1));
    for (const [frames, use] of Object.entries(FRAMES))
      contracts.set(frames, await sender.deploy(diver(use)));
  });

  async function view(contract: Uint8Array, input: Uint8Array): Promise<string> {
    const params = { contract: `0x${hex(contract)}`, input: `0x${hex(input)}`, gas_limit: Number(GAS) };
    const { status, output, gas_used } = (await attacked.rpc.call('view_call', params)) as Ending;
    const kind = status.type === 'trapped' ? (status.value as { kind: string }).kind : status.type;
    return `${kind} ${output} ${gas_used}`;
  }

  /** Outcomes of all calls as views. */
  async function endings(): Promise<Map<string, string>> {
    const all = new Map<string, string>();
    for (const [frames, contract] of contracts) {
      for (const [what, input] of Object.entries(INPUTS)) {
        all.set(`${what}, ${frames}`, await view(contract, input));
      }
    }
    return all;
  }

  async function included(): Promise<Map<string, string>> {
    const sender = new AttackSender(attacked, devWallet(2));
    const all = new Map<string, string>();
    for (const [frames, contract] of contracts) {
      for (const [what, input] of Object.entries(INPUTS)) {
        const { status, gas_used } = await sender.call(contract, GAS, input);
        all.set(`${what}, ${frames}`, `${status.type} ${gas_used}`);
      }
    }
    return all;
  }

  /** Like `included`, but simulated by the same sender. */
  async function simulated(): Promise<Map<string, string>> {
    const sender = `0x${hex(devWallet(2).address)}`;
    const all = new Map<string, string>();
    for (const [frames, contract] of contracts) {
      for (const [what, input] of Object.entries(INPUTS)) {
        const value = { contract: `0x${hex(contract)}`, input: `0x${hex(input)}` };
        const build = { sender, action: { type: 'call', value }, gas_limit: Number(GAS) };
        const { status, gas_used } = (await attacked.rpc.call('tx_simulate', { build })) as Ending;
        all.set(`${what}, ${frames}`, `${status.type} ${gas_used}`);
      }
    }
    return all;
  }

  let cold: Map<string, string>;

  test('deep calls end at the stack budget in views of fresh code', async () => {
    cold = await endings();
    for (const [what, ending] of cold) {
      if (what.startsWith('one call')) assert.match(ending, /^stack_overflow /, what);
      else assert.match(ending, /^(success 0x0[34]|out_of_gas)/, what);
    }
    assert.match(cold.get('calls of some depth, locals alone') ?? '', /^success/);
    await attacked.assertSound({ peakMiB: 1_024 });
  });

  test('they end the same in blocks and simulations, before and after their code is optimized', async () => {
    // The sender's very first transaction creates its lane, which costs extra.
    await attacked.sendTransfer(devWallet(2));
    const before = await included();
    for (const contract of contracts.values()) {
      for (let round = 0; round < 6; round++) {
        assert.match(await view(contract, inputOf(MODE.warmUp, 0)), /^success /);
      }
    }
    assert.deepEqual(await endings(), cold);
    assert.deepEqual(await included(), before);
    assert.deepEqual(await simulated(), before);
    await attacked.assertSound({ peakMiB: 1_024 });
  });

  for (const flag of nodeFlags) {
    test(`they end the same after a restart with ${flag}`, async () => {
      await attacked.restart('stop', { nodeFlags: [flag] });
      assert.deepEqual(await endings(), cold);
      await attacked.assertSound({ peakMiB: 1_024 });
    });
  }
}

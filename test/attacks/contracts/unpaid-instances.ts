// Instantiation is paid in advance: a call that cannot pay costs the node nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble, type ModuleSource } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const GAS = 60_000_000n;
const RETURN = { name: 'invoke', type: '>i', code: 'i32.const 0' };
const leaf = { name: 'leaf', code: '', isExported: false };
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const reading = (code: string) => ({ name: 'read', isExported: false, code });
const INIT = reading('i32.const 0; i32.const 0; i32.const 1; table.init 0');

/** Instances that are slow to create or to reset. */
const VICTIMS: Readonly<Record<string, ModuleSource>> = {
  '256 pages': { memory: [256], functions: [RETURN] },
  '256 pages and data at their end': {
    memory: [256],
    data: [{ at: 256 * 65_536 - 1, bytes: Uint8Array.of(1) }],
    functions: [RETURN],
  },
  'a full table that code changes': {
    memory: [1],
    table: 16_384,
    elements: [{ at: 0, functions: times(16_384, 'leaf') }],
    functions: [RETURN, leaf, INIT],
  },
  '4,000 element segments': {
    memory: [1],
    table: 16,
    elements: times(4_000, { at: 0, functions: times(12, 'leaf') }),
    functions: [RETURN, leaf, INIT],
  },
  'a long passive segment of which one entry is used': {
    memory: [1],
    table: 16_384,
    elements: [{ functions: times(16_000, 'leaf') }],
    functions: [
      { ...RETURN, code: 'i32.const 0; i32.const 0; i32.const 1; table.init 0; i32.const 0' },
      leaf,
    ],
  },
  '4,000 data segments': {
    memory: [1],
    data: times(4_000, { at: 0, bytes: new Uint8Array(32) }),
    functions: [RETURN],
  },
  '4,000 globals': {
    memory: [1],
    globals: times(4_000, { type: 'j' as const, value: 5n }),
    functions: [RETURN],
  },
  'a segment that is dropped': {
    memory: [1],
    data: [{ bytes: new Uint8Array(8) }],
    functions: [
      { ...RETURN, code: 'i32.const 0; i32.const 0; i32.const 1; memory.init 0; data.drop 0; i32.const 0' },
    ],
  },
  'memory that grows': {
    memory: [1],
    functions: [{ ...RETURN, code: 'i32.const 200; memory.grow; drop; i32.const 0' }],
  },
};

/** Calls the victim until the caller's own gas is used up. */
function caller(victim: Uint8Array, gas: bigint): Uint8Array {
  return assemble({
    imports: ['view'],
    memory: [1, 1],
    data: [{ at: 0, bytes: victim }],
    functions: [
      {
        ...RETURN,
        code: `loop i; i32.const 0; i64.const ${gas}; i32.const 0; i32.const 0; call view; drop; br 0; end`,
      },
    ],
  });
}

export function unpaidInstances(attacked: AttackedNode): void {
  test('views call contracts with slow instantiation without gas and with too little', async () => {
    const victim = new Uint8Array(20).fill(0xd1);
    for (const [name, source] of Object.entries(VICTIMS)) {
      for (const gas of [0n, 9_000n, -1n]) {
        const at = `0x${'d0'.repeat(20)}`;
        const overrides = [
          { address: at, code: `0x${hex(caller(victim, gas))}` },
          { address: `0x${hex(victim)}`, code: `0x${hex(assemble(source))}` },
        ];
        const params = { contract: at, input: '0x', gas_limit: Number(GAS), overrides };
        const result = (await attacked.rpc.call('view_call', params)) as {
          readonly status: { readonly type: string };
        };
        assert.equal(result.status.type, 'out_of_gas', `${name}, ${gas} gas`);
      }
    }
    await attacked.assertSound({ peakMiB: 1_024 });
  });

  test('blocks call them and include other transactions', async () => {
    const sender = new AttackSender(attacked, devWallet(1));
    for (const name of ['256 pages', 'a long passive segment of which one entry is used']) {
      const victim = await sender.deploy(assemble(VICTIMS[name] ?? { functions: [] }));
      for (const gas of [0n, -1n]) {
        const at = await sender.deploy(caller(victim, gas));
        const { status, gas_used: used } = await sender.call(at, GAS);
        assert.deepEqual([status.type, used], ['out_of_gas', GAS], name);
        await attacked.assertSound({ peakMiB: 1_024 });
      }
    }
  });
}

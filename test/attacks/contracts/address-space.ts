// Memories reserve address space far beyond their size: the number of instances per process is bounded for any number of
// threads and contracts, and calls in blocks always get an instance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { RpcFailure } from '../../outside/rpc.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';
import { processMemory } from '../../support/nodes/process-memory.js';

/** Below the 128 TiB of address space of a process. */
const MOST_TIB = 120;

/**
 * Calls itself to the maximum depth; each call grows its memory by a page if `grows`. Each kind has different code.
 */
function nesting(kind: number, grows: boolean): Uint8Array {
  return assemble({
    imports: ['self', 'view'],
    memory: [1, 2],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `i32.const ${kind}; drop; ${grows ? 'i32.const 1; memory.grow; drop;' : ''}
          i32.const 0; call self; i32.const 0; i64.const -1; i32.const 0; i32.const 0; call view; drop; i32.const 0`,
      },
    ],
  });
}

/** @param contracts number of contracts that calls nest */
export function addressSpace(attacked: AttackedNode, contracts: number, afterRestart?: AfterRestart): void {
  async function view(kind: number, grows: boolean): Promise<string> {
    const at = `0x${'e0'.repeat(20)}`;
    const overrides = [{ address: at, code: `0x${hex(nesting(kind, grows))}` }];
    try {
      const result = await attacked.rpc.call('view_call', { contract: at, input: '0x', overrides });
      return (result as { readonly status: { readonly type: string } }).status.type;
    } catch (error) {
      if (error instanceof RpcFailure) return String(error.data.kind);
      throw error;
    }
  }

  function assertRoom(): void {
    const { addressSpaceTiB } = processMemory(attacked.node.pid);
    assert.ok(addressSpaceTiB < MOST_TIB, `${addressSpaceTiB.toFixed(1)} TiB of address space were taken`);
  }

  test('contracts that nest 64 deep are called on all threads for calls', async () => {
    for (const grows of [false, true]) {
      const calls = Array.from({ length: contracts }, (_, kind) => view(kind, grows));
      for (const ended of await Promise.all(calls))
        assert.ok(['success', 'overloaded', 'timeout'].includes(ended), ended);
      assertRoom();
      await attacked.assertSound({ peakMiB: 3_072, withinMs: 30_000 });
    }
  });

  test('they are called in blocks with the right results', async () => {
    const senders = [1, 2, 3, 4].map((index) => new AttackSender(attacked, devWallet(index)));
    const receipts = await Promise.all(
      senders.map(async (sender, kind) => {
        const at = await sender.deploy(nesting(100 + kind, kind % 2 === 1));
        await sender.call(at, 20_000_000n);
        return sender.call(at, 20_000_000n);
      }),
    );
    assert.deepEqual(
      receipts.map(({ status }) => status.type),
      ['success', 'success', 'success', 'success'],
    );
    assert.equal(receipts[0]?.gas_used, receipts[2]?.gas_used);
    assertRoom();
  });

  afterRestart?.(() => {
    test('the node is sound', () => attacked.assertSound({ peakMiB: 3_072, withinMs: 30_000 }));
  });
}

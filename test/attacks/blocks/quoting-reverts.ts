// Revert data that doubles in length as JSON cannot hide other blocks, nor produce a response beyond the limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcFailure } from '../../outside/rpc.js';
import { nodeStatus } from '../../outside/traffic.js';
import { devWallet, signTransaction } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

/** Bytes of the response envelope around a result. */
const ENVELOPE = 4_096;

/** Reverts with 64 KiB of quotes; both JSON forms, hex digits and escaped text, double the length. */
const QUOTING = assemble({
  imports: ['revert'],
  memory: [2, 2],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      locals: 'i',
      code: `
        i32.const 65536; local.set 0
        block; loop
          local.get 0; i32.eqz; br_if 1
          local.get 0; i32.const 4; i32.sub; local.set 0
          local.get 0; i32.const 572662306; i32.store; br 0
        end; end
        i32.const 0; i32.const 65536; call revert
        i32.const 0`,
    },
  ],
});

/** @param most the node's --max-answer-bytes */
export function quotingReverts(attacked: AttackedNode, most: number): void {
  test('revert data that exceeds a response does not hide other blocks', async () => {
    const wallet = devWallet(3);
    const { chain_id: chainId } = (await attacked.rpc.call('status')) as { chain_id: number };
    const { tip } = await nodeStatus(attacked.rpc);
    const contract = await new AttackSender(attacked, wallet).deploy(QUOTING);
    const base = { chainId: BigInt(chainId), gasLimit: 20_000_000n, priorityFee: 1_000_000n };
    const calls = [1n, 2n, 3n, 4n, 5n, 6n].map((nonce) =>
      signTransaction(wallet, {
        ...base,
        nonce,
        action: { type: 'call', value: { contract, input: new Uint8Array(), value: 0n } },
      }),
    );
    // The first nonce is sent last, so that one block includes them all.
    for (const { encoded } of calls.slice(1)) await attacked.rpc.call('tx_submit', { encoded });
    const first = (await attacked.rpc.call('tx_submit', {
      encoded: calls[0]?.encoded,
      wait: { type: 'included' },
    })) as {
      readonly receipt: { readonly height: number; readonly status: { readonly type: string } };
    };
    const { height, status } = first.receipt;
    assert.equal(status.type, 'reverted');
    await assert.rejects(
      attacked.rpc.call('get_txs_in_range', { from_height: height, to_height: height }),
      (error) =>
        error instanceof RpcFailure &&
        error.data['subject'] === 'answer_bytes' &&
        error.data['limit'] === most,
    );
    const before = (await attacked.rpc.call('get_txs_in_range', {
      from_height: Number(tip.height) + 1,
      to_height: height,
    })) as {
      readonly transactions: readonly object[];
      readonly next_height: number;
    };
    assert.deepEqual([before.transactions.length, before.next_height], [1, height]);
    const whole = (await attacked.rpc.call('get_blocks', { from_height: height, to_height: height })) as {
      readonly blocks: readonly { readonly items: readonly object[] }[];
    };
    assert.equal(whole.blocks[0]?.items.length, calls.length);
    const { body } = await attacked.rpc.post('{"jsonrpc":"2.0","id":1,"method":"list_txs"}');
    assert.ok(body.length <= most + ENVELOPE, `list_txs: ${body.length} bytes`);
    const listed = JSON.parse(body.toString()).result;
    assert.ok(listed.transactions.length > 0 && listed.next_cursor !== undefined);
    await attacked.assertSound({ peakMiB: 512 });
  });
}

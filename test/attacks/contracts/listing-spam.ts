// A contract that pays an account and names it in token events thousands of times adds one entry to the account's listings,
// and none by thousands of other events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { RpcFailure } from '../../outside/rpc.js';
import { devWallet } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { AttackSender } from '../../support/nodes/attack-sender.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { interfaceOf, TRANSFER, transferTopic } from '../../support/worlds/token-events.js';

const GAS = 200_000_000n;
const TIMES = 4_000;
const VICTIM = new Uint8Array(20).fill(0xe1);

const NAME = 'Spam';

/**
 * Pays the victim 1 and emits a transfer of tokens from it to an address numbered by the round, {@link TIMES} times.
 * @param perRound code that changes the event, whose topics are at bytes 0, 32 and 64
 */
const spammer = (perRound = '') =>
  assemble({
    imports: ['emit', 'transfer'],
    memory: [1, 1],
    data: [
      { at: 0, bytes: transferTopic(NAME) },
      { at: 44, bytes: VICTIM },
      { at: 128, bytes: Uint8Array.of(1) },
    ],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `
        loop
          local.get 0; i32.const 1; i32.add; local.set 0
          i32.const 92; local.get 0; i32.store
          ${perRound}
          i32.const 0; i32.const 3; i32.const 96; i32.const 16; call emit
          i32.const 44; i32.const 128; call transfer; drop
          local.get 0; i32.const ${TIMES}; i32.lt_u; br_if 0
        end
        i32.const 0`,
      },
    ],
  });

interface Listed {
  readonly tokens?: readonly {
    readonly contract: string;
    readonly interface_name: string;
    readonly last_height: number;
  }[];
  readonly transactions?: readonly { readonly height: number; readonly received?: string }[];
  readonly next_cursor?: string;
}

export function listingSpam(attacked: AttackedNode): void {
  const sender = new AttackSender(attacked, devWallet(3));
  const victim = `0x${hex(VICTIM)}`;
  const list = async (method: string, params: object) => (await attacked.rpc.call(method, params)) as Listed;

  test('a transaction with thousands of payments and token events adds at most one entry to a listing', async () => {
    const contract = await sender.deploy(spammer(), interfaceOf(NAME, TRANSFER));
    const spam = { contract, input: new Uint8Array(), value: BigInt(TIMES) };
    const heights: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { status, height } = await sender.send({ type: 'call', value: spam }, GAS);
      assert.equal(status.type, 'success');
      heights.unshift(Number(height));
    }
    const { transactions = [] } = await list('list_txs_by_recipient', { recipient: victim });
    assert.deepEqual(
      transactions.map(({ height, received }) => [height, received]),
      heights.map((height) => [height, String(TIMES)]),
    );
    const tokens = [{ contract: `0x${hex(contract)}`, interface_name: NAME, last_height: heights[0] }];
    assert.deepEqual(await list('list_tokens_by_holder', { holder: victim }), { tokens });
    const last = Buffer.alloc(20);
    last.writeUInt32LE(TIMES, 16);
    assert.deepEqual(await list('list_tokens_by_holder', { holder: `0x${hex(last)}` }), { tokens });
    await attacked.assertSound({ peakMiB: 768 });
  });

  test('a token stays listed among thousands of events that are not transfers', async () => {
    const { tokens = [] } = await list('list_tokens_by_holder', { holder: victim });
    assert.equal(tokens.length, 1);
    const renumber = 'i32.const 0; local.get 0; i32.store';
    const contract = await sender.deploy(spammer(renumber), interfaceOf(NAME, TRANSFER));
    const spam = { contract, input: new Uint8Array(), value: BigInt(TIMES) };
    const { status } = await sender.send({ type: 'call', value: spam }, GAS);
    assert.equal(status.type, 'success');
    assert.deepEqual(await list('list_tokens_by_holder', { holder: victim }), { tokens });
    await attacked.assertSound({ peakMiB: 768 });
  });

  test('cursors that no listing has given are refused', async () => {
    const own = Buffer.concat([Buffer.from('list_tokens_by_holder\0'), VICTIM, Buffer.alloc(19)]);
    for (const cursor of ['', 'AAAA', own.toString('base64url'), 'x'.repeat(10_000)]) {
      for (const [method, params] of [
        ['list_tokens_by_holder', { holder: victim }],
        ['list_txs_by_recipient', { recipient: victim }],
      ] as const) {
        await assert.rejects(
          list(method, { ...params, cursor }),
          (error: unknown) => error instanceof RpcFailure && error.data.kind === 'invalid_params',
        );
      }
    }
  });
}

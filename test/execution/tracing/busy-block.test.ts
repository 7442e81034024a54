// Traces every transaction of busy blocks, after others in the block touched the same state.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect, devAccount } from '../../../src/client/client.js';
import type { Action } from '../../../src/generated/ledger.js';
import { seededRandom } from '../../../src/load/workload.js';
import { RpcClient } from '../../outside/rpc.js';
import { probeCode } from '../../support/contracts/assembled-contracts.js';
import { deployAction } from '../../support/contracts/deploy-action.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { text } from '../../support/hex.js';
import { withInProcessNode } from '../../support/nodes/in-process-node.js';
import { spread, sweep } from '../../support/sweep.js';
import { CONTRACTS, contractAbi } from '../../support/worlds/contract-world.js';
import { ALL_TRACERS, foldedGas, framesOf, traceTransaction, treeOf } from './trace-answers.js';

const ACCOUNTS = 5;
const BLOCKS = Math.min(sweep(1), 3);
const TRANSACTIONS = 45;
const token = contractAbi('token');
const tokenCode = Uint8Array.from(readFileSync(join(CONTRACTS, 'token', 'token.wasm')));
const tokenIdl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');

/** Calls the contract at the input's leading address twice with the rest of the input; ignores the results. */
const relayCode = assemble({
  imports: ['input_size', 'input_read', 'call', 'log', 'transfer', 'value'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; call input_size; call input_read; drop
        i32.const 4096; i32.const 16; call log
        i32.const 8192; call value
        i32.const 0; i32.const 8192; call transfer; drop
        i32.const 0; i32.const 4096; i64.const 2000000; i32.const 20
        call input_size; i32.const 20; i32.sub; call call; drop
        i32.const 0; i32.const 4096; i64.const 3000; i32.const 20
        call input_size; i32.const 20; i32.sub; call call; drop
        i32.const 0`,
    },
  ],
  data: [{ at: 4096, bytes: new Uint8Array(16) }],
});

function deployment(code: Uint8Array, input?: Uint8Array, idl?: string): Action {
  return deployAction(code, { input, idl, admin: devAccount(0).address });
}

const SETTINGS = [
  { native: 'auto', workers: 1, seed: 11 },
  { native: 'off', workers: 2, seed: 12 },
];

for (const { native, workers, seed } of spread(SETTINGS, 1)) {
  describe(`a trace, --native ${native} --workers ${workers}`, () => {
    test(`of every transaction of busy blocks reproduces its receipt (seed ${seed})`, async () => {
      await withInProcessNode({ native, workers }, async (node) => {
        const rpc = new RpcClient(node.url);
        const client = connect(node.url);
        const random = seededRandom(seed);
        const pick = (most: number) => Math.floor(random() * most);
        const accounts = Array.from({ length: ACCOUNTS }, (_, index) => devAccount(index));
        const owner = accounts[0] ?? assert.fail();
        const addressAt = async (offset: bigint) =>
          (await client.predict_address({ deployer: owner.address, offset })).address;
        const [tokenAt, relayAt, probeAt] = [await addressAt(0n), await addressAt(1n), await addressAt(2n)];
        let time = 1_800_000_000_000;
        const seal = () => {
          time += 1_000;
          return node.sealNow(time);
        };
        const hashes: string[] = [];
        const send = async (index: number, action: Action) => {
          const sender = client.sender(accounts[index] ?? assert.fail(), { lane: 0 });
          hashes.push((await sender.send(action, { gasLimit: 8_000_000n })).hashHex);
        };
        const init = ['Thread', 'THR', 0, '1000000', text(owner.address), text(owner.address)];
        await send(0, deployment(tokenCode, token.function('init').encodeCall(init), tokenIdl));
        await send(0, deployment(relayCode));
        await send(0, deployment(probeCode));
        await seal();

        const call = (contract: Uint8Array, input: Uint8Array, value = 0n) => ({ contract, input, value });
        const pay = () => {
          const to = accounts[pick(ACCOUNTS)] ?? owner;
          return token.function('transfer').encodeCall([text(to.address), String(pick(400))]);
        };
        const probe = (way: number): Action => ({ type: 'call', value: call(probeAt, Uint8Array.of(way)) });
        const actions: readonly (() => Action)[] = [
          () => ({
            type: 'transfer',
            value: { to: (accounts[pick(ACCOUNTS)] ?? owner).address, amount: BigInt(pick(1_000)) },
          }),
          () => ({ type: 'call', value: call(tokenAt, pay()) }),
          () => ({ type: 'call', value: call(tokenAt, pay()) }),
          () => ({ type: 'batch', value: [call(tokenAt, pay()), call(tokenAt, pay())] }),
          () => ({ type: 'call', value: call(relayAt, Buffer.concat([tokenAt, pay()]), BigInt(pick(3))) }),
          () => probe(pick(8)),
          () => ({ type: 'call', value: call(owner.address, new Uint8Array(4)) }),
          () => deployment(probeCode, new Uint8Array(pick(2))),
          () => ({
            type: 'upgrade',
            value: { contract: relayAt, code: relayCode, abi_version: 2, input: new Uint8Array(0) },
          }),
        ];
        for (let block = 0; block < BLOCKS; block++) {
          // Each block has at least one transaction of each kind, and every outcome of the probe.
          const certain = [...actions, ...[2, 3, 4].map((way) => () => probe(way))];
          for (let count = 0; count < TRANSACTIONS; count++) {
            const action = certain[count] ?? actions[pick(actions.length)] ?? assert.fail();
            await send(pick(ACCOUNTS), action());
          }
          await seal();
        }
        // More blocks take the transactions that were not included in their intended ones.
        for (let block = 0; block < BLOCKS; block++) await seal();

        const outcomes = new Set<string>();
        const kinds = new Set<string>();
        // The traces are requested in random order, many at once.
        const shuffled = hashes.map((hash) => ({ hash, at: random() })).sort((a, b) => a.at - b.at);
        await Promise.all(
          shuffled.map(async ({ hash }) => {
            const { receipt: stored } = (await rpc.call('tx_receipt', { tx_hash: hash })) as {
              readonly receipt: unknown;
            };
            const { receipt, trace } = await traceTransaction({ rpc }, hash, ALL_TRACERS);
            assert.deepEqual(receipt, stored);
            const root = treeOf(trace);
            assert.equal(trace.truncated, false);
            assert.deepEqual(root.status, receipt.status, hash);
            assert.equal(root.gas_used, receipt.gas_used);
            assert.equal(foldedGas(trace), receipt.gas_used, JSON.stringify(trace.gas_profile));
            const frames = framesOf(root);
            if (receipt.status.type === 'success') {
              assert.equal(root.output, receipt.output);
              const shown = frames
                .flatMap(({ logs }) => logs.map(({ position: _, ...log }) => log))
                .filter((log) => receipt.logs.some((each) => each['log_index'] === log['log_index']));
              for (const log of receipt.logs) {
                assert.ok(shown.some((each) => JSON.stringify(each) === JSON.stringify(log)));
              }
            }
            for (const { frame } of trace.host_ops ?? []) assert.ok(frame < frames.length);
            outcomes.add(receipt.status.type);
            for (const { kind } of frames) kinds.add(kind);
            // The call tree is the same if it is the only tracer.
            const alone = await traceTransaction({ rpc }, hash, ['call_tree']);
            assert.deepEqual(alone.trace.call_tree, root);
          }),
        );
        assert.deepEqual([...kinds].sort(), ['batch', 'call', 'deploy', 'transfer', 'upgrade']);
        for (const outcome of ['success', 'reverted', 'trapped', 'invalid', 'out_of_gas']) {
          assert.ok(outcomes.has(outcome), `no transaction was ${outcome}; try another seed`);
        }
        rpc.close();
      });
    });
  });
}

// Declared but unused gas reserves no block space, and gas used above the prediction is still bounded
// by the block's gas limit.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { hex } from '../../outside/bytes.js';
import { contractAddress } from '../../outside/counter-contract.js';
import type { RpcFailure } from '../../outside/rpc.js';
import {
  Account,
  GetBlockSummariesResult,
  GetTxsInRangeResult,
  type RangeTx,
} from '../../outside/rpc-shapes.js';
import { drained, nodeStatus, submitAll, submitEvery, Traffic } from '../../outside/traffic.js';
import { devWallet, type SentTransaction, type TransactionFields, transfer } from '../../outside/wallet.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { deployment } from '../../support/nodes/attack-sender.js';
import { type AttackedNode, withTimeout } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';
import { heddle } from '../../support/nodes/command-line.js';

const BLOCK_GAS = 500_000_000n;
const PEAK_MIB = 700;

/**
 * Does nothing on empty input until it has been called with non-empty input once; afterwards it runs until its gas is
 * used up.
 */
const TRAP_DOOR = assemble({
  imports: ['input_size', 'storage_exists', 'storage_write'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        call input_size
        if
          i32.const 0; i32.const 64; i32.const 1; call storage_write
        else
          i32.const 0; call storage_exists
          if; loop; br 0; end; end
        end
        i32.const 0`,
    },
  ],
});

/** @param afterRestart adds tests that end the node; absent: they do not run */
export function declaredGas(attacked: AttackedNode, afterRestart?: AfterRestart): void {
  let traffic: Traffic;
  // Nonces continue from the chain's state, once no transaction of the previous test is pending.
  beforeEach(async () => {
    await drained(attacked.rpc);
    traffic = new Traffic((await nodeStatus(attacked.rpc)).chain_id, 4);
    for (let number = 0; number < 9; number++) {
      const wallet = devWallet(number);
      const { lanes } = Account.fromJson(
        await attacked.rpc.call('account', { address: `0x${hex(wallet.address)}` }),
        'account',
      );
      for (const { lane, next_nonce: next } of lanes) traffic.resume(wallet, lane, next);
    }
  });

  type Action = TransactionFields['action'];

  function call(contract: Uint8Array, input: Uint8Array = new Uint8Array()): Action {
    return { type: 'call', value: { contract, input, value: 0n } };
  }

  async function height(): Promise<bigint> {
    return (await nodeStatus(attacked.rpc)).tip.height;
  }

  /** All transactions after a height; checks the gas rule in every block. */
  async function sealedAfter(from: bigint): Promise<ReadonlyMap<string, RangeTx>> {
    const found = new Map<string, RangeTx>();
    const to = await height();
    for (let next: bigint | undefined = from + 1n; next !== undefined && next <= to; ) {
      const params = { from_height: Number(next), to_height: Number(to) };
      const page = GetTxsInRangeResult.fromJson(
        await attacked.rpc.call('get_txs_in_range', params),
        'get_txs_in_range',
      );
      for (const one of page.transactions) found.set(hex(one.tx_hash), one);
      next = page.next_height;
    }
    const left = new Map<bigint, bigint>();
    for (const one of found.values()) {
      const gasLeft = left.get(one.height) ?? BLOCK_GAS;
      const { gas_limit: limit } = one.transaction.transaction;
      assert.ok(limit <= gasLeft, `block ${one.height}: a limit of ${limit} where ${gasLeft} were left`);
      left.set(one.height, gasLeft - one.gas_used);
    }
    return found;
  }

  function heightsOf(sent: readonly SentTransaction[], sealed: ReadonlyMap<string, RangeTx>): bigint[] {
    return sent.map(({ hash }) => {
      const one = sealed.get(hash);
      assert.ok(one !== undefined, `${hash} is in no block`);
      return one.height;
    });
  }

  /** Ordinary transfers of three accounts outside the attack, with the gas limit that a wallet declares. */
  function ordinary(count: number, gasLimit: bigint): SentTransaction[] {
    const to = new Uint8Array(20).fill(0x77);
    return Array.from({ length: count }, (_, i) =>
      traffic.next(devWallet(6 + (i % 3)), { gasLimit, action: transfer(to, 1n) }),
    );
  }

  async function deploy(code: Uint8Array, index: bigint): Promise<Uint8Array> {
    const wallet = devWallet(0);
    await submitEvery(attacked.rpc, [
      traffic.next(wallet, { gasLimit: 5_000_000n, action: deployment(code) }),
    ]);
    await drained(attacked.rpc);
    return contractAddress(wallet.address, index);
  }

  /** `count` transactions of five accounts, spread over as many lanes as possible. */
  function fromLanes(
    count: number,
    fields: Omit<TransactionFields, 'chainId' | 'nonce' | 'lane'>,
  ): SentTransaction[] {
    return Array.from({ length: count }, (_, i) =>
      traffic.next(devWallet(1 + (i % 5)), { ...fields, lane: 1 + (Math.floor(i / 5) % 12) }),
    );
  }

  test('transfers that each declare a whole block are included one per block, together with other traffic', async () => {
    const from = await height();
    const high = fromLanes(15, {
      gasLimit: BLOCK_GAS,
      priorityFee: 1_000n,
      action: transfer(new Uint8Array(20).fill(1), 1n),
    });
    const others = ordinary(700, 1_000_000n);
    await submitEvery(attacked.rpc, high);
    for (let at = 0; at < others.length; at += 200)
      await submitEvery(attacked.rpc, others.slice(at, at + 200));
    await drained(attacked.rpc);
    const sealed = await sealedAfter(from);
    const highHeights = new Set(heightsOf(high, sealed));
    assert.equal(highHeights.size, high.length, 'each needs all of a block');
    const blocksOfOthers = new Set(heightsOf(others, sealed)).size;
    assert.ok(blocksOfOthers <= 15, `700 transfers that declare a million took ${blocksOfOthers} blocks`);
    const heights = [...highHeights].map(Number);
    const span = Math.max(...heights) - Math.min(...heights);
    assert.ok(span < 25, `the last of 15 waited for ${span} blocks`);
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('the lowest-paying transaction does not starve behind a stream that pays more', async () => {
    const from = await height();
    const poor = traffic.next(devWallet(5), {
      lane: 40,
      gasLimit: BLOCK_GAS,
      action: transfer(new Uint8Array(20).fill(2), 1n),
    });
    const stream = () =>
      fromLanes(60, { gasLimit: 40_000n, priorityFee: 50n, action: transfer(devWallet(1).address, 1n) });
    await submitEvery(attacked.rpc, [...stream(), poor]);
    const deadline = Date.now() + 20_000;
    for (;;) {
      assert.ok(Date.now() < deadline, 'it was passed over for 20 s');
      await submitEvery(attacked.rpc, stream());
      if ((await sealedAfter(from)).has(poor.hash)) break;
    }
    const sealed = await sealedAfter(from);
    const included = sealed.get(poor.hash);
    assert.equal(included?.index, 0, 'it came first in its block');
  });

  test('calls that declare much gas and use little fill blocks by the gas they use', async () => {
    const contract = await deploy(TRAP_DOOR, 0n);
    const from = await height();
    const calls = fromLanes(600, { gasLimit: 20_000_000n, action: call(contract) });
    for (let at = 0; at < calls.length; at += 200) await submitEvery(attacked.rpc, calls.slice(at, at + 200));
    await drained(attacked.rpc);
    const heights = heightsOf(calls, await sealedAfter(from));
    const blocks = new Set(heights).size;
    assert.ok(blocks <= 12, `600 calls took ${blocks} blocks, 24 would have been full of what they declare`);
  });

  test('calls that use all declared gas after using little when tried stay within the block limit', async () => {
    const contract = await deploy(TRAP_DOOR, 1n);
    const from = await height();
    // The node tries the traps before the contract is switched on; in the block the switching call pays most and runs
    // first.
    const traps = fromLanes(10, { gasLimit: 120_000_000n, priorityFee: 10n, action: call(contract) });
    const door = traffic.next(devWallet(0), {
      gasLimit: 2_000_000n,
      priorityFee: 100n,
      action: call(contract, Uint8Array.of(1)),
    });
    const others = ordinary(400, 1_000_000n);
    await submitEvery(attacked.rpc, [door, ...traps]);
    for (let at = 0; at < others.length; at += 200)
      await submitEvery(attacked.rpc, others.slice(at, at + 200));
    await attacked.assertAnswers();
    await withTimeout(60_000, 'all are sealed', drained(attacked.rpc, 60_000));
    const sealed = await sealedAfter(from);
    const burnt = traps.filter(({ hash }) => sealed.get(hash)?.gas_used === 120_000_000n);
    assert.ok(burnt.length >= 7, `${burnt.length} of 10 ran until their gas was used up`);
    heightsOf(others, sealed);
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  test('bundles that each declare half a block leave the other half free and fail alone', async () => {
    const from = await height();
    const bundles = Array.from({ length: 20 }, (_, i) =>
      [0, 1].map((j) =>
        traffic.next(devWallet(1 + (i % 5)), {
          lane: 50 + Math.floor(i / 5),
          gasLimit: BLOCK_GAS / 4n,
          priorityFee: 5_000n,
          action: transfer(new Uint8Array(20).fill(3), BigInt(j)),
        }),
      ),
    );
    for (const bundle of bundles) {
      await attacked.rpc.call('tx_submit_bundle', { transactions: bundle.map(({ encoded }) => encoded) });
    }
    const others = ordinary(400, 1_000_000n);
    for (let at = 0; at < others.length; at += 200)
      await submitEvery(attacked.rpc, others.slice(at, at + 200));
    await drained(attacked.rpc);
    const sealed = await sealedAfter(from);
    const blocksOfOthers = new Set(heightsOf(others, sealed)).size;
    assert.ok(blocksOfOthers <= 12, `400 transfers took ${blocksOfOthers} blocks`);
    for (const bundle of bundles) assert.equal(new Set(heightsOf(bundle, sealed)).size, 1);
  });

  test('every byte of a batch is paid for, even if its calls do little', async () => {
    const nobody = { contract: new Uint8Array(20).fill(9), input: new Uint8Array(), value: 0n };
    const calls = Array.from({ length: 12_000 }, () => nobody);
    const cheap = traffic.next(devWallet(0), { gasLimit: 35_000n, action: { type: 'batch', value: calls } });
    const { refused } = await submitAll(attacked.rpc, [cheap]);
    const failure: RpcFailure | undefined = refused[0]?.failure;
    assert.equal(failure?.data['reason'], 'gas_limit_too_low', JSON.stringify(failure?.data));
    assert.equal(Number(failure?.data['needed']), 30_000 + 16 * 40 * calls.length);
    await attacked.assertSound({ peakMiB: PEAK_MIB });
  });

  afterRestart?.(() => {
    test('the chain is the same and verifies', async () => {
      await attacked.assertSound({ peakMiB: PEAK_MIB });
      const { blocks } = GetBlockSummariesResult.fromJson(
        await attacked.rpc.call('get_block_summaries', { from_height: 1, to_height: Number(await height()) }),
        'get_block_summaries',
      );
      for (const { height: at, gas_used: used } of blocks) {
        assert.ok(used <= BLOCK_GAS, `block ${at} used ${used}`);
      }
      await attacked.node.stop();
      const { code, err } = await heddle(['verify', '--data-dir', attacked.dataDir]);
      assert.equal(code, 0, err);
    });
  });
}

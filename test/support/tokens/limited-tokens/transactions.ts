import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, unhex } from '../../../outside/bytes.js';
import type { RpcClient } from '../../../outside/rpc.js';
import { devWallet, signTransaction } from '../../../outside/wallet.js';
import { counting } from '../../contracts/compute-calls.js';
import { clientWith, type LimitedTokenWorld } from './world.js';

const M = 1_000_000;
/** A call of this token may use 10 M gas, and the token 20 M at once; what it gets back meanwhile is negligible. */
const SCARCE = ['--gas', '1000'];
const BURNING = 1_000_000_000;
const SENDER = devWallet(3);

interface Simulated {
  readonly status: { readonly type: string };
  readonly gas_used: number;
}

interface RpcAnswer {
  readonly result?: Simulated & {
    readonly results: readonly Simulated[];
    readonly build: { readonly transaction: { readonly gas_limit: number } };
    readonly simulation: Simulated;
  };
  readonly error?: { readonly data: Readonly<Record<string, unknown>> };
}

/** Simulations of encoded, bundled and built transactions are settled by their use. */
export function testLimitedTransactions(world: () => LimitedTokenWorld): void {
  const client = (...flags: readonly string[]) => clientWith(world(), ...flags);

  function encoded(gasLimit: number, nonce = 0n): string {
    const input = unhex(counting(BURNING).slice(2));
    return signTransaction(SENDER, {
      chainId: world().chainId,
      nonce,
      gasLimit: BigInt(gasLimit),
      maxFee: 1_000n,
      action: { type: 'call', value: { contract: unhex(world().contract.slice(2)), input, value: 0n } },
    }).encoded;
  }

  async function ask(rpc: RpcClient, method: string, params: object): Promise<RpcAnswer> {
    const { body } = await rpc.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return JSON.parse(body.toString()) as RpcAnswer;
  }

  function assertBurnt({ result, error }: RpcAnswer, gas: number): void {
    assert.deepEqual([result?.status.type, result?.gas_used], ['out_of_gas', gas], JSON.stringify(error));
  }

  function assertRefused({ error }: RpcAnswer, kind: string, limit?: number, given?: number): void {
    const { kind: shown, subject, limit: max, given: asked } = error?.data ?? {};
    const expected = limit === undefined ? [] : ['token_gas', limit, given];
    assert.deepEqual([shown, ...(limit === undefined ? [] : [subject, max, asked])], [kind, ...expected]);
  }

  test('reserves the gas limit of an encoded transaction, and no more', async () => {
    const rpc = await client(...SCARCE);
    for (const method of ['tx_simulate', 'tx_simulate']) {
      assertBurnt(await ask(rpc, method, { encoded: encoded(9 * M) }), 9 * M);
    }
    // There is room for 2 M now: too little for the default of a call.
    assertRefused(await ask(rpc, 'tx_simulate', { encoded: encoded(3 * M) }), 'rate_limited');
    assertBurnt(await ask(rpc, 'tx_simulate', { encoded: encoded(M) }), M);
    assertRefused(await ask(rpc, 'tx_simulate', { encoded: encoded(1.5 * M) }), 'rate_limited');
    rpc.close();
  });

  test('refuses an encoded transaction whose gas limit is above that of the token', async () => {
    const rpc = await client(...SCARCE);
    for (const method of ['tx_simulate', 'tx_simulate_access', 'tx_simulate_trace']) {
      const answer = await ask(rpc, method, { encoded: encoded(11 * M) });
      assertRefused(answer, 'limit_exceeded', 10 * M, 11 * M);
    }
    rpc.close();
  });

  test('reserves the gas limits of a bundle together', async () => {
    const rpc = await client(...SCARCE);
    const bundle = (...limits: readonly number[]) =>
      ask(rpc, 'chain_simulateBundle', {
        transactions: limits.map((gas, index) => encoded(gas, BigInt(index))),
      });
    for (let n = 0; n < 2; n++) {
      const { result } = await bundle(4 * M, 4 * M);
      assert.deepEqual(
        result?.results.map((each) => [each.status.type, each.gas_used]),
        [
          ['out_of_gas', 4 * M],
          ['out_of_gas', 4 * M],
        ],
      );
    }
    assertRefused(await bundle(4 * M, 4 * M), 'rate_limited');
    assert.equal((await bundle(M, M)).result?.gas_used, 2 * M);
    rpc.close();
  });

  test('gives a bundle no more gas than one call may use', async () => {
    const rpc = await client(...SCARCE);
    const transactions = [0n, 1n, 2n].map((nonce) => encoded(4 * M, nonce));
    const answer = await ask(rpc, 'chain_simulateBundle', { transactions });
    assertRefused(answer, 'limit_exceeded', 2 * M, 4 * M);
    // What it used counts.
    assertBurnt(await ask(rpc, 'tx_simulate', { encoded: encoded(9 * M) }), 9 * M);
    assertRefused(await ask(rpc, 'tx_simulate', { encoded: encoded(4 * M) }), 'rate_limited');
    rpc.close();
  });

  test('limits the simulation of a transaction that the node builds', async () => {
    const rpc = await client('--tier', 'admin', ...SCARCE);
    const build = (more: object) =>
      ask(rpc, 'tx_build_simulate', {
        sender: `0x${hex(SENDER.address)}`,
        action: { type: 'call', value: { contract: world().contract, input: counting(BURNING) } },
        ...more,
      });
    assertRefused(await build({ gas_limit: 11 * M }), 'limit_exceeded', 10 * M, 11 * M);
    const { result, error } = await build({});
    assert.equal(result?.build.transaction.gas_limit, 10 * M, JSON.stringify(error));
    assert.deepEqual([result?.simulation.status.type, result?.simulation.gas_used], ['out_of_gas', 10 * M]);
    const { result: second } = await build({ gas_limit: 9 * M });
    assert.equal(second?.simulation.gas_used, 9 * M);
    assertRefused(await build({ gas_limit: 9 * M }), 'rate_limited');
    assertRefused(await build({}), 'rate_limited');
    const { result: last } = await build({ gas_limit: M / 2 });
    assert.equal(last?.simulation.gas_used, M / 2);
    rpc.close();
  });
}

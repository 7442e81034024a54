// Cheap calls run in the receiving thread, with the same responses as from a worker.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../src/client/client.js';
import type { Action } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { devWallet, transfer as payment, signTransaction } from '../outside/wallet.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../support/actions.js';
import { PROBE, probeCode, relayCode } from '../support/contracts/assembled-contracts.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { text } from '../support/hex.js';
import { NODE_MODE } from '../support/native-modes.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { readMetrics } from '../support/operations/metrics-lint.js';
import { CONTRACTS, contractAbi, contractCode } from '../support/worlds/contract-world.js';

const token = contractAbi('token');
/** A contract that returns its remaining gas. */
const gaugeCode = assemble({
  imports: ['gas_left', 'set_output'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: 'i32.const 0; call gas_left; i64.store; i32.const 0; i32.const 8; call set_output; i32.const 0',
    },
  ],
});
const MAX_GAS = 4_000_000;
const FLAGS = [
  '--front-threads',
  '1',
  '--seal',
  'instant',
  '--idle-block-time',
  '0',
  '--max-call-gas',
  String(MAX_GAS),
];
const MOST_ROUNDS = 200;

describe(`calls in a front thread, --native ${NODE_MODE}`, () => {
  let node: NodeProcess;
  let client: RpcClient;
  const contracts: Record<string, string> = {};

  const send = async (action: Action) => {
    const sender = connect(node.url).sender(alice);
    return (await sender.send(action, { gasLimit: 20_000_000n, wait: 'included' })).receipt;
  };
  /** The answer, or the error's code, message and details. */
  const call = async (method: string, params: object): Promise<unknown> => {
    try {
      return await client.call(method, params);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return [error.code, error.message, error.data];
    }
  };
  const view = (params: object): Promise<unknown> => call('view_call', params);
  const inPlace = async (): Promise<Record<string, number>> => {
    const page = await (await fetch(`${node.url}/metrics`)).text();
    const samples = readMetrics(page).filter(({ name }) => name === 'heddle_rpc_calls_in_place_total');
    return Object.fromEntries(samples.map(({ labels, value }) => [labels['how'], value]));
  };
  /** Repeats a call until it runs in place, because threads load contracts one after another. */
  const untilInPlace = async (params: object, method = 'view_call'): Promise<void> => {
    const runs = async () => {
      const { answered = 0, outgrown = 0 } = await inPlace();
      return answered + outgrown;
    };
    const before = await runs();
    for (let round = 0; (await runs()) === before; round++) {
      assert.ok(round < MOST_ROUNDS, `${method} of ${JSON.stringify(params)} is not run in place`);
      await pause(50);
      await call(method, params);
    }
  };
  // The time of the next block is that of the call.
  const probes = Object.values(PROBE).filter((input) => input !== PROBE.timestamp);
  /** Calls of every kind and outcome: cheap, expensive, and dependent on remaining gas. */
  const calls = (): readonly object[] => {
    const { tokens, probe, relay, gauge } = contracts;
    const ofBob = text(token.function('balance_of').encodeCall([BOB]));
    const nested = (contract: string | undefined, input: string) => `${contract}${input.slice(2)}`;
    return [
      { contract: tokens, method: 'balance_of', args: { owner: BOB } },
      { contract: tokens, input: ofBob },
      { contract: tokens, input: ofBob, at: { type: 'latest' } },
      { contract: tokens, method: 'balance_of', args: { owner: 'nobody' } },
      { contract: tokens, method: 'balance', args: {} },
      { contract: tokens, caller: ALICE, input: text(token.function('transfer').encodeCall([BOB, '1'])) },
      {
        contract: tokens,
        caller: BOB,
        input: text(token.function('transfer').encodeCall([ALICE, '999999'])),
      },
      { contract: tokens, input: '0x01020304' },
      ...probes.map((input) => ({ contract: probe, input })),
      { contract: probe, caller: ALICE, value: '5', input: PROBE.value },
      { contract: probe, caller: BOB, value: '5000000000000000000000000', input: PROBE.value },
      { contract: probe, input: PROBE.loop, gas_limit: 1_000 },
      { contract: probe, input: PROBE.height, gas_limit: 40_000 },
      { contract: probe, input: PROBE.height, gas_limit: MAX_GAS + 1 },
      { contract: relay, input: nested(tokens, ofBob) },
      { contract: relay, input: nested(probe, PROBE.loop) },
      { contract: relay, input: nested(gauge, '0x') },
      { contract: gauge, input: '0x' },
      { contract: gauge, input: '0x', gas_limit: 30_000 },
      { contract: ALICE, input: '0x' },
      { contract: tokens },
      { contract: '0x12' },
      {},
    ];
  };

  /** Repeats calls here and, by overrides, in a worker until enough of them ran here, and some outgrew this thread. */
  const expectAlike = async (
    method: string,
    list: readonly object[],
    /** Calls answered here from now on, and calls that outgrew this thread since its start. */
    least: { readonly answered: number; readonly outgrown: number },
  ): Promise<void> => {
    const { answered: before = 0 } = await inPlace();
    for (let round = 0; ; round++) {
      for (const params of list) {
        assert.deepEqual(
          await call(method, params),
          await call(method, { ...params, overrides: [] }),
          `${method} of ${JSON.stringify(params)}`,
        );
      }
      const { answered = 0, outgrown = 0 } = await inPlace();
      if (answered > before + least.answered && outgrown >= least.outgrown) return;
      assert.ok(round < MOST_ROUNDS, `${answered} answered in place, ${outgrown} outgrown`);
      await pause(50);
    }
  };

  before(async () => {
    node = await NodeProcess.start({ flags: [...FLAGS, '--native', NODE_MODE] });
    client = new RpcClient(node.url);
    const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    const deployments = {
      tokens: deployOf(Uint8Array.from(contractCode('token')), init, idl),
      probe: deployOf(probeCode),
      relay: deployOf(relayCode),
      gauge: deployOf(gaugeCode),
    };
    for (const [name, deployment] of Object.entries(deployments)) {
      const { contract } = await send(deployment);
      assert.ok(contract !== undefined);
      contracts[name] = text(contract);
    }
  });
  after(async () => {
    client?.close();
    await node?.dispose();
  });

  test('give the same results as in a worker', async () => {
    const { tokens, probe, relay, gauge } = contracts;
    const ofBob = text(token.function('balance_of').encodeCall([BOB]));
    await untilInPlace({ contract: tokens, input: ofBob });
    await untilInPlace({ contract: probe, input: PROBE.height, gas_limit: 40_000 });
    await untilInPlace({ contract: relay, input: `${tokens}${ofBob.slice(2)}` });
    await untilInPlace({ contract: gauge, input: '0x', gas_limit: 30_000 });
    // At least three calls outgrow the front thread: the loop, the nested call and the gauge of remaining gas.
    await expectAlike('view_call', calls(), { answered: 100, outgrown: 3 });
  });

  test('give the same call trees as in a worker', async () => {
    const ofBob = text(token.function('balance_of').encodeCall([BOB]));
    await untilInPlace({ contract: contracts['tokens'], input: ofBob }, 'chain_traceCall');
    await untilInPlace({ contract: contracts['probe'], input: PROBE.height }, 'chain_traceCall');
    const traced = calls().filter((params) => !('at' in params));
    const { outgrown = 0 } = await inPlace();
    await expectAlike(
      'chain_traceCall',
      [...traced, ...traced.slice(0, 6).map((params) => ({ ...params, tracers: [{ type: 'gas_profile' }] }))],
      { answered: 50, outgrown: outgrown + 1 },
    );
  });

  test('give the same simulations as in a worker', async () => {
    const { tokens, probe } = contracts;
    const transfer = text(token.function('transfer').encodeCall([BOB, '1']));
    const built = (action: object, more: object = {}) => ({ build: { sender: ALICE, action, ...more } });
    const calling = (value: object, more?: object) => built({ type: 'call', value }, more);
    const paying = (amount: string, more?: object) =>
      built({ type: 'transfer', value: { to: BOB, amount } }, more);
    await untilInPlace(calling({ contract: tokens, input: transfer }), 'tx_simulate');
    await untilInPlace(calling({ contract: probe, input: PROBE.height }), 'tx_simulate');
    const { outgrown = 0 } = await inPlace();
    const plain = {
      sender: alice.address,
      lane: 0,
      nonce: 7n,
      gas_limit: 1_000_000n,
      max_fee: 1_000_000_000n,
      priority_fee: 0n,
    };
    const chainId = ((await client.call('status', {})) as { readonly chain_id: number }).chain_id;
    const encoded = (action: Action, chain_id = BigInt(chainId)): string =>
      text(ledger.Transaction.encode({ ...plain, chain_id, action }));
    const decoded = (action: Action, chain_id = BigInt(chainId)): object => ({
      transaction: JSON.parse(ledger.Transaction.toJson({ ...plain, chain_id, action })),
    });
    const action = payment(devWallet(1).address, 1n);
    const signed = signTransaction(devWallet(0), { chainId: BigInt(chainId), nonce: 7n, action });
    const transferring = callOf(tokens ?? '', token.function('transfer').encodeCall([BOB, '1']));
    await untilInPlace(decoded(transferring), 'tx_simulate');
    const list = [
      decoded(transferring),
      decoded(transferring, 1n),
      decoded({ type: 'transfer', value: { to: devWallet(1).address, amount: 1n } }),
      decoded(deployOf(gaugeCode)),
      { ...decoded(transferring), encoded: encoded(transferring) },
      { ...decoded(transferring), ...paying('5') },
      { transaction: { action: { type: 'transfer' } } },
      { encoded: encoded(transferring) },
      { encoded: encoded(transferring, 1n) },
      { encoded: `${encoded(transferring)}00` },
      { encoded: encoded(transferring).slice(0, -2) },
      { encoded: encoded(deployOf(gaugeCode)) },
      { encoded: signed.encoded },
      { encoded: `${signed.encoded.slice(0, -2)}00` },
      paying('5'),
      paying('1', { gas_limit: 1 }),
      paying('1', { gas_limit: MAX_GAS + 1 }),
      paying('1', { lane: 3, max_fee: '0' }),
      paying('1', { valid_until: 0 }),
      paying('5000000000000000000000000000'),
      calling({ contract: tokens, input: transfer }),
      calling({ contract: tokens, method: 'transfer', args: { to: BOB, amount: '1' } }),
      calling({ contract: tokens, method: 'transfer', args: [BOB, '999999999'] }),
      calling({ contract: tokens, method: 'nothing', args: {} }),
      calling({ contract: tokens, input: transfer }, { gas_limit: 30_000 }),
      calling({ contract: tokens, input: transfer }, { gas_limit: 500_000, priority_fee: '7' }),
      calling({ contract: tokens, input: transfer, idl: 'no interface' }),
      ...probes.map((input) => calling({ contract: probe, input })),
      calling({ contract: probe, input: PROBE.value, value: '5' }),
      calling({ contract: contracts['relay'], input: `${tokens}${transfer.slice(2)}` }),
      calling({ contract: contracts['gauge'], input: '0x' }),
      calling({ contract: ALICE, input: '0x' }),
      { ...paying('1'), encoded: '0x00' },
      { build: { sender: ALICE } },
      { build: [] },
      { build: { sender: ALICE, action: { type: 'call' } } },
      { build: { sender: ALICE, action: { type: 'nothing', value: {} } } },
      {},
    ];
    await expectAlike('tx_simulate', list, { answered: 50, outgrown: outgrown + 1 });
  });

  test('include calls of one contract by another, once both are loaded', async () => {
    const { relay, tokens } = contracts;
    const input = `${tokens}${text(token.function('balance_of').encodeCall([BOB])).slice(2)}`;
    for (let round = 0; ; round++) {
      assert.ok(round < MOST_ROUNDS, 'nested calls do not run in place');
      const { answered: before = 0 } = await inPlace();
      await view({ contract: relay, input });
      if (((await inPlace())['answered'] ?? 0) > before) return;
      await pause(50);
    }
  });

  test('see the changes of the last block', async () => {
    const ofBob = { contract: contracts['tokens'], method: 'balance_of', args: { owner: BOB } };
    await untilInPlace(ofBob);
    const before = (await inPlace())['answered'] ?? 0;
    for (let sent = 1; sent <= 20; sent++) {
      await send(callOf(contracts['tokens'] ?? '', token.function('transfer').encodeCall([BOB, '1'])));
      assert.equal(((await view(ofBob)) as { decoded: string }).decoded, String(sent));
    }
    assert.ok(((await inPlace())['answered'] ?? 0) >= before + 20);
  });
});

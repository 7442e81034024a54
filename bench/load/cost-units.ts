/**
 * Processor time of the node per compute unit that a call costs, for each method with the worst parameters that are
 * known. Aim: within a factor of ten of one price per microsecond, so that no method is a cheap way to keep a node busy.
 *
 * Run: `npm run bench -- cost-units [--milliseconds 300] [--only TEXT]`.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { connect } from '../../src/client/client.js';
import type { Action, Transaction } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import { transactionHash } from '../../src/ledger/transaction-envelope.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { ALICE, alice, callOf, deployOf } from '../../test/support/actions.js';
import { heddleOk } from '../../test/support/command-line.js';
import {
  ASKING_CALL,
  BURNING_CALL,
  emitterCode,
  TRIVIAL_CALL,
} from '../../test/support/floods/flood-contracts.js';
import { text } from '../../test/support/hex.js';
import { HOSTILE_INTERFACES } from '../../test/support/hostile-interfaces.js';
import { issueToken } from '../../test/support/issue-token.js';
import { NodeProcess } from '../../test/support/node-process.js';
import { assemble } from '../../test/support/wasm-assembler.js';
import { recordFigure } from '../results/record.js';
import { benchArguments } from '../support/bench-arguments.js';
import { processCpuSeconds } from '../support/statistics.js';

const values = benchArguments({
  milliseconds: { type: 'string', default: '300' },
  only: { type: 'string', default: '' },
});

/** Microseconds of processor time that one unit pays for. */
const PRICE = 50;
const FACTOR = 10;
const UNITS = 1_000_000_000;
/** Below this, the processor time of a method is not told from the node's own. */
const LEAST_CPU_SECONDS = 0.1;
/** Calls that take less time are made by more connections at once, as they would be in a flood. */
const QUICK_MS = 20;

const node = await NodeProcess.start({
  flags: ['--max-call-ms', '20000', '--result-cache', '0', '--checkpoint-interval', '20'],
});
const { id, token } = await issueToken(node.dataDir, '--tier', 'admin', '--units', String(UNITS));
const rpc = new RpcClient(node.url, token);
const sender = connect(node.url).sender(alice);

async function send(action: Action, gasLimit = 400_000_000n) {
  const { receipt } = await sender.send(action, { gasLimit, maxFee: 10_000_000_000n, wait: 'included' });
  if (receipt.status.type !== 'success') throw new Error(JSON.stringify(receipt.status));
  return receipt;
}

async function deploy(code: Uint8Array, idl?: string): Promise<string> {
  const { contract } = await send(deployOf(code, undefined, idl));
  if (contract === undefined) throw new Error('nothing was deployed');
  return text(contract);
}

/** Units move between the store and the front threads, so only a figure that stays is right. */
async function unitsLeft(): Promise<number> {
  for (let last = Number.NaN; ; ) {
    const shown = await heddleOk(['token', 'show', id, '--json', '--data-dir', node.dataDir]);
    const { left } = JSON.parse(shown) as { left: number };
    if (left === last) return left;
    last = left;
  }
}

const ZERO = `0x${'00'.repeat(32)}`;
const EVENTS = 5_000;
const TRIVIAL = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }],
});
const WORST_TEXT = HOSTILE_INTERFACES['functions of two types']?.() ?? '';
/** A text of 64 KiB that no other contract has. */
const textOf = (nth: number): string =>
  `${WORST_TEXT.slice(0, WORST_TEXT.lastIndexOf(';view') + 1)}view zz${nth}();}`;

/** Blocks full of events, a long transaction, and more contracts with long interfaces than a listing shows. */
async function fill() {
  const emitter = await deploy(emitterCode(EVENTS, 8));
  const firstEvents = await send(callOf(emitter, '0x'));
  for (let i = 0; i < 5; i++) await send(callOf(emitter, '0x'));
  const sparse = await deploy(emitterCode(1, 8));
  for (let i = 0; i < 4; i++) {
    await Promise.all(
      Array.from({ length: 60 }, () =>
        sender.send(callOf(sparse, '0x'), {
          gasLimit: 1_000_000n,
          maxFee: 10_000_000_000n,
          wait: 'included',
        }),
      ),
    );
  }
  const quiet = await deploy(TRIVIAL);
  const long = await send(callOf(quiet, new Uint8Array(400_000)));
  const withTexts: { contract: string; hash: string }[] = [];
  for (let i = 0; i < 12; i++) {
    const contract = await deploy(TRIVIAL, textOf(i));
    const { tx_hash } = await send(callOf(contract, `0x0000000${i.toString(16)}`));
    withTexts.push({ contract, hash: text(tx_hash) });
  }
  return { emitter, sparse, long, firstEvents, withTexts };
}

interface Case {
  readonly name: string;
  readonly method: string;
  readonly params: (nth: number) => object;
  /** Message of the refusal, for calls that are worst when they are refused. */
  readonly fails?: RegExp;
}

async function cases({
  emitter,
  sparse,
  long,
  firstEvents,
  withTexts,
}: Awaited<ReturnType<typeof fill>>): Promise<Case[]> {
  const client = connect(node.url);
  const { chain_id: chainId } = await client.status();
  const checkpoint = Number((await client.get_checkpoint_list()).checkpoints[0]?.height ?? 0n);
  const nonce = (await client.account({ address: alice.address })).lanes[0]?.next_nonce ?? 0n;
  const of = (method: string, params: object = {}, name = method): Case => ({
    name,
    method,
    params: () => params,
  });
  const eventHeight = Number(firstEvents.height);
  const fresh = (nth: number) => `0x${(nth + 1_000_000).toString(16).padStart(40, '0')}`;
  const transaction = (nth: number, action: Transaction['action']): Transaction => ({
    chain_id: chainId,
    ...{
      sender: alice.address,
      lane: 0,
      nonce: nonce + BigInt(nth),
      gas_limit: action.type === 'call' ? 20_000_000n : 100_000n,
    },
    ...{ max_fee: 1_000_000_000n, priority_fee: 0n, action },
  });
  /** With a wrong signature of the right key. */
  const badlySigned = (bytes: number) => ({
    encoded: text(
      ledger.SignedTransaction.encode({
        transaction: transaction(0, callOf(emitter, new Uint8Array(bytes))),
        signature: {
          type: 'ed25519',
          value: { public_key: alice.publicKey, signature: new Uint8Array(64).fill(1) },
        },
      }),
    ),
  });
  const build = {
    sender: ALICE,
    action: { type: 'call', value: { contract: emitter, input: '0x', value: '0' } },
  };
  const bundled = await Promise.all(
    Array.from({ length: 64 }, async (_, nth) => {
      const each = transaction(nth, { type: 'transfer', value: { to: alice.address, amount: 1n } });
      const hash = transactionHash(ledger.Transaction.encode(each), { sha256 });
      const signature = await alice.sign(nth === 63 ? new Uint8Array(32) : hash);
      return text(ledger.SignedTransaction.encode({ transaction: each, signature }));
    }),
  );
  return [
    of('status'),
    of('health'),
    of('readiness'),
    of('validator_status'),
    of('account', { address: ALICE }),
    { name: 'account, fresh', method: 'account', params: (nth) => ({ address: fresh(nth) }) },
    {
      name: 'accounts, 1,000 fresh',
      method: 'accounts',
      params: (nth) => ({ addresses: Array.from({ length: 1_000 }, (_, i) => fresh(nth * 1_000 + i)) }),
    },
    of('predict_address', { deployer: ALICE }),
    of('contract_metadata', { address: emitter }),
    of('contract_idl', { address: withTexts[0]?.contract }),
    of('view_call', { ...TRIVIAL_CALL }, 'view_call, trivial'),
    of('view_call', { ...BURNING_CALL }, 'view_call, all gas'),
    {
      name: 'view_call, interface text',
      method: 'view_call',
      params: (nth) => ({ ...TRIVIAL_CALL, idl: textOf(nth) }),
    },
    {
      name: 'tx_submit, bad signature',
      method: 'tx_submit',
      params: () => badlySigned(1),
      fails: /signature/,
    },
    {
      name: 'tx_submit, bad signature over 400 KB',
      method: 'tx_submit',
      params: () => badlySigned(400_000),
      fails: /signature/,
    },
    of('tx_by_hash', { tx_hash: text(long.tx_hash) }, 'tx_by_hash, 400 KB'),
    of('tx_receipt', { tx_hash: text(firstEvents.tx_hash) }, 'tx_receipt, 5,000 events'),
    {
      name: 'tx_receipt, of many interfaces',
      method: 'tx_receipt',
      params: (nth) => ({ tx_hash: withTexts[nth % withTexts.length]?.hash }),
    },
    of('tx_simulate', { build }, 'tx_simulate, 5,000 events'),
    of('tx_simulate_access', { build }, 'tx_simulate_access, 5,000 events'),
    of('tx_simulate_trace', { build }, 'tx_simulate_trace, 5,000 events'),
    of('chain_traceCall', { ...BURNING_CALL }, 'chain_traceCall, all gas'),
    of(
      'chain_traceTransaction',
      { tx_hash: text(firstEvents.tx_hash) },
      'chain_traceTransaction, 5,000 events',
    ),
    of(
      'tx_simulate_pipeline',
      { steps: [{ type: 'view', value: { ...BURNING_CALL, gas_limit: 500_000_000 } }] },
      'tx_simulate_pipeline, gas',
    ),
    of('list_blocks', { limit: 500 }),
    of('list_txs', { limit: 500 }),
    of('list_txs_by_sender', { sender: ALICE, limit: 500 }),
    of('list_txs_by_contract', { contract: emitter, limit: 500 }),
    of('list_pending_txs'),
    of('txpool_stats'),
    of('get_logs', { limit: 10_000 }, 'get_logs, all'),
    of('get_logs', { contract: emitter, limit: 10_000 }, 'get_logs, of a contract'),
    of('get_logs', { contract: emitter, topics: [[], [ZERO]] }, 'get_logs, none matches'),
    of('get_logs', { contract: sparse, topics: [[], [ZERO]] }, 'get_logs, none of many transactions matches'),
    of('get_blocks', { from_height: eventHeight, to_height: 1_000_000 }),
    of('get_block_summaries', { from_height: 0, to_height: 1_000_000 }),
    of('get_txs_in_range', { from_height: 0, to_height: 1_000_000 }),
    of('finality_proof', { height: 1 }),
    of('light_client_context'),
    of('state_proof', { contract: emitter, slot: ZERO }),
    of('finalized_history_root', { height: 5 }),
    of('finalized_history_proof', { height: 1 }),
    of('get_checkpoint_list'),
    of('list_checkpoints'),
    of('get_checkpoint', { height: checkpoint }),
    of('get_light_snapshot', { height: checkpoint }),
    of('get_snapshot_chunk', { height: checkpoint, index: 0 }),
    of('get_epoch_key'),
    of('tx_build', build),
    of('tx_build_simulate', build, 'tx_build_simulate, 5,000 events'),
    of('chain_simulateBundle', { transactions: bundled.slice(0, 63) }, 'chain_simulateBundle, 63 signatures'),
    of('chain_traceCall', { ...ASKING_CALL }, 'chain_traceCall, host operations'),
    {
      name: 'tx_submit_sealed, not an envelope',
      method: 'tx_submit_sealed',
      params: () => ({ envelope: `0x${'00'.repeat(400_000)}` }),
      fails: /envelope/,
    },
    {
      name: 'tx_submit_bundle, 64 signatures, the last one bad',
      method: 'tx_submit_bundle',
      params: () => ({ transactions: bundled }),
      fails: /signature/,
    },
    of('rpc.discover'),
  ];
}

interface Measured {
  readonly microseconds: number;
  readonly units: number;
}

async function measure({ method, params, fails }: Case, idle: number): Promise<Measured | string> {
  const call = async (nth: number): Promise<string | undefined> => {
    try {
      await rpc.call(method, params(nth));
      return fails === undefined ? undefined : 'succeeded';
    } catch (error) {
      return fails?.test(String(error)) ? undefined : String(error).slice(0, 160);
    }
  };
  // The first calls are unmeasured, so that everything is compiled; interfaces are kept from then on.
  let nth = 0;
  const first = performance.now();
  for (; nth < 50 && performance.now() - first < 100; nth++) {
    const problem = await call(nth);
    if (problem !== undefined) return problem;
  }
  const isQuick = (performance.now() - first) / nth < QUICK_MS;
  const atOnce = isQuick ? 16 : 4;
  const left = await unitsLeft();
  const begun = performance.now();
  const cpu = processCpuSeconds(node.pid);
  let calls = 0;
  let used = 0;
  while (performance.now() - begun < Number(values.milliseconds) || used < LEAST_CPU_SECONDS) {
    await Promise.all(Array.from({ length: atOnce }, (_, i) => call(nth + i)));
    nth += atOnce;
    calls += atOnce;
    used = processCpuSeconds(node.pid) - cpu - (idle * (performance.now() - begun)) / 1_000;
  }
  const spent = left - (await unitsLeft());
  return { microseconds: (used * 1e6) / calls, units: spent / calls };
}

/** Admins alone call it, with the chunks of a snapshot. */
const UNMEASURED: ReadonlySet<string> = new Set(['import_snapshot_chunk']);

const rows: object[] = [];
try {
  const all = await cases(await fill());
  const quietFrom = performance.now();
  const quietCpu = processCpuSeconds(node.pid);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = ((processCpuSeconds(node.pid) - quietCpu) * 1_000) / (performance.now() - quietFrom);
  for (const each of all.filter(({ name }) => name.includes(values.only))) {
    const measured = await measure(each, idle);
    if (typeof measured === 'string') {
      rows.push({ method: each.name, problem: measured });
      console.log(`${each.name}: ${measured}`);
      continue;
    }
    const { microseconds, units } = measured;
    const perUnit = microseconds / units;
    const outside = perUnit > PRICE * FACTOR || perUnit < PRICE / FACTOR;
    rows.push({
      method: each.name,
      'µs a call': Math.round(microseconds),
      units: Number(units.toFixed(1)),
      'µs a unit': Number(perUnit.toFixed(1)),
      '': outside ? 'OUTSIDE' : '',
    });
    recordFigure({
      name: `${each.name}: processor time of a unit`,
      unit: 'µs',
      better: 'lower',
      rounds: [perUnit],
      aim: { of: 'value', at: 'most', bound: PRICE * FACTOR },
    });
  }
  console.table(rows);
  const measured = new Set(all.map(({ method }) => method));
  const missing = [...rpcMethods.keys()].filter((name) => !measured.has(name) && !UNMEASURED.has(name));
  if (missing.length > 0) throw new Error(`no call of ${missing.join(', ')} is measured`);
} finally {
  rpc.close();
  await node.dispose();
}

/**
 * Cost of tracing every transaction of a block, one after another, against executing the block once. The block has
 * token transfers; the worker's code traces them in this thread, and the pool traces them one at a time. Shows the
 * CPU time of all threads beside wall-clock time, which says little on a busy machine. An unmeasured warm-up comes
 * first, because compiled code is fast only after some rounds.
 *
 * Run: `npm run bench -- trace [--transactions 1000] [--rounds 9] [--warm-up 8] [--workers 1]`. The
 * target in a worker is at most 3 times the CPU time of executing the block once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, devAccount } from '../src/client/client.js';
import { encodeCall, parseInterface } from '../src/client/contract-interface.js';
import { loadConfig } from '../src/config/config.js';
import { packageRoot } from '../src/config/package-info.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { committedHashes } from '../src/execution/block-environment.js';
import { CallRunner } from '../src/execution/calls/call-runner.js';
import { ContractMachine } from '../src/execution/contract-machine.js';
import { executeTransaction, inclusionProblem } from '../src/execution/execute-transaction.js';
import { createClaim, decodeWantedWriteLog } from '../src/execution/tracing/replay-messages.js';
import { ChangeTable } from '../src/execution/views/change-table.js';
import { StateCache } from '../src/execution/views/state-cache.js';
import { StateReferences } from '../src/execution/views/state-reference.js';
import { WorldState } from '../src/execution/world-state.js';
import type { Action } from '../src/generated/ledger.js';
import { ledger } from '../src/ledger/codecs.js';
import { ContractInterfaces } from '../src/ledger/contract-interfaces.js';
import { devGenesis } from '../src/ledger/dev-genesis.js';
import { rpcTypes } from '../src/ledger/rpc-codecs.js';
import { transactionFromItem } from '../src/ledger/transaction-envelope.js';
import { createLogger } from '../src/log.js';
import { openCore } from '../src/node/core/open-core.js';
import { nativeReport, openBase } from '../src/node/open-base.js';
import { Teardown } from '../src/node/teardown.js';
import { startNode } from '../src/node.js';
import { EngineRegistry } from '../src/vm/engine-registry.js';
import { createHostCrypto } from '../src/vm/host-crypto.js';
import { WasmEngine } from '../src/vm/wasm/wasm-engine.js';
import { benchArguments } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';
import { printReport, quantile } from './support/statistics.js';

const ACCOUNTS = 10;
const values = benchArguments({
  transactions: { type: 'string', default: '1000' },
  rounds: { type: 'string', default: '9' },
  'warm-up': { type: 'string', default: '8' },
  workers: { type: 'string', default: '1' },
});
const transactions = Number(values.transactions);
const warmUp = Number(values['warm-up']);
const TIME_MS = 1_800_000_000_000;

interface Figure {
  /** Milliseconds. */
  readonly time: number;
  readonly cpu: number;
}

async function measure(work: () => void | Promise<void>): Promise<Figure> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { time: performance.now() - started, cpu: (user + system) / 1000 };
}

const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
const config = loadConfig({
  flags: { 'data-dir': join(directory, 'data'), port: '0', workers: values.workers, 'log-level': 'error' },
  environment: {},
  workingDirectory: directory,
});
const log = await createLogger(config);
const report = nativeReport(log);

/** Seals one block of token transfers between ten accounts. Returns its height. */
async function sealBlock(): Promise<bigint> {
  const node = await startNode(config, log, { sealing: 'manual' });
  try {
    const client = connect(node.url);
    const folder = join(packageRoot(), 'contracts', 'token');
    const idl = readFileSync(join(folder, 'token.idl'), 'utf8');
    const abi = parseInterface(idl);
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => devAccount(index));
    const addressOf = (index: number): Uint8Array => (accounts[index % ACCOUNTS] ?? devAccount(0)).address;
    const owner = addressOf(0);
    const { address: contract } = await client.predict_address({ deployer: owner });
    const send = async (from: number, action: Action, gasLimit: bigint): Promise<void> => {
      await client.sender(accounts[from % ACCOUNTS] ?? devAccount(0)).send(action, { gasLimit });
    };
    const pay = (from: number, to: number, amount: number): Promise<void> => {
      const input = encodeCall(abi, 'transfer', [addressOf(to), amount]);
      return send(from, { type: 'call', value: { contract, input, value: 0n } }, 150_000n);
    };
    const code = Uint8Array.from(readFileSync(join(folder, 'token.wasm')));
    const input = encodeCall(abi, 'init', ['Thread', 'THR', 0, 1_000_000_000, owner, owner]);
    const deploy = { vm: { type: 'wasm' }, code, idl, abi_version: 1, input, value: 0n } as const;
    await send(
      0,
      { type: 'deploy', value: { ...deploy, upgrade_policy: { type: 'immutable' } } },
      50_000_000n,
    );
    await node.sealNow(TIME_MS);
    for (let to = 1; to < ACCOUNTS; to++) await pay(0, to, 1_000_000);
    await node.sealNow(TIME_MS + 1_000);
    for (let count = 0; count < transactions; count++) await pay(count, count * 7 + 1, 1 + (count % 5));
    await node.sealNow(TIME_MS + 2_000);
    return (await client.status()).tip.height;
  } finally {
    await node.stop();
  }
}

const height = await sealBlock();
const teardown = new Teardown();
try {
  const base = await openBase({ config, log, report, teardown });
  const fail = (error: Error): void => {
    throw error;
  };
  const core = await openCore(
    {
      config,
      log,
      report,
      teardown,
      now: Date.now,
      chainNow: Date.now,
      fail,
      faults: { report: fail },
    },
    base,
    devGenesis(base.crypto),
  );
  const { store, crypto } = base;
  const { blocks, calls } = core;
  // The engine runs in this thread, because this code is trusted and needs no deep stack.
  const engine = new WasmEngine({ crypto: createHostCrypto(crypto, await loadBls('auto')) });
  const machine = new ContractMachine({
    engines: new EngineRegistry({ wasm: engine }),
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: committedHashes(store),
  });
  const setup = {
    maxCallGas: config.maxCallGas,
    maxPipelineSteps: 100,
    maxBundleTransactions: 100,
    changes: ChangeTable.create(Number(height)).shared,
  };
  const head = { tipHeight: Number(height), finalizedHeight: Number(height), nowMs: 0 };
  const hashes = blocks.receipts(height).map(({ receipt }) => receipt.tx_hash);
  if (hashes.length !== transactions) throw new Error(`the block has ${hashes.length} transactions`);

  /** Executes the block once: decoding, hashing, and encoding of receipts included. */
  const once = (): void => {
    const cache = new StateCache({ store, crypto, changes: ChangeTable.attach(setup.changes) });
    const { parent, block } = new StateReferences({ store, crypto, machine, cache }).executed(
      Number(height),
      head,
    );
    const state = new WorldState(parent);
    for (const item of blocks.encodedItems(height)) {
      const { sender, signed, hash } = transactionFromItem(item, crypto);
      const { transaction } = signed;
      const problem = inclusionProblem(transaction, sender, state, block.env);
      if (problem !== undefined) throw new Error(problem);
      const { outcome, gasUsed, fee, output, logs } = executeTransaction(transaction, sender, {
        state,
        env: block.env,
        machine,
      });
      ledger.LedgerReceipt.encode({
        tx_hash: hash,
        outcome: { type: outcome },
        gas_used: gasUsed,
        fee,
        output,
        logs,
      });
    }
  };

  const requests = hashes.map((hash) => {
    const params = rpcTypes.ChainTraceTransactionArgs.toJson({ tx_hash: hash });
    return { kind: 'chain_traceTransaction', params } as const;
  });

  /** Traces all transactions with a worker's code in this thread. */
  const inThread = (): void => {
    const runner = new CallRunner(setup, {
      store,
      crypto,
      machine,
      interfaces: new ContractInterfaces(store, crypto),
    });
    const parts: SharedArrayBuffer[] = [];
    const claim = createClaim();
    let covered = 0;
    for (const call of requests) {
      let answer = runner.answer(call, head).json;
      const wanted = decodeWantedWriteLog(answer);
      if (wanted !== undefined) {
        while (covered < wanted.index) {
          const upTo = Math.max(wanted.index, 2 * covered, 32);
          const { height } = wanted;
          const request = { height, covered, upTo, round: parts.length + 1, ticket: 1 };
          const writeLog = { height, parts, claim };
          const made = runner.answer({ kind: 'replay', request, writeLog }, head);
          if (made.part !== undefined) parts.push(made.part);
          covered = JSON.parse(made.json).covered;
        }
        answer = runner.answer({ ...call, writeLog: { height: wanted.height, parts } }, head).json;
      }
      if (!answer.startsWith('{"receipt"')) throw new Error(answer.slice(0, 200));
    }
  };

  /** Traces all transactions through the pool, one after another. */
  const pooled = async (): Promise<void> => {
    for (const call of requests) {
      await new Promise<unknown>((resolve, reject) => calls.ask(call, { resolve, reject }));
    }
  };

  const ways = { once, inThread, pooled };
  const figures: { readonly [W in keyof typeof ways]: Figure[] } = { once: [], inThread: [], pooled: [] };
  for (let round = 0; round < warmUp + Number(values.rounds); round++) {
    for (const way of ['once', 'inThread', 'pooled'] as const) {
      const figure = await measure(ways[way]);
      if (round >= warmUp) figures[way].push(figure);
    }
  }
  const median = (way: keyof typeof ways, of: keyof Figure): number =>
    quantile(
      figures[way].map((figure) => figure[of]),
      0.5,
    );
  const cpuOf = (way: keyof typeof ways) => figures[way].map(({ cpu }) => cpu);
  const baselines = [{ name: 'the block executed once', rounds: cpuOf('once') }];
  const table = `a block of ${transactions} transactions`;
  const aim = { of: 'ratio', at: 'most', bound: 3 } as const;
  recordCost(`${table}: CPU of its traces, as a worker makes them`, 'ms', cpuOf('inThread'), {
    baselines,
    aim,
  });
  recordCost(`${table}: CPU of its traces through the pool`, 'ms', cpuOf('pooled'), { baselines });
  printReport(`Tracing all ${transactions} transactions of a block, one after another`, {
    'the block executed once, CPU ms': median('once', 'cpu'),
    'its traces, as a worker makes them, CPU ms': median('inThread', 'cpu'),
    'times the block (aim: 3)': median('inThread', 'cpu') / median('once', 'cpu'),
    'its traces through the pool, CPU ms': median('pooled', 'cpu'),
    'through the pool, ms that pass': median('pooled', 'time'),
  });
} finally {
  await teardown.run();
  rmSync(directory, { recursive: true, force: true });
}

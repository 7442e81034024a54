/**
 * Overhead of the pool for a view call: calls through CallScheduler and its workers, 64 in flight, against the same calls
 * answered by a CallRunner in this thread, alternately in one run. Shows the CPU time of all threads
 * per call beside wall-clock time, which says little on a busy machine.
 *
 * Run: `npm run bench -- views-pool [--rounds 5] [--calls 100000]`. Aim: under 4 µs a call.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, devAccount } from '../src/client/client.js';
import { loadConfig } from '../src/config/config.js';
import { packageRoot } from '../src/config/package-info.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { committedHashes } from '../src/execution/block-environment.js';
import { encodeBatch, encodeCall } from '../src/execution/calls/call-batch.js';
import { CallRunner } from '../src/execution/calls/call-runner.js';
import { createProgressMemory } from '../src/execution/calls/call-tasks.js';
import { ContractMachine } from '../src/execution/contract-machine.js';
import { ChangeTable } from '../src/execution/views/change-table.js';
import type { ViewCallArgs } from '../src/generated/node-rpc-v1.js';
import { toPrefixedHex } from '../src/idl/hex.js';
import { ContractInterfaces } from '../src/ledger/contract-interfaces.js';
import { devGenesis } from '../src/ledger/dev-genesis.js';
import { rpcTypes } from '../src/ledger/rpc-codecs.js';
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
import { quantile } from './support/statistics.js';

const IN_FLIGHT = 64;
const values = benchArguments({
  rounds: { type: 'string', default: '5' },
  calls: { type: 'string', default: '100000' },
});
const calls = Number(values.calls);

interface Figure {
  /** Microseconds. */
  readonly time: number;
  readonly cpu: number;
}

async function measure(work: () => Promise<void>): Promise<Figure> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { time: ((performance.now() - started) * 1000) / calls, cpu: (user + system) / calls };
}

const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
const config = loadConfig({
  flags: { 'data-dir': join(directory, 'data'), port: '0', workers: '1', 'log-level': 'error' },
  environment: {},
  workingDirectory: directory,
});
const log = await createLogger(config);
const report = nativeReport(log);
const alice = devAccount(0);
const owner = toPrefixedHex(alice.address);

async function deployToken(): Promise<Uint8Array> {
  const folder = join(packageRoot(), 'contracts', 'token');
  const node = await startNode(config, log);
  try {
    const { contract } = await connect(node.url)
      .sender(alice)
      .deploy({
        code: Uint8Array.from(readFileSync(join(folder, 'token.wasm'))),
        idl: readFileSync(join(folder, 'token.idl'), 'utf8'),
        init: ['Thread', 'THR', 0, '1000000', owner, owner],
      });
    return contract.address;
  } finally {
    await node.stop();
  }
}

const contract = await deployToken();
const teardown = new Teardown();
const fail = (error: unknown): void => {
  throw error;
};
try {
  const base = await openBase({ config, log, report, teardown });
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
  const { chain, views } = core;
  const interfaces = new ContractInterfaces(store, crypto);
  // The engine runs in this thread, because this code is trusted and needs no deep stack.
  const engine = new WasmEngine({ crypto: createHostCrypto(crypto, await loadBls('auto')) });
  const machine = new ContractMachine({
    engines: new EngineRegistry({ wasm: engine }),
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: committedHashes(store),
  });
  const tipHeight = Number(chain.tip.header.height);
  const runner = new CallRunner(
    {
      maxCallGas: config.maxCallGas,
      maxPipelineSteps: 100,
      maxBundleTransactions: 100,
      changes: ChangeTable.create(tipHeight).shared,
      progress: createProgressMemory(1),
    },
    { store, crypto, interfaces, machine },
  );
  const input = interfaces.at(contract, BigInt(tipHeight))?.function('balance_of').encodeCall([owner]);
  if (input === undefined) throw new Error('the token has no interface');
  const args: ViewCallArgs = { contract, input };
  const batch = encodeBatch(
    { task: 0, tipHeight, finalizedHeight: tipHeight, nowMs: 0 },
    Array.from({ length: IN_FLIGHT }, () => encodeCall('view_call', rpcTypes.ViewCallArgs.toJson(args))),
  );

  const direct = async (): Promise<void> => {
    for (let done = 0; done < calls; done += IN_FLIGHT) runner.run(batch);
  };
  const pooled = (): Promise<void> =>
    new Promise((resolve) => {
      let started = 0;
      let done = 0;
      const next = (): void => {
        if (started >= calls) return;
        started++;
        views.ask(encodeCall('view_call', rpcTypes.ViewCallArgs.toJson(args)), answered, fail);
      };
      const answered = (): void => {
        done++;
        if (done >= calls) resolve();
        else next();
      };
      for (let i = 0; i < IN_FLIGHT; i++) next();
    });

  const alone: Figure[] = [];
  const through: Figure[] = [];
  await direct();
  await pooled();
  for (let round = 0; round < Number(values.rounds); round++) {
    alone.push(await measure(direct));
    through.push(await measure(pooled));
  }
  for (const of of ['time', 'cpu'] as const) {
    recordCost(
      `${of === 'cpu' ? 'CPU' : 'time'} per call through the pool`,
      'µs',
      through.map((each) => each[of]),
      {
        baselines: [{ name: 'in this thread', rounds: alone.map((each) => each[of]) }],
      },
    );
  }
  recordCost(
    'CPU that the pool adds to a call',
    'µs',
    through.map(({ cpu }, round) => cpu - (alone[round]?.cpu ?? 0)),
    { aim: { of: 'value', at: 'most', bound: 4 } },
  );
  const median = (figures: readonly Figure[], of: keyof Figure) =>
    quantile(
      figures.map((figure) => figure[of]),
      0.5,
    );
  for (const of of ['time', 'cpu'] as const) {
    const [a, b] = [median(alone, of), median(through, of)];
    console.log(
      `${of.padEnd(5)} a call: in this thread ${a.toFixed(2)} µs, through the pool ${b.toFixed(2)} µs, pool ${(b - a).toFixed(2)} µs`,
    );
  }
} finally {
  await teardown.run();
  rmSync(directory, { recursive: true, force: true });
}

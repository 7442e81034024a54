/**
 * A worker's work for a call, in this thread and without messages: a token balance by a view; a transfer as a view; the
 * same transfer simulated, built by the node or encoded by the client; its call tree. Measures the CPU time of the whole
 * process, garbage collection included.
 *
 * Run: `npm run bench -- calls [--calls 20000] [--rounds 7] [--only TEXT] [--dump FILE]`.
 * `--dump` writes the answers, a line for each call. There is no target: compare the figures of two builds, run
 * alternately.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, devAccount } from '../src/client/client.js';
import { encodeCall as encodeInput, parseInterface } from '../src/client/contract-interface.js';
import { loadConfig } from '../src/config/config.js';
import { packageRoot } from '../src/config/package-info.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { committedHashes } from '../src/execution/block-environment.js';
import { CallRunner } from '../src/execution/calls/call-runner.js';
import type { WorkerCall } from '../src/execution/calls/worker-call.js';
import { ContractMachine } from '../src/execution/contract-machine.js';
import type { CallKind } from '../src/execution/views/batched-calls.js';
import { ChangeTable } from '../src/execution/views/change-table.js';
import type { ViewCallArgs } from '../src/generated/node-rpc-v1.js';
import { ledger } from '../src/ledger/codecs.js';
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
import { printReport, quantile } from './support/statistics.js';

const values = benchArguments({
  calls: { type: 'string', default: '20000' },
  rounds: { type: 'string', default: '7' },
  only: { type: 'string', default: '' },
  dump: { type: 'string', default: '' },
});
const CALLS = Number(values.calls);
const TIME_MS = 1_800_000_000_000;
/** Number of owners and recipients that the calls cycle through. */
const PEOPLE = 64;

const folder = join(packageRoot(), 'contracts', 'token');
const idl = readFileSync(join(folder, 'token.idl'), 'utf8');
const abi = parseInterface(idl);
const owner = devAccount(0).address;
const person = (index: number): Uint8Array => new Uint8Array(20).fill(0x10 + (index % PEOPLE));

const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
const config = loadConfig({
  flags: { 'data-dir': join(directory, 'data'), port: '0', workers: '1', 'log-level': 'error' },
  environment: {},
  workingDirectory: directory,
});
const log = await createLogger(config);
const report = nativeReport(log);

/** Deploys a token owned by the first account; half of the people hold some. @returns its address */
async function deployToken(): Promise<Uint8Array> {
  const node = await startNode(config, log, { sealing: 'manual' });
  try {
    const client = connect(node.url);
    const { address: contract } = await client.predict_address({ deployer: owner });
    const sender = client.sender(devAccount(0));
    const code = Uint8Array.from(readFileSync(join(folder, 'token.wasm')));
    const input = encodeInput(abi, 'init', ['Thread', 'THR', 0, 1_000_000_000, owner, owner]);
    const deploy = { vm: { type: 'wasm' }, code, idl, abi_version: 1, input, value: 0n } as const;
    await sender.send(
      { type: 'deploy', value: { ...deploy, upgrade_policy: { type: 'immutable' } } },
      { gasLimit: 50_000_000n },
    );
    await node.sealNow(TIME_MS);
    for (let to = 0; to < PEOPLE; to += 2) {
      const pay = encodeInput(abi, 'transfer', [person(to), 1_000]);
      await sender.send(
        { type: 'call', value: { contract, input: pay, value: 0n } },
        { gasLimit: 1_000_000n },
      );
    }
    await node.sealNow(TIME_MS + 1_000);
    return contract;
  } finally {
    await node.stop();
  }
}

const contract = await deployToken();
const callOf = (kind: CallKind, params: string): WorkerCall => ({ kind, params });

const teardown = new Teardown();
try {
  const base = await openBase({ config, log, report, teardown });
  const fail = (error: Error): void => {
    throw error;
  };
  const genesis = devGenesis(base.crypto);
  const core = await openCore(
    { config, log, report, teardown, now: Date.now, chainNow: Date.now, fail, faults: { report: fail } },
    base,
    genesis,
  );
  const { store, crypto } = base;
  const { chain } = core;
  const tip = Number(chain.tip.header.height);
  // The engine runs in this thread, because this code is trusted and needs no deep stack.
  const engine = new WasmEngine({ crypto: createHostCrypto(crypto, await loadBls('auto')) });
  const machine = new ContractMachine({
    engines: new EngineRegistry({ wasm: engine }),
    crypto,
    prepared: (key) => store.get('prepared', key),
    committedHash: committedHashes(store),
  });
  const runner = new CallRunner(
    {
      maxCallGas: config.maxCallGas,
      maxPipelineSteps: 100,
      maxBundleTransactions: 100,
      changes: ChangeTable.create(tip).shared,
    },
    { store, crypto, machine, interfaces: new ContractInterfaces(store, crypto) },
  );
  const head = { tipHeight: tip, finalizedHeight: tip, nowMs: TIME_MS + 2_000 };

  const transferTo = (index: number): Uint8Array =>
    encodeInput(abi, 'transfer', [person(index), 1 + (index % 9)]);
  const encodedTransfer = (index: number): Uint8Array =>
    ledger.Transaction.encode({
      chain_id: genesis.chain_id,
      sender: owner,
      lane: 0,
      nonce: 7n,
      gas_limit: 1_000_000n,
      max_fee: 1_000_000_000n,
      priority_fee: 0n,
      action: { type: 'call', value: { contract, input: transferTo(index), value: 0n } },
    });
  const view = (args: ViewCallArgs) => callOf('view_call', rpcTypes.ViewCallArgs.toJson(args));
  const kinds: Readonly<Record<string, (index: number) => WorkerCall>> = {
    'token balance, view': (index) =>
      view({ contract, input: encodeInput(abi, 'balance_of', [person(index)]) }),
    'token transfer, view': (index) => view({ contract, caller: owner, input: transferTo(index) }),
    'token transfer, simulated, built': (index) =>
      callOf(
        'tx_simulate',
        rpcTypes.TxSimulateArgs.toJson({
          build: {
            sender: owner,
            action: { type: 'call', value: { contract, input: transferTo(index) } },
          },
        }),
      ),
    'token transfer, simulated, encoded': (index) =>
      callOf('tx_simulate', rpcTypes.TxSimulateArgs.toJson({ encoded: encodedTransfer(index) })),
    'token transfer, call tree': (index) =>
      callOf(
        'chain_traceCall',
        rpcTypes.ChainTraceCallArgs.toJson({ contract, caller: owner, input: transferTo(index) }),
      ),
  };

  const chosen = Object.entries(kinds).filter(([name]) => name.includes(values.only));
  const calls = new Map(
    chosen.map(([name, make]) => [name, Array.from({ length: PEOPLE }, (_, index) => make(index))]),
  );
  const answerTo = (call: WorkerCall): string => runner.answer(call, head).json;
  if (values.dump !== '') {
    const answers = [...calls].flatMap(([name, made]) => [name, ...made.map(answerTo)]);
    writeFileSync(values.dump, answers.join('\n'));
  }
  const micros = new Map(chosen.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, made] of calls) {
      const before = process.cpuUsage();
      let done = 0;
      for (; done < CALLS; done++) {
        const call = made[done % made.length];
        const answer = call === undefined ? '' : answerTo(call);
        if (!answer.includes('"success"')) throw new Error(`${name}: ${answer.slice(0, 300)}`);
      }
      const { user, system } = process.cpuUsage(before);
      if (round > 0) micros.get(name)?.push((user + system) / done);
    }
  }
  for (const [name, samples] of micros) recordCost(`${name}: CPU of the worker per call`, 'µs', samples);
  printReport(
    'A worker’s part of a call, CPU µs: least, then median of the rounds',
    Object.fromEntries(
      [...micros].flatMap(([name, samples]) => [
        [`${name}, least`, quantile(samples, 0)],
        [`${name}, median`, quantile(samples, 0.5)],
      ]),
    ),
  );
} finally {
  await teardown.run();
  rmSync(directory, { recursive: true, force: true });
}

/**
 * `view_call` over HTTP against bare uWebSockets.js that parses the same JSON and answers the same text, alternately
 * in one run, with several numbers of connections. The calls: a contract that answers at once, and a token balance,
 * raw and by name.
 *
 * Run: `npm run bench -- views [--rounds 3] [--milliseconds 2000] [--connections 16,64,256] [--node-flag
 * …]`. The load comes from `wrk` if installed, because it costs the least; otherwise from a thread of this process.
 * Targets on two quiet cores: 60,000/s at 16 connections, 85,000/s at 64.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, devAccount } from '../src/client/client.js';
import { packageRoot } from '../src/config/package-info.js';
import type { Deploy } from '../src/generated/ledger.js';
import { assemble } from '../test/support/contracts/wasm-assembler.js';
import { text } from '../test/support/hex.js';
import { NodeProcess } from '../test/support/nodes/node-process.js';
import { type BareServer, startBareServer } from './load/bare-server.js';
import { recordFigure } from './results/record.js';
import { benchArguments } from './support/bench-arguments.js';
import { type RequestLoad, threadLoad, wrkLoad } from './support/request-load.js';
import { quantile } from './support/statistics.js';

const values = benchArguments({
  rounds: { type: 'string', default: '3' },
  milliseconds: { type: 'string', default: '2000' },
  connections: { type: 'string', default: '16,64,256' },
  'node-flag': { type: 'string', multiple: true, default: [] },
});

/** Rounded to whole seconds, which wrk requires. */
const seconds = Math.max(1, Math.round(Number(values.milliseconds) / 1000));
const alice = devAccount(0);

/** Answers per second to reach on two quiet cores, by connections. */
const AIMS: ReadonlyMap<number, number> = new Map([
  [16, 60_000],
  [64, 85_000],
]);

/** A contract that only answers one byte. */
const TRIVIAL = assemble({
  imports: ['set_output'],
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 1; call set_output; i32.const 0' }],
});

async function deploy(
  url: string,
  deployment: Pick<Deploy, 'code' | 'input'> & Partial<Deploy>,
): Promise<Uint8Array> {
  const client = connect(url);
  const action = {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      value: 0n,
      ...deployment,
    },
  } as const;
  const { receipt } = await client
    .sender(alice)
    .send(action, { gasLimit: 50_000_000n, maxFee: 10_000_000_000n, wait: 'included' });
  if (receipt?.contract === undefined) throw new Error(`not deployed: ${JSON.stringify(receipt?.status)}`);
  return receipt.contract;
}

async function view(url: string, params: unknown): Promise<{ readonly [member: string]: unknown }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'view_call', params });
  const answer = await fetch(`${url}/v2/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result, error } = (await answer.json()) as {
    result?: { readonly [member: string]: unknown };
    error?: unknown;
  };
  if (result === undefined) throw new Error(`${body} was answered ${JSON.stringify(error)}`);
  return result;
}

async function openLoad(): Promise<RequestLoad> {
  try {
    await promisify(execFile)('wrk', ['--version']);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') {
      console.log('wrk is not installed: the load comes from this process and takes more of the cores');
      return threadLoad();
    }
  }
  return wrkLoad();
}

interface CpuMicros {
  readonly main: number;
  readonly all: number;
}

/** CPU time used by a process so far, in microseconds: its main thread, and all its threads. */
function cpuMicros(pid: number): CpuMicros {
  const read = (path: string): number => {
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
  };
  return { main: read(`/proc/${pid}/task/${pid}/stat`), all: read(`/proc/${pid}/stat`) };
}

const node = await NodeProcess.start({ flags: values['node-flag'] });
const load = await openLoad();
const bare: BareServer[] = [];
try {
  const trivial = await deploy(node.url, { code: TRIVIAL, input: new Uint8Array(0) });
  const folder = join(packageRoot(), 'contracts', 'token');
  const idl = readFileSync(join(folder, 'token.idl'), 'utf8');
  const { Token } = await tokenInputs(idl);
  const token = await deploy(node.url, {
    code: Uint8Array.from(readFileSync(join(folder, 'token.wasm'))),
    idl,
    input: Token.init,
  });
  const cases = [
    { name: 'trivial view, raw', params: { contract: text(trivial), input: '0x' } },
    { name: 'token balance, raw', params: { contract: text(token), input: text(Token.balanceOf) } },
    {
      name: 'token balance, by name',
      params: { contract: text(token), method: 'balance_of', args: { owner: text(alice.address) } },
    },
  ];
  for (const { name, params } of cases) {
    const answer = await view(node.url, params);
    if ((answer['status'] as { readonly type: string }).type !== 'success') {
      throw new Error(`${name}: ${JSON.stringify(answer)}`);
    }
    const task = {
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'view_call', params }),
      milliseconds: seconds * 1000,
    };
    const floor = await startBareServer(JSON.stringify(answer));
    bare.push(floor);
    await load.measure({ ...task, url: node.url, connections: 64 });
    for (const connections of values.connections.split(',').map(Number)) {
      const ours: number[] = [];
      const theirs: number[] = [];
      const micros: CpuMicros[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        theirs.push(await load.measure({ ...task, url: floor.url, connections }));
        const before = cpuMicros(node.pid);
        const rate = await load.measure({ ...task, url: node.url, connections });
        const after = cpuMicros(node.pid);
        const calls = rate * seconds;
        micros.push({ main: (after.main - before.main) / calls, all: (after.all - before.all) / calls });
        ours.push(rate);
      }
      const median = (of: keyof CpuMicros) =>
        quantile(
          micros.map((each) => each[of]),
          0.5,
        ).toFixed(1);
      const ratio = quantile(
        ours.map((rate, i) => rate / (theirs[i] ?? Number.POSITIVE_INFINITY)),
        0.5,
      );
      const columns = [
        `${connections} connections`.padStart(16),
        `${Math.round(quantile(ours, 0.5)).toLocaleString('en')}/s`.padStart(11),
        `bare ${Math.round(quantile(theirs, 0.5)).toLocaleString('en')}/s`.padStart(16),
        `ratio ${ratio.toFixed(2)}`,
        `CPU a call ${median('main')} µs main thread, ${median('all')} µs all`,
      ];
      console.log(`${name.padEnd(24)}${columns.join('  ')}`);
      const table = `${name}, ${connections} connections`;
      const bound = AIMS.get(connections);
      recordFigure({
        name: `${table}: answers`,
        unit: '/s',
        better: 'higher',
        rounds: ours,
        baselines: [{ name: 'bare uWebSockets.js', rounds: theirs }],
        ...(bound === undefined ? {} : { aim: { of: 'value', at: 'least', bound } }),
      });
      for (const thread of ['main', 'all'] as const) {
        recordFigure({
          name: `${table}: CPU a call, ${thread === 'main' ? 'main thread' : 'all threads'}`,
          unit: 'µs',
          better: 'lower',
          rounds: micros.map((each) => each[thread]),
        });
      }
    }
    floor.stop();
  }
} finally {
  for (const server of bare) server.stop();
  await load.stop();
  await node.dispose();
}

async function tokenInputs(idl: string) {
  const { createHash } = await import('node:crypto');
  const { compileIdl } = await import('../src/idl/compiler/compile.js');
  const { compileContract } = await import('../src/idl/abi/contract-abi.js');
  const { manifest } = compileIdl([{ name: 'token.idl', text: idl }]);
  const abi = compileContract(manifest, (data) => createHash('sha256').update(data).digest(), 'Token');
  const owner = text(alice.address);
  return {
    Token: {
      init: abi.function('init').encodeCall(['Thread', 'THR', 0, '1000000', owner, owner]),
      balanceOf: abi.function('balance_of').encodeCall([owner]),
    },
  };
}

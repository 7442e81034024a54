/**
 * Cost by the number of accounts in the state: reads and proofs of random accounts, transfers to random accounts,
 * start-up, memory and disk. `heddle dev-state` makes the states. Reads are also measured right after a start with a
 * cache far smaller than the state, each account once, relative to reads with a cache of 512 MiB; the operating system
 * still has the files in memory.
 *
 *     npm run bench -- growth-state [--smallest 10000] [--largest 1000000] [--rounds 3] [--reads 20000]
 */
import { RpcClient } from '../../test/outside/rpc.js';
import { benchArguments } from '../support/bench-arguments.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import { chainCosts, chainQuantities } from './parts/chain-costs.js';
import { makeDevChain } from './parts/dev-chain.js';
import { DevParties } from './parts/dev-parties.js';
import { CONSTANT, Growth, LOGARITHMIC } from './parts/growth.js';
import { measureCalls } from './parts/measured-calls.js';
import { sealingCost } from './parts/sealing-cost.js';
import { decades } from './parts/sizes.js';
import { measuredStart, measuredStarts } from './parts/starts.js';

const values = benchArguments({
  smallest: { type: 'string', default: '10000' },
  largest: { type: 'string', default: '1000000' },
  rounds: { type: 'string', default: '3' },
  reads: { type: 'string', default: '20000' },
  transfers: { type: 'string', default: '1000' },
});
const rounds = Number(values.rounds);
const reads = Number(values.reads);
const transfers = Number(values.transfers);

const CONNECTIONS = 16;
/** Time limit of a measurement, which ends after a number of answers. */
const MILLISECONDS = 60_000;
/** Proofs cost several times as much as reads. */
const PROOF_SHARE = 1 / 4;
/** All transfers of a round go into one or two blocks. */
const SEALING = ['--block-time', '500'];
const LARGE_CACHE = ['--cache-size', '512'];
const SMALL_CACHE = ['--cache-size', '1'];

const READ = 'account, processor time';
const COLD = 'account with a cache of 1 MiB, processor time';
const RATIO = 'account with a cache of 1 MiB, relative to a cached one';
const PROOF = 'state_proof, processor time';
const TRANSFER = 'transfer sealed, processor time';

const load = threadLoad();

async function measureState(accounts: number): Promise<Readonly<Record<string, readonly number[]>>> {
  const chain = await makeDevChain(['--accounts', String(accounts)]);
  try {
    const parties = new DevParties(accounts);
    const addresses = parties.addresses(reads);
    const accountBodies = addresses.map((address) => rpcBody('account', { address }));
    const proofBodies = addresses.map((contract) => rpcBody('state_proof', { contract }));
    const task = { connections: CONNECTIONS, milliseconds: MILLISECONDS };

    const { node, starts } = await measuredStarts(chain.dataDir, [...SEALING, ...LARGE_CACHE], rounds);
    const rpc = new RpcClient(node.url);
    const reading: number[] = [];
    const proving: number[] = [];
    const sealing: number[] = [];
    try {
      const readTask = { ...task, bodies: accountBodies, answers: reads };
      const proofTask = { ...task, bodies: proofBodies, answers: Math.ceil(reads * PROOF_SHARE) };
      for (let round = -1; round < rounds; round++) {
        const read = await measureCalls(load, node, readTask);
        const proof = await measureCalls(load, node, proofTask);
        const sent = parties.transfers(transfers, (round + 1) * transfers);
        const { cpuMicros } = await sealingCost(node, rpc, sent);
        // The first round loads everything.
        if (round < 0) continue;
        reading.push(read.cpuMicros);
        proving.push(proof.cpuMicros);
        sealing.push(cpuMicros / sent.length);
      }
    } finally {
      rpc.close();
      await node.stop();
    }
    const cold: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const small = await measuredStart(chain.dataDir, SMALL_CACHE);
      try {
        // Compiles the path of a read, with the accounts that every chain has.
        const few = new DevParties(10).addresses(10).map((address) => rpcBody('account', { address }));
        await measureCalls(load, small.node, { ...task, bodies: few, answers: reads });
        const measured = await measureCalls(load, small.node, {
          ...task,
          bodies: accountBodies,
          answers: reads,
        });
        cold.push(measured.cpuMicros);
      } finally {
        await small.node.stop();
      }
    }
    return {
      [READ]: reading,
      [COLD]: cold,
      [RATIO]: cold.map((micros, round) => micros / (reading[round] ?? Number.NaN)),
      [PROOF]: proving,
      [TRANSFER]: sealing,
      ...chainCosts('account', accounts, chain, starts),
    };
  } finally {
    await chain.remove();
  }
}

const growth = new Growth('accounts', [
  { name: READ, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  { name: COLD, unit: 'µs', better: 'lower', largestExponent: LOGARITHMIC },
  { name: RATIO, unit: '×', better: 'lower' },
  { name: PROOF, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  { name: TRANSFER, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  ...chainQuantities('account'),
]);
try {
  for (const accounts of decades(Number(values.smallest), Number(values.largest))) {
    growth.add(accounts, await measureState(accounts));
  }
  growth.finish();
} finally {
  await load.stop();
}

/**
 * Cost by the number of blocks of the chain: start-up, a block of a fixed number of transfers, proofs of random blocks in
 * the history, memory and disk. `heddle dev-state` makes the chains.
 *
 *     npm run bench -- growth-chain [--shortest 1000] [--longest 100000] [--rounds 3] [--proofs 2000]
 *
 * Nothing may grow with the chain but the path of a history proof, which has one hash for each doubling.
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
import { measuredStarts } from './parts/starts.js';

const values = benchArguments({
  shortest: { type: 'string', default: '1000' },
  longest: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '3' },
  proofs: { type: 'string', default: '2000' },
  blocks: { type: 'string', default: '20' },
});
const rounds = Number(values.rounds);
const proofs = Number(values.proofs);
const blocksARound = Number(values.blocks);

const CONNECTIONS = 16;
/** Time limit of a measurement, which ends after a number of answers. */
const MILLISECONDS = 60_000;
const TRANSFERS_A_BLOCK = 50;
const SENDERS = 1_000;
/** The first block above that of the accounts, which is the lowest that the chain can prove. */
const FIRST = 2;
/** A block as soon as transactions are there, and none without. */
const SEALING = ['--seal', 'instant', '--idle-block-time', '0'];

const BLOCK = `block of ${TRANSFERS_A_BLOCK} transfers, processor time`;
const PROOF = 'history proof, processor time';
const PROOF_BYTES = 'history proof, size';

const load = threadLoad();

async function measureChain(blocks: number): Promise<Readonly<Record<string, readonly number[]>>> {
  const flags = ['--accounts', String(SENDERS), '--blocks', String(blocks), '--transactions-per-block', '0'];
  const chain = await makeDevChain(flags);
  try {
    const parties = new DevParties(SENDERS);
    const { node, starts } = await measuredStarts(chain.dataDir, SEALING, rounds);
    const rpc = new RpcClient(node.url);
    const sealing: number[] = [];
    const proving: number[] = [];
    const bytes: number[] = [];
    try {
      const heights = Array.from(
        { length: proofs },
        (_, place) => FIRST + Math.floor((place * (blocks - 1)) / proofs),
      );
      const bodies = heights.map((height) => rpcBody('finalized_history_proof', { height }));
      for (let round = -1; round < rounds; round++) {
        const task = { bodies, connections: CONNECTIONS, milliseconds: MILLISECONDS, answers: proofs };
        const { cpuMicros } = await measureCalls(load, node, task);
        let sealedMicros = 0;
        for (let block = 0; block < blocksARound; block++) {
          const first = (block * TRANSFERS_A_BLOCK) % SENDERS;
          const cost = await sealingCost(node, rpc, parties.transfers(TRANSFERS_A_BLOCK, first));
          sealedMicros += cost.cpuMicros;
        }
        // The first round loads everything.
        if (round < 0) continue;
        proving.push(cpuMicros);
        sealing.push(sealedMicros / blocksARound);
        bytes.push(await meanBytes(rpc, heights));
      }
    } finally {
      rpc.close();
      await node.stop();
    }
    return {
      [BLOCK]: sealing,
      [PROOF]: proving,
      [PROOF_BYTES]: bytes,
      ...chainCosts('block', blocks, chain, starts),
    };
  } finally {
    await chain.remove();
  }
}

/** Mean length of the JSON of some of the proofs. */
async function meanBytes(rpc: RpcClient, heights: readonly number[]): Promise<number> {
  const step = Math.ceil(heights.length / 50);
  const some = heights.filter((_, place) => place % step === 0);
  const answers = await rpc.batch(
    some.map((height) => ({ method: 'finalized_history_proof', params: { height } })),
  );
  const lengths = answers.map((answer) => {
    if ('failure' in answer) throw answer.failure;
    return JSON.stringify(answer.result).length;
  });
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

const growth = new Growth('blocks', [
  { name: BLOCK, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  { name: PROOF, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  { name: PROOF_BYTES, unit: 'bytes', better: 'lower', largestExponent: LOGARITHMIC },
  ...chainQuantities('block'),
]);
try {
  for (const blocks of decades(Number(values.shortest), Number(values.longest))) {
    growth.add(blocks, await measureChain(blocks));
  }
  growth.finish();
} finally {
  await load.stop();
}

/**
 * Blocks without transactions in a simulated network where an envelope opens at each height, with leaders that wait
 * for missing keys (rule 2) and leaders that do not. The same command gives the same numbers.
 *
 *     npm run bench -- sealed-network [blocks, default 60] [one-way latencies in ms…, default 0 100 150]
 */
import { RULES } from '../src/consensus/core/rules.js';
import { Random } from '../src/consensus/simulator/random.js';
import type { Scenario } from '../src/consensus/simulator/scenario.js';
import { simulateScenario } from '../src/consensus/simulator/simulate.js';
import { calmSealedScenario } from '../test/support/worlds/calm-sealed-scenario.js';
import { describePositionals } from './support/bench-arguments.js';

describePositionals('[blocks, default 60] [one-way latencies in ms…, default 0 100 150]');
const [blocks = '60', ...given] = process.argv.slice(2);
const latencies = given.length === 0 ? [0, 100, 150] : given.map(Number);

const SEED = 1;
const BLOCK_TIME_MS = 250;

/** Times of a machine, in milliseconds; the simulator draws each up to the given one. */
const MACHINES: Readonly<Record<string, Partial<Scenario>>> = {
  quiet: {},
  busy: { signMs: 120, syncMs: 40, verifyMs: 60 },
};

async function measure(latencyMs: number, machine: Partial<Scenario>, waits: boolean) {
  const network = { seed: SEED, validators: 4, blockTimeMs: BLOCK_TIME_MS };
  const scenario = calmSealedScenario({ ...network, latencyMs: [latencyMs, latencyMs + 5] });
  const rules = waits ? RULES : { ...RULES, keyWaitMs: () => 0 };
  const { openBlocks, virtualMs, height } = await simulateScenario(
    { ...scenario, ...machine },
    new Random(SEED),
    { rules },
    Number(blocks),
  );
  const { able, withTransactions } = openBlocks;
  return {
    'without transactions': `${able - withTransactions} of ${able}`,
    'ms a block': Math.round(virtualMs / height),
  };
}

const table: Record<string, Record<string, string | number>> = {};
for (const [name, machine] of Object.entries(MACHINES)) {
  for (const latencyMs of latencies) {
    for (const waits of [false, true]) {
      const row = `${latencyMs} ms, ${name} machine, leaders ${waits ? 'wait' : 'do not wait'}`;
      table[row] = await measure(latencyMs, machine, waits);
    }
  }
}
console.table(table);

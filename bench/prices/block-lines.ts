import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deployAction } from '../../test/support/contracts/deploy-action.js';
import { assemble } from '../../test/support/contracts/wasm-assembler.js';
import { verificationCpuMicros } from '../support/machine-speed.js';
import { recordCost } from '../support/record-values.js';
import { type BlockCase, blockCases, type CaseWorld, ROUNDS } from './block-cases.js';
import { BlockChainPair, type MeasuredBlock } from './block-chain-pair.js';

/** A follower's work on a block relative to its gas. */
export interface BlockLine {
  readonly shape: string;
  /** Nanoseconds of CPU time per gas, of all threads: the median of the measured rounds. */
  readonly nanoseconds: number;
  /** `nanoseconds` scaled to a machine that takes {@link GOOD_MICROS} for an ed25519 verification. */
  readonly scaled: number;
  /** Per transaction, in µs and in gas. */
  readonly micros: number;
  readonly gas: number;
  readonly outcomes: string;
}

/** µs of an ed25519 verification on the machine of `docs/speed.md` on a fast day. */
const GOOD_MICROS = 37;

/** Measures whole blocks at a follower: decoding, signature checks, execution, receipts, tree, store. */
export async function blockLines(
  only: string | undefined,
  onLine: (line: BlockLine) => void,
): Promise<readonly BlockLine[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const chain = await BlockChainPair.open(collect);
  try {
    let uniques = 1;
    const unique = () => uniques++;
    const lines: BlockLine[] = [];
    for (const one of blockCases()) {
      if (only !== undefined && !one.shape.includes(only)) continue;
      const line = await measure(one, chain, unique);
      onLine(line);
      lines.push(line);
    }
    return lines;
  } finally {
    await chain.close();
  }
}

async function measure(one: BlockCase, chain: BlockChainPair, unique: () => number): Promise<BlockLine> {
  const contracts = await deploy(one, chain);
  const world: CaseWorld = { chain, contracts, unique };
  for (const block of one.before?.(world) ?? []) await chain.add(block);
  const { warmUp, measured } = one.rounds ?? ROUNDS;
  for (let round = 0; round < warmUp; round++) await chain.add(one.transactions(world));
  const rounds: MeasuredBlock[] = [];
  let verification = await verificationCpuMicros();
  for (let round = 0; round < measured; round++) rounds.push(await chain.add(one.transactions(world)));
  verification = Math.min(verification, await verificationCpuMicros());
  rounds.sort((a, b) => a.nanoseconds / a.gas - b.nanoseconds / b.gas);
  const median = rounds[rounds.length >> 1];
  if (median === undefined) throw new Error('nothing was measured');
  return {
    shape: one.shape,
    nanoseconds: median.nanoseconds / median.gas,
    scaled: ((median.nanoseconds / median.gas) * GOOD_MICROS) / verification,
    micros: median.nanoseconds / median.transactions / 1_000,
    gas: median.gas / median.transactions,
    outcomes: Object.keys(median.outcomes).join(', '),
  };
}

async function deploy({ contracts = [] }: BlockCase, chain: BlockChainPair): Promise<readonly Uint8Array[]> {
  const account = chain.accounts.ed25519.at(-1);
  if (contracts.length === 0 || account === undefined) return [];
  const deployments = contracts.map((source) =>
    chain.sign(account, { gasLimit: 100_000_000n, action: deployAction(assemble(source)) }),
  );
  return (await chain.add(deployments)).contracts;
}

const BLOCK_HEAD = `    ns a gas, where a verification takes ${GOOD_MICROS} µs   µs each       gas   outcome: shape`;

export function printBlockLines(lines: readonly BlockLine[]): void {
  console.log(`\nwhole blocks at a follower\n${BLOCK_HEAD}`);
  for (const line of [...lines].sort((a, b) => b.scaled - a.scaled)) console.log(blockText(line));
}

/** Records the time per gas of each shape, where a verification takes as long as on the reference machine. */
export function recordBlockLines(lines: readonly BlockLine[]): void {
  for (const { shape, scaled } of lines) recordCost(`time of a gas of a block: ${shape}`, 'ns', scaled);
}

/** A line under {@link BLOCK_HEAD}. */
export function blockText({ nanoseconds, scaled, micros, gas, outcomes, shape }: BlockLine): string {
  const figures = [
    nanoseconds.toFixed(2).padStart(12),
    scaled.toFixed(2).padStart(32),
    micros.toFixed(0).padStart(8),
    gas.toFixed(0).padStart(9),
  ];
  return `${figures.join('  ')}   ${outcomes}: ${shape}`;
}

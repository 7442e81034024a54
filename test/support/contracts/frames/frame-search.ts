import { seededRandom } from '../../../../src/load/workload.js';
import { FrameGauge, TIERS, type Tier } from './frame-gauge.js';
import { type Genome, GenomeMutator } from './genome.js';
import { moduleOf } from './genome-module.js';

export interface FrameSearchOptions {
  readonly seed: number;
  /** Number of islands: separate runs of breeding, each with other kinds of statements. */
  readonly islands: number;
  /** Rounds of breeding on each island. */
  readonly rounds: number;
  /** No island starts after this many milliseconds; unlimited if absent. */
  readonly withinMs?: number;
}

export interface WorstFrame {
  readonly tier: Tier;
  /** Maximum real bytes of stack per byte counted by the engine. */
  readonly ratio: number;
  /** Number of modules that recursed and so were measured. */
  readonly measured: number;
  readonly genome: Genome | undefined;
}

interface Bred {
  readonly genome: Genome;
  readonly ratio: number;
}

const POPULATION = 20;
/** One in this many modules is new rather than bred. */
const NEW_BLOOD = 20;

/** Breeds modules with the highest ratio of frame size to weight, for each of V8's compilers. */
export async function searchFrames(
  options: FrameSearchOptions,
  tiers: readonly Tier[] = TIERS,
): Promise<WorstFrame[]> {
  return Promise.all(tiers.map((tier) => searchTier(tier, options)));
}

async function searchTier(
  tier: Tier,
  { seed, islands, rounds, withinMs = Number.POSITIVE_INFINITY }: FrameSearchOptions,
): Promise<WorstFrame> {
  const gauge = new FrameGauge(tier);
  const start = performance.now();
  let measured = 0;
  let worst: Bred | undefined;
  try {
    for (let island = 0; island < islands && performance.now() - start < withinMs; island++) {
      let population: Bred[] = [];
      const breeder = new GenomeMutator(seededRandom(seed + island));
      for (let round = 0; round < rounds; round++) {
        const genome = breed(breeder, population);
        const ratio = await gauge.measure(moduleOf(genome));
        if (typeof ratio === 'string') continue;
        measured++;
        if (!population.some((each) => each.ratio === ratio)) population.push({ genome, ratio });
        population.sort((left, right) => right.ratio - left.ratio);
        population = population.slice(0, POPULATION);
      }
      const [best] = population;
      if (best !== undefined && (worst === undefined || best.ratio > worst.ratio)) worst = best;
    }
  } finally {
    gauge.stop();
  }
  return { tier, ratio: worst?.ratio ?? 0, measured, genome: worst?.genome };
}

function breed(breeder: GenomeMutator, population: readonly Bred[]): Genome {
  const parent = population[breeder.below(population.length)];
  const other = population[breeder.below(population.length)];
  const isNew = population.length < POPULATION || breeder.below(NEW_BLOOD) === 0;
  if (isNew || parent === undefined || other === undefined) return breeder.genome();
  return breeder.mutate(parent.genome, other.genome);
}

import { maxFaulty } from '../../core/rules.js';
import type { Random } from '../random.js';
import type { SimScenario, SimWorld } from '../sim-world.js';

/** How a faulty validator misbehaves; several at a time. */
export const RESHARING_ACTORS = [
  'garbler',
  'copier',
  'equivocator',
  'miscounter',
  'accuser',
  'forger',
  'dawdler',
  'censor',
  'flooder',
] as const;
export type ResharingActor = (typeof RESHARING_ACTORS)[number];

/** A span of time without some validators, or without the connections between two sides. */
export interface Outage {
  readonly type: 'away' | 'partition';
  readonly atMs: number;
  readonly forMs: number;
  readonly nodes: readonly number[];
}

/** The parameters of a run, drawn before it starts. Times are virtual milliseconds. */
export interface ResharingScenario extends SimScenario {
  /** Members of the first set; `validators` counts those that may join later, too. */
  readonly initial: number;
  readonly faulty: ReadonlyMap<number, readonly ResharingActor[]>;
  readonly epochLength: number;
  readonly blockMs: number;
  /** Chance of a block to come late. */
  readonly slowBlock: number;
  readonly outages: readonly Outage[];
  /** Chance of an epoch to change the set. */
  readonly change: number;
  readonly syncMs: number;
  readonly taskMs: number;
  /** Chance of a task to fail. */
  readonly taskFailure: number;
  /** Whether each dealer's first attempt to seal fails in every epoch. */
  readonly failsToSeal: boolean;
  /** Chance of a validator to crash at each of its writes, sends and commits. */
  readonly crash: number;
  /** Validators that keep no states of earlier heights. */
  readonly pruned: ReadonlySet<number>;
}

export type ResharingWorld = SimWorld<ResharingScenario>;

export interface ResharingOptions {
  readonly seed: number;
  /** Members of the first set, including faulty ones. */
  readonly validators: number;
  /** Kinds of faulty validators that may take part; all by default. */
  readonly actors?: readonly ResharingActor[];
}

const NEWCOMERS = 2;

export function drawResharing(options: ResharingOptions, random: Random): ResharingScenario {
  const { seed, validators: initial, actors = RESHARING_ACTORS } = options;
  const validators = initial + NEWCOMERS;
  const faulty = drawFaulty(random, initial, actors);
  // A dealing needs some heights after the deadline, for as many proposers as may be faulty.
  const window = 2 * (maxFaulty(validators) + 2) + random.below(4);
  const epochLength = 3 * window + random.below(3);
  const blockMs = random.pick([600, 600, 1_500]);
  const epochMs = epochLength * blockMs;
  const stableFromMs = Math.floor(random.pick([0.2, 1, 1.6, 2.5]) * epochMs);
  const isRough = random.chance(0.6);
  return {
    seed,
    initial,
    validators,
    faulty,
    faultyFromEpoch: random.chance(0.25) ? 1 : 0,
    epochLength,
    blockMs,
    slowBlock: random.chance(0.3) ? 0.1 : 0,
    outages: drawOutages(random, { validators, epochMs, stableFromMs }),
    stableFromMs,
    allRestart: random.chance(0.3),
    change: random.pick([0, 0.4, 0.8]),
    syncMs: random.pick([0, 2, 10, 60]),
    taskMs: random.pick([0, 1, 30, 200]),
    taskFailure: random.chance(0.15) ? 0.05 : 0,
    // With slow blocks, the second attempt is in time.
    failsToSeal: blockMs >= 1_500 && random.chance(0.4),
    crash: random.chance(0.5) ? 0.01 : 0,
    pruned: new Set(random.sample(random.below(validators + 1), validators)),
    latencyMs: random.chance(0.2) ? [20, 200] : [1, 25],
    loss: isRough ? random.fraction() * 0.3 : 0,
    rareKind: random.chance(0.3)
      ? random.pick(['dealt_share', 'dealt_ack', 'dealing', 'complaint'])
      : undefined,
    duplication: isRough ? 0.1 : 0,
    delay: isRough ? random.fraction() * 0.3 : 0,
    longDelayMs: Math.floor(random.pick([2, 8]) * blockMs),
  };
}

function drawFaulty(
  random: Random,
  initial: number,
  actors: readonly ResharingActor[],
): Map<number, readonly ResharingActor[]> {
  const faulty = new Map<number, readonly ResharingActor[]>();
  const most = maxFaulty(initial);
  if (actors.length === 0 || most === 0 || random.chance(0.15)) return faulty;
  for (const index of random.sample(random.between(1, most), initial)) {
    const kinds = Array.from({ length: random.between(1, 3) }, () => random.pick(actors));
    if (actors.includes('garbler') && random.chance(0.3)) kinds.push('garbler');
    faulty.set(index, [...new Set(kinds)]);
  }
  return faulty;
}

interface OutageDraw {
  readonly validators: number;
  readonly epochMs: number;
  readonly stableFromMs: number;
}

/** Outages of any time, and others from the dealings to about the end of an epoch. */
function drawOutages(random: Random, { validators, epochMs, stableFromMs }: OutageDraw): Outage[] {
  const few = () => random.sample(random.between(1, Math.max(1, maxFaulty(validators))), validators);
  const epochs = Math.max(1, Math.round(stableFromMs / epochMs));
  return Array.from({ length: random.below(7) }, () => {
    const type = random.pick(['away', 'away', 'away', 'partition'] as const);
    const nodes = random.chance(0.1) ? random.sample(validators, validators) : few();
    if (random.chance(0.5)) {
      const longest = random.pick([0.1, 0.3, 0.7, 1.2]);
      const forMs = 1 + random.below(Math.ceil(longest * epochMs));
      return { type, nodes, atMs: random.below(stableFromMs), forMs };
    }
    const beginMs = random.below(epochs) * epochMs;
    const atMs = Math.floor(beginMs + epochMs * (0.3 + 0.4 * random.fraction()));
    const untilMs = Math.ceil(beginMs + epochMs * (0.9 + 0.15 * random.fraction()));
    return { type, nodes, atMs, forMs: untilMs - atMs };
  });
}

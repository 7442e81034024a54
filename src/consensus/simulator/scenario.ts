import { maxFaulty } from '../core/rules.js';
import type { CoreConfig } from '../core/types.js';
import type { Random } from './random.js';

export const ACTORS = [
  'equivocator',
  'conflicter',
  'nuller',
  'impersonator',
  'outdated',
  'withholder',
  'silent',
  'rusher',
  'twins',
] as const;
export type ActorName = (typeof ACTORS)[number];

/**
 * `busy`: constant transactions. `idle`: only empty blocks. `sporadic`: occasional transactions and no empty blocks.
 */
export type WorkMode = 'busy' | 'idle' | 'sporadic';

/** A fault with its start and duration. */
export type FaultEvent = { readonly atMs: number; readonly forMs: number } & (
  | { readonly type: 'crash'; readonly nodes: readonly number[]; readonly wiped: boolean }
  | { readonly type: 'partition'; readonly side: readonly number[] }
);

/** The parameters of a run, drawn before it starts. Times are virtual milliseconds. */
export interface Scenario {
  readonly seed: number;
  readonly validators: number;
  readonly core: CoreConfig;
  readonly work: WorkMode;
  readonly byzantine: ReadonlyMap<number, ActorName>;
  readonly faultEvents: readonly FaultEvent[];
  /** When the network becomes stable and all stopped nodes restart. */
  readonly stableFromMs: number;
  /** Whether all honest validators restart when the network becomes stable. */
  readonly allRestart: boolean;
  /** Ordinal of the honest vote in the fault phase at which all honest validators crash and restart; 0 for never. */
  readonly outageAtVote: number;
  readonly latencyMs: readonly [number, number];
  readonly loss: number;
  readonly duplication: number;
  /** Fraction of messages delayed by up to a few seconds. */
  readonly delay: number;
  readonly badTimesCrash: number;
  readonly syncMs: number;
  readonly verifyMs: number;
  readonly withholding: number;
  /** Clock skew of each validator. */
  readonly skewsMs: readonly number[];
  /** Whether more than f validators are faulty, counting wiped ones: the chain may then stop, but not fork. */
  readonly mayStop: boolean;
}

export interface ScenarioOptions {
  readonly seed: number;
  readonly validators: number;
  /** Kinds of faulty validators that may take part; all by default. */
  readonly actors?: readonly ActorName[];
}

export function drawScenario(options: ScenarioOptions, random: Random): Scenario {
  const { seed, validators, actors = ACTORS } = options;
  const faults = maxFaulty(validators);
  const byzantine = new Map<number, ActorName>();
  const bad = actors.length === 0 ? 0 : random.between(0, faults);
  for (const index of random.sample(bad, validators)) byzantine.set(index, random.pick(actors));
  const stableFromMs = random.chance(0.15) ? 0 : random.between(1_200, 3_800);
  const work: WorkMode = random.pick(['busy', 'busy', 'idle', 'sporadic']);
  const honest = Array.from({ length: validators }, (_, i) => i).filter((i) => !byzantine.has(i));
  const faultEvents = drawFaultEvents(random, honest, validators, stableFromMs);
  const wiped = new Set(
    faultEvents.flatMap((fault) => (fault.type === 'crash' && fault.wiped ? fault.nodes : [])),
  );
  const slow = random.chance(0.2);
  const rough = random.chance(0.7);
  return {
    seed,
    validators,
    core: {
      epochLength: random.chance(0.5) ? random.between(1, 4) : random.between(5, 20),
      deltaMs: 500,
      blockTimeMs: random.pick([50, 250]),
      idleBlockTimeMs: work === 'sporadic' ? 0 : random.pick([1_000, 5_000]),
      sealInstantly: random.chance(0.2),
    },
    work,
    byzantine,
    faultEvents,
    stableFromMs,
    allRestart: random.chance(0.25),
    outageAtVote: random.chance(0.4) ? random.between(1, 12 * validators) : 0,
    latencyMs: slow ? [20, 120] : [1, 25],
    loss: rough ? random.fraction() * 0.25 : 0,
    duplication: rough ? 0.05 : 0,
    delay: rough ? random.fraction() * 0.15 : 0,
    badTimesCrash: validators > 1 && random.chance(0.3) ? 0.01 : 0,
    syncMs: random.pick([0, 0, 3, 15]),
    verifyMs: random.pick([1, 5, 40]),
    withholding: random.chance(0.3) ? 0.1 : 0,
    skewsMs: Array.from({ length: validators }, () =>
      random.chance(0.15) ? random.between(-3_000, 3_000) : random.between(-100, 100),
    ),
    mayStop: byzantine.size + [...wiped].filter((index) => !byzantine.has(index)).length > faults,
  };
}

function drawFaultEvents(
  random: Random,
  honest: readonly number[],
  validators: number,
  calmMs: number,
): FaultEvent[] {
  const troubles: FaultEvent[] = [];
  if (calmMs === 0) return troubles;
  const count = random.below(4);
  const mayWipe = validators > 1 && random.chance(0.15);
  for (let i = 0; i < count; i++) {
    const atMs = random.below(calmMs);
    const forMs = random.between(1, calmMs - atMs);
    const crashes = random.chance(0.5) || validators === 1;
    if (crashes) {
      const nodes = random
        .sample(random.between(1, honest.length), honest.length)
        .map((at) => honest[at] ?? 0);
      troubles.push({ type: 'crash', atMs, forMs, nodes, wiped: mayWipe && random.chance(0.5) });
    } else {
      troubles.push({
        type: 'partition',
        atMs,
        forMs,
        side: random.sample(random.between(1, validators - 1), validators),
      });
    }
  }
  return troubles;
}

import { maxFaulty } from '../core/rules.js';
import type { CoreConfig } from '../core/types.js';
import { drawFaults, drawStops, type FaultEvent } from './faults.js';
import { MESSAGE_KINDS, type MessageKind } from './model.js';
import { Random } from './random.js';
import type { SimScenario } from './sim-world.js';

export const ACTORS = [
  'equivocator',
  'conflicter',
  'nuller',
  'hasty',
  'impersonator',
  'outdated',
  'withholder',
  'silent',
  'rusher',
  'twins',
  'forger',
  'stacker',
  'skipper',
  'flooder',
  'liar',
] as const;
export type ActorName = (typeof ACTORS)[number];

/** `busy`: constant transactions. `idle`: empty blocks only. `sporadic`: some transactions, no empty blocks. */
export type WorkMode = 'busy' | 'idle' | 'sporadic';

/** The parameters of a run, drawn before it starts. Times are virtual milliseconds. */
export interface Scenario extends SimScenario {
  readonly core: CoreConfig;
  readonly work: WorkMode;
  /** Whether envelopes open at each height. */
  readonly envelopes: boolean;
  readonly faulty: ReadonlyMap<number, readonly ActorName[]>;
  readonly faultEvents: readonly FaultEvent[];
  /** Number of blocks that are final when the run begins. */
  readonly history: number;
  /** Heights at which some validators begin instead. */
  readonly behind: ReadonlyMap<number, number>;
  /** Ordinal of the honest vote in the fault phase at which all honest validators crash and restart; 0 for never. */
  readonly outageAtVote: number;
  readonly rareKind: MessageKind | undefined;
  /** Fraction of the views in which a kind of message does not reach a validator in time; see `gaps.ts`. */
  readonly gaps: number;
  /** Chance of a write to crash its process. */
  readonly writeCrash: number;
  readonly writeFailure: number;
  /** Chance of a write that is not synced to crash its process. */
  readonly unsyncedCrash: number;
  readonly syncMs: number;
  readonly verifyMs: number;
  /** Chance of building or executing a block to take seconds, in the fault phase. */
  readonly stall: number;
  readonly signMs: number;
  /** Time that the entry into an epoch takes. */
  readonly enterMs: number;
  readonly signFailure: number;
  /** Chance of a signature or its check to take long, in the fault phase. */
  readonly signStall: number;
  /** Whether timers may fire up to a millisecond early, as those of Node do. */
  readonly earlyTimers: boolean;
  /** Whether a transaction waits all the time that no block can include. */
  readonly unaffordable: boolean;
  readonly withholding: number;
  readonly skewsMs: readonly number[];
  /** Whether more than f validators are faulty, counting lost disks: the chain may then stop, but not fork. */
  readonly mayStop: boolean;
}

export interface ScenarioOptions {
  readonly seed: number;
  readonly validators: number;
  /** Kinds of faulty validators that may take part; all by default. */
  readonly actors?: readonly ActorName[];
}

/** Number of missing blocks above which a validator fetches final blocks instead of single ones. */
const FAR_BEHIND = 32;
const MAX_EPOCH_LENGTH = 120;
/** Errors of a clock that is wrong for good, in milliseconds. */
const WRONG_BY_MS = [-3_600_000, -3_600_000, -20_000, 20_000, 3_600_000] as const;
/** Makes the numbers for the rarer draws differ from the others of a seed. */
const RARE_SALT = 0x2545f491;

export function drawScenario(options: ScenarioOptions, random: Random): Scenario {
  const { seed, validators, actors = ACTORS } = options;
  // The rarer draws use a generator of their own: a change to them leaves most runs as they are.
  const rare = new Random(seed ^ RARE_SALT);
  const maxFaults = maxFaulty(validators);
  const history = validators > 1 && random.chance(0.3) ? drawHistory(random) : 0;
  const byzantine = drawActors(random, validators, maxFaults, actors);
  const honest = Array.from({ length: validators }, (_, i) => i).filter((i) => !byzantine.has(i));
  const behind = drawBehind(random, honest, history);
  const isFarBehind = [...behind.values()].some((height) => history - height > FAR_BEHIND);
  if (isFarBehind && actors.includes('liar') && random.chance(0.6)) addLiar(byzantine);
  const work: WorkMode = random.pick(['busy', 'busy', 'idle', 'sporadic']);
  const stableFromMs = random.chance(0.1) ? 0 : random.between(400, random.chance(0.3) ? 3_500 : 1_500);
  const faults = drawFaults({
    random,
    honest,
    validators,
    untilMs: stableFromMs,
    mayRestore: maxFaults - byzantine.size,
  });
  const lost = new Set(
    faults.flatMap((fault) => (fault.type === 'crash' && fault.disk !== 'kept' ? fault.nodes : [])),
  );
  const slow = random.chance(0.2);
  const rough = random.chance(0.65);
  const isNear = rare.chance(isFarBehind ? 0.7 : 0.1);
  // Single blocks may then arrive sooner than the range that contains them.
  const losesFinal = isFarBehind && rare.chance(0.6);
  const drawnLength = random.chance(0.5)
    ? random.between(1, 4)
    : random.between(5, history > 32 ? MAX_EPOCH_LENGTH : 20);
  // Only blocks of its own epoch are fetched by a validator that is far behind.
  const epochLength =
    isFarBehind && rare.chance(0.6) ? rare.between(history + 1, MAX_EPOCH_LENGTH) : drawnLength;
  const faulty = byzantine.size + [...lost].filter((index) => !byzantine.has(index)).length;
  const sound = honest.filter((index) => !lost.has(index));
  // Others refuse its blocks, or it refuses theirs, as if it were faulty.
  const wrongClock = faulty < maxFaults && rare.chance(0.2) ? rare.pick(sound) : undefined;
  const wrongByMs = rare.pick(WRONG_BY_MS);
  const scenario: Scenario = {
    seed,
    validators,
    core: {
      epochLength,
      deltaMs: rare.pick(slow ? [500, 1_000] : [500, 500, 150, 1_000]),
      blockTimeMs: random.pick([50, 250]),
      idleBlockTimeMs: work === 'sporadic' ? 0 : random.pick([1_000, 5_000]),
      sealInstantly: random.chance(0.2),
    },
    work,
    envelopes: false,
    faulty: byzantine,
    faultyFromEpoch: random.chance(0.15) ? Math.floor(history / epochLength) + random.between(1, 2) : 0,
    faultEvents: [...faults, ...drawStops({ random: rare, honest, behind, untilMs: stableFromMs })],
    history,
    behind,
    stableFromMs,
    allRestart: random.chance(0.25),
    outageAtVote: random.chance(0.4) ? random.between(1, 12 * validators) : 0,
    latencyMs: isNear ? [0.2, 2] : slow ? [20, 120] : [1, 25],
    loss: rough ? random.fraction() * 0.25 : 0,
    rareKind: validators > 1 && random.chance(0.4) ? random.pick(MESSAGE_KINDS) : undefined,
    gaps: validators > 1 && rare.chance(0.4) ? 0.05 + rare.fraction() * 0.4 : 0,
    duplication: rough ? 0.05 : 0,
    delay: rough ? random.fraction() * 0.15 : 0,
    longDelayMs: random.pick([300, 2_000, 4_000]),
    writeCrash: validators > 1 && random.chance(0.35) ? 0.015 : 0,
    writeFailure: validators > 1 && random.chance(0.1) ? 0.005 : 0,
    unsyncedCrash: validators > 1 && rare.chance(0.25) ? rare.pick([0.03, 0.15]) : 0,
    syncMs: random.pick([0, 0, 3, 15]),
    // A sole validator would make any number of blocks in no time.
    verifyMs: Math.max(validators === 1 ? 1 : 0, random.pick([0, 1, 5, 40])),
    stall: random.chance(0.25) ? rare.pick([0.08, 0.3]) : 0,
    signMs: Math.max(random.pick([0, 0, 0, 4]), rare.pick([0, 0, 0, 60])),
    enterMs: random.pick([0, 0, 2, 150, 400]),
    signFailure: random.chance(0.1) ? rare.pick([0.05, 0.5]) : 0,
    signStall: rare.chance(0.15) ? 0.15 : 0,
    earlyTimers: rare.chance(0.25),
    unaffordable: work === 'sporadic' && rare.chance(0.4),
    withholding: random.chance(0.3) ? 0.1 : 0,
    skewsMs: Array.from({ length: validators }, (_, index) => {
      const skewMs = random.chance(0.15) ? random.between(-3_000, 3_000) : random.between(-100, 100);
      return index === wrongClock ? wrongByMs : skewMs;
    }),
    mayStop: faulty > maxFaults,
  };
  return losesFinal ? { ...scenario, rareKind: 'finalized' } : scenario;
}

/** Half of the histories are longer than {@link FAR_BEHIND}, by little, because each block costs time. */
function drawHistory(random: Random): number {
  return random.chance(0.5) ? random.between(1, 12) : random.between(FAR_BEHIND + 1, FAR_BEHIND + 20);
}

function drawActors(
  random: Random,
  validators: number,
  maxFaults: number,
  actors: readonly ActorName[],
): Map<number, readonly ActorName[]> {
  const byzantine = new Map<number, readonly ActorName[]>();
  if (actors.length === 0) return byzantine;
  const count = random.chance(0.75) ? random.between(Math.min(1, maxFaults), maxFaults) : 0;
  for (const index of random.sample(count, validators)) {
    const kinds = new Set([random.pick(actors)]);
    if (random.chance(0.3)) kinds.add(random.pick(actors));
    byzantine.set(index, [...kinds]);
  }
  return byzantine;
}

/** Lets one of the faulty validators also lie to those that fetch final blocks. */
function addLiar(byzantine: Map<number, readonly ActorName[]>): void {
  const [first] = byzantine;
  if (first !== undefined) byzantine.set(first[0], [...new Set<ActorName>([...first[1], 'liar'])]);
}

function drawBehind(random: Random, honest: readonly number[], history: number): Map<number, number> {
  const behind = new Map<number, number>();
  if (history === 0 || !random.chance(0.75)) return behind;
  const node = random.pick(honest);
  behind.set(node, random.chance(0.6) ? 0 : random.below(history));
  return behind;
}

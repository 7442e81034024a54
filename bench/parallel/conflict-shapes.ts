import {
  IF_ABSENT,
  IF_FOUND,
  type Operation,
  operations,
  READ,
  SPIN,
  slot,
  spin,
  WRITE,
} from '../../test/support/contracts/operations-contract.js';

/*
 * Blocks whose calls conflict in predictable or unpredictable ways. A call is a list of operations on the slots of one
 * contract. Some operations depend on whether the last slot read has a value, so a call's accesses depend on the calls
 * before it.
 */

/** The conflicts in a block. */
export interface ConflictShape {
  readonly calls: number;
  /** Distribution of the block's gas over the calls. */
  readonly sizes: 'equal' | 'two sizes' | 'any' | 'one large' | 'four large';
  /**
   * Number of gates: calls that each write a slot only if the gate before did. Predictions see only the first gate's
   * write.
   */
  readonly gates: number;
  /** Position of the gates, as a share of the block. */
  readonly gateAt: number;
  /** Share of the other calls that read the last gate's slot. */
  readonly readers: number;
  /** Share of the other calls that are in visible chains, and the number of chains. */
  readonly chained: number;
  readonly chains: number;
  /** Calls in a level; each level writes a slot only if the one before it did. 0: no levels. */
  readonly levelWidth: number;
  /** Number of transfers after each call. */
  readonly transfers: number;
  /** Whether the calls' accesses are predicted. */
  readonly foreseen: boolean;
  /** Factor on a reader's gas while the last gate has not written; 1: no difference. */
  readonly unsettled: number;
  /**
   * How calls differ from their predictions, which a block between has made stale. Calls that use less gas were predicted
   * at five times as much; those that use more, without their spin; those that conflict more, without a gate or chain.
   */
  readonly stale: 'not' | 'more gas' | 'less gas' | 'more conflicts' | 'more of both';
  /** Share of the calls whose gas is stale. */
  readonly changed: number;
  /** The calls' gas limit: 60 million, or all that the block uses. */
  readonly limit: 'usual' | 'block';
}

/** The inputs of a shape's calls, and the number of transfers after each call. */
export interface ShapedBlock {
  readonly inputs: readonly Uint8Array[];
  readonly transfersAfter: number;
  /** Input of a call whose block comes between the calls' prediction and their own block. */
  readonly before?: Uint8Array;
}

/** Long calls in {@link staleReaders}. */
const LONG_READERS = 4;
const SHORT_CALLS = 110;
/** Share of the block's gas in short calls, and in the writer. */
const SHORT_SHARE = 0.01;
const WRITER_SHARE = 0.003;

/**
 * One writer, four long calls that read the slot that it writes, and many short calls. The predictions precede
 * `before`, which sets the flag: they expect the readers to be short, and nobody to use the slot.
 * @param spinRounds total over all calls
 */
export function staleReaders(spinRounds: number, salt: string): ShapedBlock {
  const flag = slot(`flag ${salt}`, 0);
  const written = slot(`written ${salt}`, 0);
  const long = Math.round((spinRounds * (1 - SHORT_SHARE - WRITER_SHARE)) / LONG_READERS);
  const short = Math.round((spinRounds * SHORT_SHARE) / SHORT_CALLS);
  const reader = operations([
    [READ, flag],
    [SPIN + IF_FOUND, long],
    [READ + IF_FOUND, written],
  ]);
  const writer = operations([
    [READ, flag],
    [WRITE + IF_FOUND, written],
    // Long enough for a separate task: in the readers' task, it would run before them.
    [SPIN, Math.round(spinRounds * WRITER_SHARE)],
  ]);
  const others = new Array<Uint8Array>(SHORT_CALLS).fill(spin(short));
  return {
    inputs: [writer, ...new Array<Uint8Array>(LONG_READERS).fill(reader), ...others],
    transfersAfter: 0,
    before: operations([[WRITE, flag]]),
  };
}

/**
 * @param spinRounds total over all calls
 * @param salt distinguishes the block's slots from those of other blocks
 */
export function shapedBlock(
  shape: ConflictShape,
  spinRounds: number,
  random: () => number,
  salt: string,
): ShapedBlock {
  const flag = slot(`flag ${salt}`, 0);
  const isConflictStale = shape.stale === 'more conflicts' || shape.stale === 'more of both';
  /** Operations that do nothing until the flag is set, if conflicts are stale. */
  const appearing = (kind: number, of: Uint8Array): Operation[] =>
    isConflictStale
      ? [
          [READ, flag],
          [kind + IF_FOUND, of],
        ]
      : [[kind, of]];
  const spinning = (rounds: number): Operation[] => {
    const isChanged = random() < shape.changed;
    if (isChanged && (shape.stale === 'more gas' || shape.stale === 'more of both')) {
      return [
        [READ, flag],
        [SPIN + IF_FOUND, rounds],
      ];
    }
    if (!isChanged || shape.stale !== 'less gas') return [[SPIN, rounds]];
    return [
      [SPIN, rounds],
      [READ, flag],
      [SPIN + IF_ABSENT, 4 * rounds],
    ];
  };
  const sizes = sizesOf(shape, random);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const firstGate = Math.round(shape.gateAt * (shape.calls - shape.gates));
  const chainAt = new Array<number>(shape.chains).fill(0);
  let level = 0;
  let inLevel = 0;
  const inputs = sizes.map((size, number) => {
    const rounds = Math.round((spinRounds * size) / total);
    const gate = number - firstGate;
    if (gate >= 0 && gate < shape.gates) {
      const opened: Operation[] =
        gate === 0
          ? appearing(WRITE, slot('gate', 0))
          : [
              [READ, slot('gate', gate - 1)],
              [WRITE + IF_FOUND, slot('gate', gate)],
            ];
      return operations([...opened, [SPIN, rounds]]);
    }
    const list: Operation[] = [];
    if (shape.levelWidth > 0) {
      if (inLevel === shape.levelWidth) {
        level++;
        inLevel = 0;
      }
      const before: Operation[] = level === 0 ? [] : [[READ, slot('level', level - 1)]];
      list.push(...before, [level === 0 ? WRITE : WRITE + IF_FOUND, slot('level', level)]);
      inLevel++;
    }
    if (random() < shape.chained) {
      const chain = Math.floor(random() * shape.chains);
      const at = chainAt[chain] ?? 0;
      chainAt[chain] = at + 1;
      const name = `chain ${chain}`;
      list.push([READ, slot(name, 0)], ...appearing(WRITE, slot(name, 0)));
    }
    list.push(...spinning(rounds));
    if (shape.gates > 0 && random() < shape.readers) {
      list.push(...appearing(READ, slot('gate', shape.gates - 1)));
      if (shape.unsettled > 1) list.push([SPIN + IF_ABSENT, Math.round(rounds * (shape.unsettled - 1))]);
    }
    return operations(list);
  });
  const block = { inputs, transfersAfter: shape.transfers };
  return shape.stale === 'not' ? block : { ...block, before: operations([[WRITE, flag]]) };
}

export function anyShape(random: () => number): ConflictShape {
  return {
    calls: among(random, [12, 24, 48, 90]),
    sizes: among(random, ['equal', 'two sizes', 'any', 'one large', 'four large']),
    gates: among(random, [0, 1, 2, 3, 4, 6]),
    gateAt: among(random, [0, 0, 0.2, 0.5, 0.8]),
    readers: among(random, [0, 0.3, 0.7, 1]),
    chained: among(random, [0, 0, 0.3, 0.5, 0.8]),
    chains: among(random, [1, 1, 2, 4]),
    levelWidth: among(random, [0, 0, 1, 2, 6, 15]),
    transfers: among(random, [0, 0, 0, 2, 10]),
    foreseen: random() < 0.8,
    unsettled: 1,
    stale: among(random, ['not', 'not', 'more gas', 'less gas', 'more conflicts', 'more of both']),
    changed: among(random, [0.1, 0.3, 1]),
    limit: among(random, ['usual', 'block']),
  };
}

/** Replaces one or two properties of a shape with random values. */
export function mutated(shape: ConflictShape, random: () => number): ConflictShape {
  const other = anyShape(random);
  const names = Object.keys(shape).filter((name) => name !== 'unsettled') as (keyof ConflictShape)[];
  const changed = [among(random, names), among(random, names)];
  return { ...shape, ...Object.fromEntries(changed.map((name) => [name, other[name]])) };
}

export function describeShape(shape: ConflictShape): string {
  const { calls, sizes, gates, gateAt, readers, chained, chains, levelWidth, transfers, foreseen } = shape;
  const isGasStale = shape.stale !== 'not' && shape.stale !== 'more conflicts';
  return [
    `${calls} calls (${sizes})`,
    ...(gates > 0 ? [`${gates} gates from ${gateAt} on, read by ${readers}`] : []),
    ...(levelWidth > 0 ? [`levels of ${levelWidth}`] : []),
    ...(chained > 0 ? [`${chained} in ${chains} chains`] : []),
    ...(transfers > 0 ? [`${transfers} transfers after each`] : []),
    ...(shape.unsettled > 1 ? [`${shape.unsettled} times the gas before the gates`] : []),
    foreseen ? 'foreseen' : 'nothing foreseen',
    ...(shape.stale === 'not' ? [] : [`since then ${shape.stale}`]),
    ...(isGasStale ? [`in ${shape.changed} of the calls`] : []),
    ...(shape.limit === 'block' ? ['calls may use all gas of the block'] : []),
  ].join(', ');
}

function sizesOf({ calls, sizes }: ConflictShape, random: () => number): number[] {
  const size = {
    equal: () => 1,
    'two sizes': () => (random() < 0.2 ? 10 : 1),
    any: () => 50 ** random(),
    'one large': (number: number) => (number === Math.floor(calls / 3) ? calls / 4 : 1),
    'four large': (number: number) => (number > 0 && number <= LONG_READERS ? 10 * calls : 1),
  }[sizes];
  return Array.from({ length: calls }, (_, number) => size(number));
}

function among<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('there is nothing to choose from');
  return value;
}

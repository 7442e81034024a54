import { assemble } from '../../test/support/wasm-assembler.js';

/*
 * Blocks whose calls conflict in predictable or unpredictable ways. A call is a list of operations on the slots of one
 * contract. Some operations depend on whether the last slot read has a value, so a call's accesses depend on the calls
 * before it.
 */

/** Bytes of an operation: u32le kind ‖ slot 32. A spin has its rounds, u32le, instead of the slot. */
const OPERATION_BYTES = 36;
const READ = 1;
const WRITE = 2;
const SPIN = 3;
/** Added to the kind of an operation that runs only if the last slot read has a value. */
const IF_FOUND = 16;
/** Added to the kind of an operation that runs only if the last slot read has no value. */
const IF_ABSENT = 32;

/** The conflicts in a block. */
export interface ConflictShape {
  readonly calls: number;
  /** Distribution of the block's gas over the calls. */
  readonly sizes: 'equal' | 'two sizes' | 'any' | 'one large';
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
}

/** The inputs of a shape's calls, and the number of transfers after each call. */
export interface ShapedBlock {
  readonly inputs: readonly Uint8Array[];
  readonly transfersAfter: number;
}

/** A contract that executes the operations in its input one after another. */
export function operationsContract(): Uint8Array {
  return assemble({
    imports: ['input_read', 'input_size', 'storage_read', 'storage_write'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        // Locals: 0 operation; 1 end; 2 its kind; 3 whether the last slot read has a value; 4 rounds left.
        locals: 'iiiii',
        code: `
          i32.const 1024; i32.const 0; call input_size; call input_read; drop
          i32.const 1024; call input_size; i32.add; local.set 1
          i32.const 1024; local.set 0
          block
          loop
            local.get 0; local.get 1; i32.ge_u; br_if 1
            local.get 0; i32.load; local.set 2
            block
              local.get 2; i32.const 4; i32.shr_u; i32.const 1; i32.and; local.get 3; i32.eqz; i32.and; br_if 0
              local.get 2; i32.const 5; i32.shr_u; i32.const 1; i32.and; local.get 3; i32.and; br_if 0
              local.get 2; i32.const 15; i32.and; i32.const ${READ}; i32.eq
              if
                i32.const 0; i32.const 0; i32.store
                local.get 0; i32.const 4; i32.add; i32.const 0; i32.const 4; call storage_read; drop
                i32.const 0; i32.load; local.set 3
              end
              local.get 2; i32.const 15; i32.and; i32.const ${WRITE}; i32.eq
              if
                i32.const 0; i32.const 1; i32.store
                local.get 0; i32.const 4; i32.add; i32.const 0; i32.const 4; call storage_write
              end
              local.get 2; i32.const 15; i32.and; i32.const ${SPIN}; i32.eq
              if
                local.get 0; i32.load offset=4; local.set 4
                block
                loop
                  local.get 4; i32.eqz; br_if 1
                  local.get 4; i32.const 1; i32.sub; local.set 4
                  br 0
                end
                end
              end
            end
            local.get 0; i32.const ${OPERATION_BYTES}; i32.add; local.set 0
            br 0
          end
          end
          i32.const 0`,
      },
    ],
  });
}

/** A call that only spins. */
export function spin(rounds: number): Uint8Array {
  return operations([[SPIN, rounds]]);
}

/** @param spinRounds total over all calls */
export function shapedBlock(shape: ConflictShape, spinRounds: number, random: () => number): ShapedBlock {
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
      const first = gate === 0 ? [] : ([[READ, slot('gate', gate - 1)]] as Operation[]);
      const kind = gate === 0 ? WRITE : WRITE + IF_FOUND;
      return operations([...first, [kind, slot('gate', gate)], [SPIN, rounds]]);
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
      list.push([READ, slot(name, 0)], [WRITE, slot(name, 0)]);
    }
    list.push([SPIN, rounds]);
    if (shape.gates > 0 && random() < shape.readers) {
      list.push([READ, slot('gate', shape.gates - 1)]);
      if (shape.unsettled > 1) list.push([SPIN + IF_ABSENT, Math.round(rounds * (shape.unsettled - 1))]);
    }
    return operations(list);
  });
  return { inputs, transfersAfter: shape.transfers };
}

export function anyShape(random: () => number): ConflictShape {
  return {
    calls: among(random, [12, 24, 48, 90]),
    sizes: among(random, ['equal', 'two sizes', 'any', 'one large']),
    gates: among(random, [0, 2, 3, 4, 6]),
    gateAt: among(random, [0, 0, 0.2, 0.5, 0.8]),
    readers: among(random, [0, 0.3, 0.7, 1]),
    chained: among(random, [0, 0, 0.3, 0.5, 0.8]),
    chains: among(random, [1, 1, 2, 4]),
    levelWidth: among(random, [0, 0, 1, 2, 6, 15]),
    transfers: among(random, [0, 0, 0, 2, 10]),
    foreseen: random() < 0.8,
    unsettled: 1,
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
  return [
    `${calls} calls (${sizes})`,
    ...(gates > 0 ? [`${gates} gates from ${gateAt} on, read by ${readers}`] : []),
    ...(levelWidth > 0 ? [`levels of ${levelWidth}`] : []),
    ...(chained > 0 ? [`${chained} in ${chains} chains`] : []),
    ...(transfers > 0 ? [`${transfers} transfers after each`] : []),
    ...(shape.unsettled > 1 ? [`${shape.unsettled} times the gas before the gates`] : []),
    foreseen ? 'foreseen' : 'nothing foreseen',
  ].join(', ');
}

type Operation = readonly [kind: number, slot: Uint8Array | number];

function operations(list: readonly Operation[]): Uint8Array {
  const bytes = Buffer.alloc(list.length * OPERATION_BYTES);
  for (const [place, [kind, operand]] of list.entries()) {
    const at = place * OPERATION_BYTES;
    bytes.writeUInt32LE(kind, at);
    if (typeof operand === 'number') bytes.writeUInt32LE(operand, at + 4);
    else bytes.set(operand, at + 4);
  }
  return bytes;
}

function slot(name: string, number: number): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.write(`${name} ${number}`);
  return bytes;
}

function sizesOf({ calls, sizes }: ConflictShape, random: () => number): number[] {
  const size = {
    equal: () => 1,
    'two sizes': () => (random() < 0.2 ? 10 : 1),
    any: () => 50 ** random(),
    'one large': (number: number) => (number === Math.floor(calls / 3) ? calls / 4 : 1),
  }[sizes];
  return Array.from({ length: calls }, (_, number) => size(number));
}

function among<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('there is nothing to choose from');
  return value;
}

import type { FunctionSource, ModuleSource } from './wasm-assembler.js';

type Letter = 'i' | 'j';

interface Signature {
  readonly params: readonly Letter[];
  readonly results: readonly Letter[];
}

const BINARY = 'add sub mul and or xor shl shr_s shr_u rotl rotr'.split(' ');
const DIVISION = 'div_s div_u rem_s rem_u'.split(' ');
const COMPARISON = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u'.split(' ');
const UNARY: Readonly<Record<Letter, readonly string[]>> = {
  i: ['i32.clz', 'i32.ctz', 'i32.popcnt', 'i32.eqz', 'i32.extend8_s', 'i32.extend16_s'],
  j: ['i64.clz', 'i64.ctz', 'i64.popcnt', 'i64.extend8_s', 'i64.extend16_s', 'i64.extend32_s'],
};
const LOADS: Readonly<Record<Letter, readonly string[]>> = {
  i: ['i32.load', 'i32.load8_s', 'i32.load8_u', 'i32.load16_s', 'i32.load16_u'],
  j: ['i64.load', 'i64.load8_s', 'i64.load16_u', 'i64.load32_s', 'i64.load32_u'],
};
const STORES: Readonly<Record<Letter, readonly string[]>> = {
  i: ['i32.store', 'i32.store8', 'i32.store16'],
  j: ['i64.store', 'i64.store8', 'i64.store16', 'i64.store32'],
};
const CONSTANTS = [
  0n,
  1n,
  2n,
  7n,
  -1n,
  31n,
  64n,
  255n,
  65_535n,
  0x7fffffffn,
  -0x80000000n,
  0x123456789abcdefn,
  -(1n << 63n),
];

/** Global 0 of every generated module: the remaining loop rounds and calls. It bounds code without gas. */
const FUEL = 0;
const FUNCTIONS = 4;
const GLOBALS: readonly Letter[] = ['i', 'i', 'j', 'i', 'j'];

/**
 * Writes a random module of the subset that always ends: loops and calls spend fuel, and stop when it runs out.
 * It exports `f0` to `f3`, `refuel: i32 → ()`, and getters `g1` to `g4` of its globals.
 * @param random numbers from 0 to below 1
 * @param hasBulk true for bulk operations on memory and table, whose cost depends on the operands
 */
export function randomModule(
  random: () => number,
  hasBulk = true,
): {
  source: ModuleSource;
  signatures: readonly Signature[];
} {
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) {
      throw new Error('nothing to pick from');
    }
    return item;
  };
  const letters = (most: number): Letter[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick<Letter>(['i', 'j']));
  const signatures = Array.from({ length: FUNCTIONS }, () => ({ params: letters(3), results: letters(2) }));
  const functions: FunctionSource[] = signatures.map((signature, index) => ({
    name: `f${index}`,
    ...new FunctionGenerator(random, pick, signatures, signature, hasBulk).generate(),
  }));
  functions.push({ name: 'refuel', type: 'i>', code: 'local.get 0; global.set 0' });
  for (const [index, type] of GLOBALS.entries()) {
    functions.push({ name: `g${index}`, type: `>${type}`, code: `global.get ${index}` });
  }
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  const names = signatures.map((_, index) => `f${index}`);
  return {
    signatures,
    source: {
      memory: [1, 3],
      table: 8,
      globals: GLOBALS.map((type, index) => ({ type, value: BigInt(index) })),
      elements: [{ at: 1, functions: names }, { functions: [...names, null].sort(() => random() - 0.5) }],
      data: [{ at: 100, bytes: bytes(300) }, { bytes: bytes(40) }],
      functions,
    },
  };
}

class FunctionGenerator {
  readonly #random: () => number;
  readonly #pick: <T>(items: readonly T[]) => T;
  readonly #signatures: readonly Signature[];
  readonly #own: Signature;
  readonly #hasBulk: boolean;
  readonly #locals: Letter[];
  /** Operands of a branch to each open label, the outermost first; undefined for loops, which are never targets. */
  readonly #labels: (readonly Letter[] | undefined)[];
  #size = 0;

  constructor(
    random: () => number,
    pick: <T>(items: readonly T[]) => T,
    signatures: readonly Signature[],
    own: Signature,
    hasBulk: boolean,
  ) {
    this.#random = random;
    this.#pick = pick;
    this.#signatures = signatures;
    this.#own = own;
    this.#hasBulk = hasBulk;
    this.#locals = [...own.params, 'i', 'j', 'i', 'j'];
    this.#labels = [own.results];
  }

  generate(): { type: string; locals: string; code: string } {
    const body = [
      // Spend fuel, or trap.
      `global.get ${FUEL}; i32.const 1; i32.sub; global.set ${FUEL}`,
      `global.get ${FUEL}; i32.const 0; i32.lt_s; if; unreachable; end`,
      this.#statements(5),
      ...this.#own.results.map((type) => this.#value(type, 4)),
    ];
    return {
      type: `${this.#own.params.join('')}>${this.#own.results.join('')}`,
      locals: 'ijij',
      code: body.join('\n'),
    };
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #statements(depth: number): string {
    return Array.from({ length: 1 + this.#below(4) }, () => this.#statement(depth)).join('\n');
  }

  #statement(depth: number): string {
    this.#size += 1;
    if (depth <= 0 || this.#size > 300) {
      return this.#assignment(0);
    }
    const inner = depth - 1;
    switch (this.#below(14)) {
      case 0:
        return `${this.#value('i', inner)}\nif\n${this.#inside([], () => this.#statements(inner))}\nend`;
      case 1:
        return `${this.#value('i', inner)}\nif\n${this.#inside([], () => this.#statements(inner))}\nelse\n${this.#inside([], () => this.#statements(inner))}\nend`;
      case 2:
        return `block\n${this.#inside([], () => this.#statements(inner))}\nend`;
      case 3:
        return this.#loop(inner);
      case 4:
        return this.#branch(inner);
      case 5:
        return this.#branchTable(inner);
      case 6:
        return this.#hasBulk ? this.#bulk(inner) : this.#assignment(inner);
      case 7:
        return this.#call(inner, undefined);
      case 8:
        return `${this.#address(inner)}\n${this.#store(inner)}`;
      case 9:
        return this.#chance(0.03) ? 'unreachable' : 'nop';
      default:
        return this.#assignment(inner);
    }
  }

  #assignment(depth: number): string {
    if (this.#chance(0.3)) {
      const index = 1 + this.#below(GLOBALS.length - 1);
      return `${this.#value(GLOBALS[index] ?? 'i', depth)}\nglobal.set ${index}`;
    }
    const index = this.#below(this.#locals.length);
    return `${this.#value(this.#locals[index] ?? 'i', depth)}\nlocal.set ${index}`;
  }

  #inside(label: readonly Letter[] | undefined, generate: () => string): string {
    this.#labels.push(label);
    const code = generate();
    this.#labels.pop();
    return code;
  }

  /** Loops while there is fuel and a random condition holds. */
  #loop(depth: number): string {
    // The loop is no branch target, because a branch back would spend no fuel.
    const body = this.#inside(undefined, () => `${this.#statements(depth)}\n${this.#value('i', depth)}`);
    return `loop
      ${body}
      global.get ${FUEL}; i32.const 0; i32.gt_s; i32.and
      global.get ${FUEL}; i32.const 1; i32.sub; global.set ${FUEL}
      br_if 0
    end`;
  }

  #branch(depth: number): string {
    if (this.#chance(0.2)) {
      return `${this.#values(this.#own.results, depth)}\nreturn`;
    }
    const { label, types } = this.#pick(this.#labelsFor(() => true));
    const values = this.#values(types, depth);
    return this.#chance(0.5)
      ? `${values}\nbr ${label}`
      : `${values}\n${this.#value('i', depth)}\nbr_if ${label}\n${types.map(() => 'drop').join('\n')}`;
  }

  /** Branches between labels without operands, so that all are compatible. */
  #branchTable(depth: number): string {
    return this.#inside([], () => {
      const labels = this.#labelsFor((types) => types.length === 0);
      const targets = Array.from({ length: 1 + this.#below(4) }, () => this.#pick(labels).label);
      return `block\n${this.#value('i', depth)}\nbr_table ${targets.join(' ')}\nend`;
    });
  }

  #labelsFor(
    isWanted: (types: readonly Letter[]) => boolean,
  ): { readonly label: number; readonly types: readonly Letter[] }[] {
    return this.#labels.flatMap((types, index) =>
      types !== undefined && isWanted(types) ? [{ label: this.#labels.length - 1 - index, types }] : [],
    );
  }

  #bulk(depth: number): string {
    const small = (): string => `${this.#value('i', 0)}; i32.const ${this.#chance(0.9) ? 15 : -1}; i32.and`;
    switch (this.#below(8)) {
      case 0:
        return `${this.#address(depth)}\n${this.#value('i', depth)}\n${small()}\nmemory.fill`;
      case 1:
        return `${this.#address(depth)}\n${this.#address(depth)}\n${small()}\nmemory.copy`;
      case 2:
        return `${this.#address(depth)}\n${small()}\n${small()}\nmemory.init ${this.#below(2)}`;
      case 3:
        return this.#chance(0.2) ? `data.drop ${this.#below(2)}` : 'nop';
      case 4:
        return `i32.const ${this.#below(5)}\ni32.const ${this.#below(4)}\ni32.const ${this.#below(5)}\ntable.init ${this.#chance(0.9) ? 1 : 0}`;
      case 5:
        return `i32.const ${this.#below(5)}\ni32.const ${this.#below(5)}\ni32.const ${this.#below(6)}\ntable.copy`;
      case 6:
        return this.#chance(0.2) ? `elem.drop ${this.#below(2)}` : 'nop';
      default:
        return `i32.const ${this.#below(3)}\nmemory.grow\ndrop`;
    }
  }

  #store(depth: number): string {
    const type = this.#pick<Letter>(['i', 'j']);
    return `${this.#value(type, depth)}\n${this.#pick(STORES[type])} offset=${this.#below(64)}`;
  }

  /** Mostly in the first page. */
  #address(depth: number): string {
    const value = this.#value('i', depth);
    return this.#chance(0.98) ? `${value}\ni32.const 0xfff\ni32.and` : value;
  }

  #values(types: readonly Letter[], depth: number): string {
    return types.map((type) => this.#value(type, depth)).join('\n');
  }

  #value(type: Letter, depth: number): string {
    this.#size += 1;
    const prefix = type === 'i' ? 'i32' : 'i64';
    const inner = depth - 1;
    if (depth <= 0 || this.#size > 300) {
      return this.#simpleValue(type);
    }
    switch (this.#below(16)) {
      case 0:
        return `${this.#value(type, inner)}\n${this.#pick(UNARY[type])}`;
      case 1:
        return `${this.#value(type, inner)}\n${this.#value(type, inner)}\n${prefix}.${this.#pick(this.#chance(0.15) ? DIVISION : BINARY)}`;
      case 2:
        return `${this.#address(inner)}\n${this.#pick(LOADS[type])} offset=${this.#below(100)}`;
      case 3:
        return `${this.#value(type, inner)}\n${this.#value(type, inner)}\n${this.#value('i', inner)}\nselect`;
      case 4:
        return `block ${type}\n${this.#inside([type], () => `${this.#statements(inner)}\n${this.#value(type, inner)}`)}\nend`;
      case 5:
        return `${this.#value('i', inner)}\nif ${type}\n${this.#inside([type], () => this.#value(type, inner))}\nelse\n${this.#inside([type], () => `${this.#statements(inner)}\n${this.#value(type, inner)}`)}\nend`;
      case 6:
        return this.#call(inner, type);
      case 7:
        return type === 'i'
          ? this.#comparison(inner)
          : `${this.#value('i', inner)}\ni64.extend_i32_${this.#pick(['s', 'u'])}`;
      case 8:
        return type === 'i' ? `${this.#value('j', inner)}\ni32.wrap_i64` : this.#simpleValue(type);
      case 9:
        // A block that takes two operands and returns two results.
        return `${this.#value('i', inner)}\n${this.#value(type, inner)}\nblock i${type}>i${type}\nend\n${type === 'i' ? 'i32.xor' : 'local.set 0\ndrop\nlocal.get 0'.replaceAll(' 0', ` ${this.#localOf('j')}`)}`;
      case 10:
        return `${this.#value(type, inner)}\nlocal.tee ${this.#localOf(type)}`;
      default:
        return `${this.#value(type, inner)}\n${this.#value(type, inner)}\n${prefix}.${this.#pick(BINARY)}`;
    }
  }

  #comparison(depth: number): string {
    const type = this.#pick<Letter>(['i', 'j']);
    const prefix = type === 'i' ? 'i32' : 'i64';
    return `${this.#value(type, depth)}\n${this.#value(type, depth)}\n${prefix}.${this.#pick(COMPARISON)}`;
  }

  #simpleValue(type: Letter): string {
    const globals = [...GLOBALS.keys()].slice(1).filter((index) => GLOBALS[index] === type);
    switch (this.#below(4)) {
      case 0:
        return `${type === 'i' ? 'i32' : 'i64'}.const ${type === 'i' ? BigInt.asIntN(32, this.#pick(CONSTANTS)) : this.#pick(CONSTANTS)}`;
      case 1:
        return `global.get ${this.#pick(globals)}`;
      case 2:
        return type === 'i' ? 'memory.size' : `local.get ${this.#localOf(type)}`;
      default:
        return `local.get ${this.#localOf(type)}`;
    }
  }

  #localOf(type: Letter): number {
    return this.#pick([...this.#locals.keys()].filter((index) => this.#locals[index] === type));
  }

  /** A call, direct or through the table, which keeps one result of the wanted type, or none. */
  #call(depth: number, wanted: Letter | undefined): string {
    const index = this.#below(FUNCTIONS);
    const { params, results } = this.#signatures[index] ?? this.#own;
    const args = this.#values(params, depth);
    const call = this.#chance(0.6)
      ? `call f${index}`
      : `i32.const ${this.#chance(0.8) ? index + 1 : this.#below(10)}\ncall_indirect ${params.join('')}>${results.join('')}`;
    const drops = (count: number): string[] => Array.from({ length: count }, () => 'drop');
    if (wanted === undefined || results[0] !== wanted) {
      const after = wanted === undefined ? [] : [this.#simpleValue(wanted)];
      return [args, call, ...drops(results.length), ...after].join('\n');
    }
    return [args, call, ...drops(results.length - 1)].join('\n');
  }
}

import { assemble, type FunctionSource } from '../wasm-assembler.js';
import type { Gene, Genes, Genome } from './genome.js';

const BINARY = [
  'add',
  'sub',
  'mul',
  'and',
  'or',
  'xor',
  'shl',
  'shr_u',
  'shr_s',
  'rotl',
  'eq',
  'lt_s',
  'gt_u',
];
const DIVISIONS = ['div_u', 'div_s', 'rem_u', 'rem_s'];
const UNARY = ['clz', 'ctz', 'popcnt', 'extend8_s', 'extend16_s', 'eqz'];
/** Types called through the table. */
const TYPES = [
  '>',
  'i>i',
  'jj>',
  '>jjjj',
  `${'j'.repeat(20)}>${'j'.repeat(10)}`,
  `${'i'.repeat(60)}>`,
  `>${'i'.repeat(40)}`,
];
/** Maximum number of statements in one unrolled function; bounds nested repetition. */
const MOST_STEPS = 20_000;

/**
 * The module of a genome. It exports `enter: i → ()`, which starts a recursion of the given number of frames; code
 * after the innermost call runs only for small numbers.
 */
export function moduleOf({ main, helpers, tableType }: Genome): Uint8Array {
  const type = TYPES[tableType % TYPES.length] ?? '>';
  const functions: FunctionSource[] = [
    new FunctionWriter('run', main, helpers, main, type).write(),
    ...helpers.map((genes, index) =>
      new FunctionWriter(`helper${index}`, genes, helpers.slice(0, index), main, type).write(),
    ),
  ];
  functions.push({ name: 'nothing', type, code: zeros(type.split('>')[1] ?? '') });
  functions.push({
    name: 'enter',
    type: 'i>',
    code: `local.get 0; ${zeros(paramsOf(main).slice(1))}; call run; ${'drop;'.repeat(main.results)}`,
  });
  return assemble({
    memory: [1, 2],
    globals: [
      { type: 'i', value: 0n },
      { type: 'i', value: 0n },
      { type: 'j', value: 0n },
    ],
    table: 8,
    elements: [{ at: 0, functions: Array.from({ length: 8 }, () => 'nothing') }],
    functions,
  });
}

function paramsOf(genes: Genes): string {
  return `i${'ji'.repeat(genes.params).slice(0, genes.params)}`;
}

function resultsOf(genes: Genes): string {
  return 'jji'.repeat(genes.results).slice(0, genes.results);
}

function typeOf(genes: Genes): string {
  return `${paramsOf(genes)}>${resultsOf(genes)}`;
}

function zeros(types: string): string {
  return [...types].map((type) => (type === 'i' ? 'i32.const 0' : 'i64.const 0')).join(';');
}

class FunctionWriter {
  readonly #name: string;
  readonly #genes: Genes;
  readonly #helpers: readonly Genes[];
  readonly #main: Genes;
  readonly #tableType: string;
  readonly #ints: readonly number[];
  readonly #longs: readonly number[];
  readonly #out: string[] = [];
  #steps = 0;

  constructor(name: string, genes: Genes, helpers: readonly Genes[], main: Genes, tableType: string) {
    this.#tableType = tableType;
    this.#name = name;
    this.#genes = genes;
    this.#helpers = helpers;
    this.#main = main;
    const types = [...`${paramsOf(genes)}${'i'.repeat(genes.ints + 1)}${'j'.repeat(genes.longs + 1)}`];
    const indices = types.map((type, index) => ({ type, index })).slice(1);
    this.#ints = indices.filter(({ type }) => type === 'i').map(({ index }) => index);
    this.#longs = indices.filter(({ type }) => type === 'j').map(({ index }) => index);
  }

  write(): FunctionSource {
    this.#body(this.#genes.body);
    for (const [index, type] of [...resultsOf(this.#genes)].entries()) this.#get(type, index);
    return {
      name: this.#name,
      type: typeOf(this.#genes),
      locals: `${'i'.repeat(this.#genes.ints + 1)}${'j'.repeat(this.#genes.longs + 1)}`,
      code: this.#out.join(';'),
    };
  }

  #body(genes: readonly Gene[]): void {
    for (const gene of genes) this.#gene(gene);
  }

  #gene(gene: Gene): void {
    const { kind, count, from, to, variant, body } = gene;
    const type = variant % 2 === 0 ? 'j' : 'i';
    const word = type === 'j' ? 'i64' : 'i32';
    const operation = BINARY[(variant >> 1) % BINARY.length] ?? 'xor';
    const isComparison = ['eq', 'lt_s', 'gt_u'].includes(operation);
    switch (kind) {
      case 'move':
        this.#times(count, (n) => {
          this.#get(type, from + n);
          this.#set(type, to + n);
        });
        return;
      case 'rotate':
        this.#times(count, (n) => this.#get(type, from + n));
        this.#times(count, (n) => this.#set(type, to + n));
        return;
      case 'calculate':
        this.#times(count, (n) => {
          if (variant % 5 === 0) {
            this.#get(type, from + n);
            const name = UNARY[(variant >> 1) % UNARY.length] ?? 'clz';
            this.#out.push(`${word}.${name}`);
            this.#set(name === 'eqz' ? 'i' : type, to + n);
            return;
          }
          this.#get(type, from + n);
          if (variant % 3 === 0) this.#out.push(`${word}.const ${variant}`);
          else this.#get(type, from + n + 1 + (variant % 7));
          this.#out.push(`${word}.${operation}`);
          this.#set(isComparison ? 'i' : type, to + n);
        });
        return;
      case 'repeat':
        // Repeats the same sums, which the compiler may share.
        this.#get('j', to);
        this.#times(count, (n) => {
          this.#get('i', from + n);
          this.#out.push(variant % 3 === 0 ? 'i64.extend_i32_s' : 'i64.extend_i32_u');
          if (variant % 2 === 0) this.#out.push(`i64.const ${2 + (variant % 5)}; i64.mul`);
          this.#out.push('i64.xor');
        });
        this.#set('j', to);
        return;
      case 'load':
        this.#times(count, (n) => {
          if (variant % 3 === 0) this.#out.push(`i32.const ${8 * n}`);
          else this.#get('i', from + n);
          this.#out.push(
            variant % 5 === 0 && type === 'j' ? 'i64.load32_s' : `${word}.load offset=${variant * 8}`,
          );
          this.#set(type, to + n);
        });
        return;
      case 'store':
        this.#times(count, (n) => {
          this.#get('i', from + n);
          if (variant % 3 === 0) this.#out.push(`${word}.const 0`);
          else this.#get(type, to + n);
          this.#out.push(`${word}.store offset=${(variant % 4) * 8}`);
        });
        return;
      case 'widen':
        this.#times(count, (n) => {
          this.#get('i', from + n);
          this.#out.push(variant % 3 === 0 ? 'i64.extend_i32_s' : 'i64.extend_i32_u');
          this.#set('j', to + n);
        });
        return;
      case 'narrow':
        this.#times(count, (n) => {
          this.#get('j', from + n);
          this.#out.push('i32.wrap_i64');
          this.#set('i', to + n);
        });
        return;
      case 'divide':
        this.#times(count, (n) => {
          this.#get(type, from + n);
          if (variant % 3 === 0) this.#out.push(`${word}.const ${3 + variant}`);
          else this.#get(type, from + n + 1);
          this.#out.push(`${word}.${DIVISIONS[(variant >> 1) % 4]}`);
          this.#set(type, to + n);
        });
        return;
      case 'select':
        this.#times(count, (n) => {
          this.#get(type, from + n);
          this.#get(type, from + n + 1);
          this.#get('i', to + n + 3);
          this.#out.push('select');
          this.#set(type, to + n);
        });
        return;
      case 'global':
        this.#times(count, (n) => {
          if (variant % 3 === 0) {
            this.#get('j', from + n);
            this.#out.push('global.set 2');
          } else {
            this.#out.push('global.get 2');
            this.#set('j', to + n);
          }
        });
        return;
      case 'bulk':
        this.#times(Math.min(count, 8), (n) => {
          this.#get('i', from + n);
          this.#get('i', from + n + 1);
          this.#get('i', from + n + 2);
          this.#out.push(variant % 2 === 0 ? 'memory.fill' : 'memory.copy');
        });
        return;
      case 'indirect':
        this.#times(count, (n) =>
          this.#call(
            variant % 4 > 0 ? this.#tableType : (TYPES[variant % TYPES.length] ?? '>'),
            from + n,
            to + n,
            true,
          ),
        );
        return;
      case 'helper': {
        const helper = this.#helpers[variant % 3];
        if (helper === undefined) return;
        // Helpers are called at the recursion's end: in warm-up rounds, but not while the stack is measured.
        this.#out.push('local.get 0; i32.eqz; if');
        this.#times(Math.min(count, 16), (n) => {
          this.#call(typeOf(helper), from + n, to + n, false);
        });
        this.#out.push('end');
        return;
      }
      case 'recurse':
        this.#recurse(gene);
        return;
      case 'loop':
        this.#out.push('loop');
        this.#body(body);
        this.#out.push(variant % 3 === 0 ? 'br 0; end' : 'global.get 1; br_if 0; end');
        return;
      case 'branch':
        if (variant % 3 === 0) this.#get('i', from);
        else this.#out.push('global.get 0');
        this.#out.push('if');
        this.#body(variant % 2 === 0 ? body : body.slice(0, body.length >> 1));
        if (variant % 2 === 1) {
          this.#out.push('else');
          this.#body(body.slice(body.length >> 1));
        }
        this.#out.push('end');
        return;
      case 'carry': {
        const types = type.repeat(Math.min(count, 60));
        for (const [n] of [...types].entries()) this.#get(type, from + n);
        this.#out.push(`${variant % 3 === 0 ? 'block' : 'loop'} ${types}>${types}`);
        for (const [n] of [...types].entries()) this.#set(type, to + n);
        this.#body(body);
        for (const [n] of [...types].entries()) this.#get(type, to + n + variant);
        if (variant % 3 !== 0) this.#out.push('global.get 1; br_if 0');
        this.#out.push('end');
        for (const [n] of [...types].entries()) this.#set(type, from + n + 1);
        return;
      }
      case 'table': {
        const arms = Math.min(body.length + 1, 1 + count);
        this.#out.push(...Array.from({ length: arms }, () => 'block'));
        this.#get('i', from);
        this.#out.push(`br_table ${Array.from({ length: arms }, (_, arm) => arm).join(' ')}`);
        for (let arm = 0; arm < arms; arm++) {
          this.#out.push('end');
          const gene = body[arm];
          if (gene !== undefined) this.#gene(gene);
        }
        return;
      }
      case 'pile':
        this.#times(count, (n) => {
          this.#get(type, from + n);
          if (variant % 3 === 0) this.#out.push(`${word}.const ${n + 1}; ${word}.mul`);
        });
        this.#body(body);
        this.#times(count, (n) => this.#set(type, to + n));
        return;
      case 'leave':
        this.#out.push('block');
        this.#times(count, (n) => {
          this.#get('i', from + n);
          this.#out.push('br_if 0');
          this.#get(type, from + n);
          this.#set(type, to + n);
        });
        this.#out.push('end');
        return;
    }
  }

  #recurse({ from, to, variant }: Gene): void {
    this.#out.push('local.get 0; if; local.get 0; i32.const 1; i32.sub');
    const params = paramsOf(this.#main).slice(1);
    for (const [n, type] of [...params].entries()) this.#get(type, from + n);
    this.#out.push('call run');
    const results = [...resultsOf(this.#main)].reverse();
    for (const [n, type] of results.entries()) {
      if (variant % 3 === 0) this.#out.push('drop');
      else this.#set(type, to + n);
    }
    this.#out.push('end');
  }

  #call(type: string, from: number, to: number, isIndirect: boolean): void {
    const [params = '', results = ''] = type.split('>');
    for (const [n, letter] of [...params].entries()) {
      this.#steps++;
      this.#get(letter, from + n);
    }
    if (isIndirect) {
      this.#get('i', from);
      this.#out.push(`call_indirect ${type}`);
    } else {
      this.#out.push(`call helper${this.#helpers.findIndex((each) => typeOf(each) === type)}`);
    }
    for (const [n, letter] of [...results].reverse().entries()) {
      this.#steps++;
      this.#set(letter, to + n);
    }
  }

  #times(count: number, step: (n: number) => void): void {
    for (let n = 0; n < count && this.#steps < MOST_STEPS; n++) {
      this.#steps++;
      step(n);
    }
  }

  #get(type: string, number: number): void {
    this.#out.push(`local.get ${this.#local(type, number)}`);
  }

  #set(type: string, number: number): void {
    this.#out.push(`local.set ${this.#local(type, number)}`);
  }

  #local(type: string, number: number): number {
    const locals = type === 'i' ? this.#ints : this.#longs;
    return locals[number % locals.length] ?? 0;
  }
}

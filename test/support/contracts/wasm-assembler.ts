import { HOST_FUNCTIONS, HOST_MODULE } from '../../../src/vm/wasm/host-interface.js';
import { CodeWriter } from '../../../src/wasm/code-writer.js';
import { I32, I64, INSTRUCTIONS, OP } from '../../../src/wasm/opcodes.js';

/** A function type in letters, `i` for i32 and `j` for i64: `ij>i` takes (i32, i64) and returns an i32. */
export type TypeLetters = string;

export interface FunctionSource {
  /** The name for `call`, tables and the name section. */
  readonly name: string;
  /** `>` if absent: no parameters, no results. */
  readonly type?: TypeLetters;
  /** Types of the locals after the parameters: `iij`. */
  readonly locals?: string;
  /**
   * Instructions as the text format names them, separated by `;` or line ends, without folding. `call` takes a name,
   * `call_indirect` a type in letters, blocks an optional result letter or a type in letters, accesses `offset=N`.
   */
  readonly code: string;
  /** True if the function is exported under its name; default true. */
  readonly isExported?: boolean;
}

export interface ModuleSource {
  /** Names of host functions. */
  readonly imports?: readonly string[];
  /** Initial and maximum number of pages. */
  readonly memory?: readonly [min: number, max?: number];
  readonly globals?: readonly {
    readonly type: 'i' | 'j';
    readonly value: bigint;
    readonly isMutable?: boolean;
  }[];
  readonly table?: number;
  /** Function names; `null` is a null reference. Passive where `at` is absent. */
  readonly elements?: readonly { readonly at?: number; readonly functions: readonly (string | null)[] }[];
  /** Passive where `at` is absent. */
  readonly data?: readonly { readonly at?: number; readonly bytes: Uint8Array }[];
  readonly functions: readonly FunctionSource[];
}

const OPCODES: ReadonlyMap<string, number> = new Map(
  [...INSTRUCTIONS].map(([opcode, instruction]) => [instruction.name, opcode]),
);

/** Assembles a module. Its memory, if any, is exported as `memory`. */
export function assemble(source: ModuleSource): Uint8Array {
  return new Assembler(source).run();
}

class Assembler {
  readonly #source: ModuleSource;
  readonly #imports: readonly string[];
  readonly #types: string[] = [];

  constructor(source: ModuleSource) {
    this.#source = source;
    this.#imports = source.imports ?? [];
  }

  run(): Uint8Array {
    const { functions, table, memory, globals = [], elements = [], data = [] } = this.#source;
    // Bodies first, because they may add types.
    const bodies = functions.map((each) => this.#body(each));
    const sections: [number, CodeWriter][] = [
      [2, this.#vector(this.#imports, (out, name) => this.#import(out, name))],
      [3, this.#vector(functions, (out, { type = '>' }) => out.u32(this.#type(type)))],
      [4, this.#vector(table === undefined ? [] : [table], (out, size) => out.raw(0x70, 0).u32(size))],
      [5, this.#vector(memory === undefined ? [] : [memory], writeMemory)],
      [6, this.#vector(globals, writeGlobal)],
      [7, this.#exports()],
      [9, this.#vector(elements, (out, segment) => this.#element(out, segment))],
      [12, new CodeWriter().u32(data.length)],
      [10, this.#vector(bodies, (out, body) => out.sized(body))],
      [11, this.#vector(data, writeData)],
      [0, this.#names()],
    ];
    const types = this.#vector(this.#types, (out, type) => {
      const [params = '', results = ''] = type.split('>');
      out.byte(0x60).sized(letters(params)).sized(letters(results));
    });
    const out = new CodeWriter().raw(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    for (const [id, content] of [[1, types] as const, ...sections]) {
      out.byte(id).sized(content.view());
    }
    return out.finish();
  }

  #vector<T>(items: readonly T[], write: (out: CodeWriter, item: T) => unknown): CodeWriter {
    const out = new CodeWriter().u32(items.length);
    for (const item of items) {
      write(out, item);
    }
    return out;
  }

  #type(type: TypeLetters): number {
    const index = this.#types.indexOf(type);
    return index >= 0 ? index : this.#types.push(type) - 1;
  }

  #functionIndex(name: string): number {
    const imported = this.#imports.indexOf(name);
    const defined = this.#source.functions.findIndex((each) => each.name === name);
    if (imported < 0 && defined < 0) {
      throw new Error(`no function ${name}`);
    }
    return imported >= 0 ? imported : this.#imports.length + defined;
  }

  #import(out: CodeWriter, name: string): void {
    const host = HOST_FUNCTIONS.get(name);
    if (host === undefined) {
      throw new Error(`no host function ${name}`);
    }
    const text = (types: readonly number[]): string =>
      types.map((type) => (type === I32 ? 'i' : 'j')).join('');
    out
      .name(HOST_MODULE)
      .name(name)
      .byte(0)
      .u32(this.#type(`${text(host.params)}>${text(host.results)}`));
  }

  #exports(): CodeWriter {
    const exported = this.#source.functions.filter(({ isExported = true }) => isExported);
    const out = new CodeWriter().u32(exported.length + (this.#source.memory === undefined ? 0 : 1));
    for (const { name } of exported) {
      out.name(name).byte(0).u32(this.#functionIndex(name));
    }
    return this.#source.memory === undefined ? out : out.name('memory').byte(2).u32(0);
  }

  #element(out: CodeWriter, { at, functions }: { at?: number; functions: readonly (string | null)[] }): void {
    if (at === undefined) {
      out.raw(5, 0x70);
    } else {
      out.byte(4).i32Const(at).end();
    }
    out.u32(functions.length);
    for (const name of functions) {
      if (name === null) {
        out.raw(0xd0, 0x70).end();
      } else {
        out.byte(0xd2).u32(this.#functionIndex(name)).end();
      }
    }
  }

  #names(): CodeWriter {
    const names = this.#vector(this.#source.functions, (out, { name }) =>
      out.u32(this.#functionIndex(name)).name(name),
    );
    return new CodeWriter().name('name').byte(1).sized(names.view());
  }

  #body({ type = '>', locals = '', code }: FunctionSource): Uint8Array {
    this.#type(type);
    const out = new CodeWriter().u32(locals.length).bytes(eachOnce(locals));
    for (const line of code.split(/[;\n]/)) {
      const words = line.trim().split(/\s+/);
      if (words[0] !== '') {
        this.#instruction(out, words);
      }
    }
    return out.end().finish();
  }

  #instruction(out: CodeWriter, [name = '', ...rest]: readonly string[]): void {
    const opcode = OPCODES.get(name);
    if (opcode === undefined) {
      throw new Error(`no instruction ${name}`);
    }
    out.op(opcode);
    const number = Number(rest[0]);
    switch (INSTRUCTIONS.get(opcode)?.immediate) {
      case 'block':
        this.#blockType(out, rest[0]);
        return;
      case 'function':
        out.u32(this.#functionIndex(rest[0] ?? ''));
        return;
      case 'type and table':
        out.u32(this.#type(rest[0] ?? '>')).byte(0);
        return;
      case 'labels':
        out.u32(rest.length - 1);
        for (const label of rest) {
          out.u32(Number(label));
        }
        return;
      case 'memory access':
        out.u32(0).u32(Number(rest[0]?.replace('offset=', '') ?? 0));
        return;
      case 'memory':
        out.byte(0);
        return;
      case 'two memories':
      case 'two tables':
        out.raw(0, 0);
        return;
      case 'data and memory':
      case 'element and table':
        out.u32(number).byte(0);
        return;
      case 'i32':
        out.s33(number | 0);
        return;
      case 'i64':
        out.s64(BigInt.asIntN(64, BigInt(rest[0] ?? 0)));
        return;
      case 'none':
      case undefined:
        return;
      default:
        out.u32(number);
    }
  }

  #blockType(out: CodeWriter, type: string | undefined): void {
    if (type?.includes('>')) {
      out.s33(this.#type(type));
    } else {
      out.bytes(type === undefined ? Uint8Array.of(0x40) : letters(type));
    }
  }
}

function writeMemory(out: CodeWriter, [min, max]: readonly [number, number?]): void {
  out.byte(max === undefined ? 0 : 1).u32(min);
  if (max !== undefined) {
    out.u32(max);
  }
}

function writeGlobal(
  out: CodeWriter,
  { type, value, isMutable = true }: { type: 'i' | 'j'; value: bigint; isMutable?: boolean },
): void {
  out.bytes(letters(type)).byte(isMutable ? 1 : 0);
  out.byte(type === 'i' ? OP.i32Const : OP.i64Const).s64(value);
  out.end();
}

function writeData(out: CodeWriter, { at, bytes }: { at?: number; bytes: Uint8Array }): void {
  if (at === undefined) {
    out.byte(1);
  } else {
    out.byte(0).i32Const(at).end();
  }
  out.sized(bytes);
}

/** Declarations of locals, one for each, for many functions may have the same thousands. */
const eachOnce = remembered((locals: string): Uint8Array => {
  const out = new CodeWriter();
  for (const local of letters(locals)) out.u32(1).byte(local);
  return out.finish();
});

function remembered(work: (text: string) => Uint8Array): (text: string) => Uint8Array {
  let [lastText, last] = ['', work('')];
  return (text) => {
    if (text !== lastText) [lastText, last] = [text, work(text)];
    return last;
  };
}

function letters(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => (letter === 'i' ? I32 : I64));
}

import { BinaryReader } from './binary-reader.js';
import { readConstant, readElements } from './decode-segments.js';
import type { EngineLimits } from './limits.js';
import type {
  DataSegment,
  ElementSegment,
  ExportKind,
  FunctionBody,
  FunctionImport,
  FunctionType,
  GlobalDefinition,
  MemoryType,
  ModuleExport,
  TableType,
  WasmModule,
} from './module.js';
import { readFunctionNames } from './name-section.js';
import { FUNCREF, I32, I64, ruleOfValueType } from './opcodes.js';

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const VERSION = [0x01, 0x00, 0x00, 0x00];

/** Section ids in the order in which the sections must stand. */
const SECTION_ORDER = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

const EXPORT_KINDS: readonly ExportKind[] = ['function', 'table', 'memory', 'global'];

const MAX_NAME_BYTES = 1_024;

/**
 * Reads a module's sections and refuses what is malformed or, by its declarations alone, outside the subset.
 * Function bodies are only delimited; `validateModule` reads them.
 * @throws ModuleRefused
 */
export function decodeModule(bytes: Uint8Array, limits: EngineLimits): WasmModule {
  return new ModuleDecoder(bytes, limits).decode();
}

class ModuleDecoder {
  readonly #reader: BinaryReader;
  readonly #limits: EngineLimits;
  readonly #types: FunctionType[] = [];
  readonly #imports: FunctionImport[] = [];
  readonly #functions: number[] = [];
  readonly #globals: GlobalDefinition[] = [];
  readonly #exports: ModuleExport[] = [];
  readonly #bodies: FunctionBody[] = [];
  readonly #data: DataSegment[] = [];
  #elements: ElementSegment[] = [];
  #table: TableType | undefined;
  #memory: MemoryType | undefined;
  #dataCount: number | undefined;
  #functionNames: ReadonlyMap<number, string> = new Map();

  constructor(bytes: Uint8Array, limits: EngineLimits) {
    this.#reader = new BinaryReader(bytes);
    this.#limits = limits;
  }

  decode(): WasmModule {
    const reader = this.#reader;
    if (reader.bytes.length > this.#limits.codeBytes) {
      throw reader.refusal(
        'limit',
        `the module has ${reader.bytes.length} bytes, at most ${this.#limits.codeBytes} are taken`,
      );
    }
    this.#header();
    let place = -1;
    while (!reader.atEnd) {
      const start = reader.offset;
      const id = reader.byte();
      const size = reader.u32();
      if (size > reader.bytes.length - reader.offset) {
        throw reader.refusal('malformed', `section ${id} is longer than what is left`, start);
      }
      const end = reader.offset + size;
      reader.end = end;
      if (id !== 0) {
        const next = SECTION_ORDER.indexOf(id);
        if (next <= place) {
          throw reader.refusal('malformed', `section ${id} is unknown, repeated or out of order`, start);
        }
        place = next;
      }
      this.#section(id, start);
      if (reader.offset !== end) {
        throw reader.refusal('malformed', `section ${id} has ${end - reader.offset} bytes too many`);
      }
      reader.end = reader.bytes.length;
    }
    return this.#finish();
  }

  #header(): void {
    for (const [what, expected] of [
      ['magic number', MAGIC],
      ['version 1', VERSION],
    ] as const) {
      for (const byte of expected) {
        const offset = this.#reader.offset;
        if (this.#reader.byte() !== byte) {
          throw this.#reader.refusal('malformed', `expected the ${what} of a WebAssembly module`, offset);
        }
      }
    }
  }

  #section(id: number, start: number): void {
    const reader = this.#reader;
    switch (id) {
      case 0:
        this.#custom();
        return;
      case 1:
        this.#each('types', this.#limits.types, () => this.#types.push(this.#functionType()));
        return;
      case 2:
        this.#each('imports', this.#limits.functions, () => this.#imports.push(this.#import()));
        return;
      case 3:
        this.#each('functions', this.#limits.functions, () => this.#functions.push(this.#typeIndex()));
        return;
      case 4:
        this.#tables();
        return;
      case 5:
        this.#memories();
        return;
      case 6:
        this.#each('globals', this.#limits.globals, () => this.#globals.push(this.#global()));
        return;
      case 7:
        this.#each('exports', this.#limits.exports, () => this.#exports.push(this.#export()));
        return;
      case 8:
        throw reader.refusal('start_function', 'a start function is refused', start);
      case 9:
        this.#elements = readElements(reader, this.#limits);
        return;
      case 10:
        this.#code();
        return;
      case 11:
        this.#each('data segments', this.#limits.segments, () => this.#data.push(this.#dataSegment()));
        return;
      case 12:
        this.#dataCount = reader.u32();
        return;
      default:
        throw reader.refusal('exceptions', 'a tag section is refused', start);
    }
  }

  #each(what: string, limit: number, read: () => void): void {
    const count = this.#reader.count(what, limit);
    for (let index = 0; index < count; index++) {
      read();
    }
  }

  #custom(): void {
    const reader = this.#reader;
    const start = reader.offset;
    const name = reader.name(MAX_NAME_BYTES);
    if (name !== 'name') {
      throw reader.refusal('custom_section', `custom section ${JSON.stringify(name)} is refused`, start);
    }
    this.#functionNames = readFunctionNames(reader.take(reader.end - reader.offset));
  }

  #valueType(): number {
    const type = this.#reader.byte();
    if (type !== I32 && type !== I64) {
      throw this.#reader.refusal(
        ruleOfValueType(type),
        `value type 0x${type.toString(16)} is refused`,
        this.#reader.offset - 1,
      );
    }
    return type;
  }

  #functionType(): FunctionType {
    const reader = this.#reader;
    const form = reader.byte();
    if (form !== 0x60) {
      const rule = form === 0x5f || form === 0x5e || form === 0x4e || form === 0x50 || form === 0x4f;
      throw reader.refusal(
        rule ? 'garbage_collection' : 'malformed',
        `expected a function type, got 0x${form.toString(16)}`,
        reader.offset - 1,
      );
    }
    const params: number[] = [];
    const results: number[] = [];
    this.#each('parameters', this.#limits.parameters, () => params.push(this.#valueType()));
    this.#each('results', this.#limits.results, () => results.push(this.#valueType()));
    return { params, results };
  }

  #typeIndex(): number {
    const offset = this.#reader.offset;
    const index = this.#reader.u32();
    if (index >= this.#types.length) {
      throw this.#reader.refusal('unknown_index', `there is no type ${index}`, offset);
    }
    return index;
  }

  #import(): FunctionImport {
    const reader = this.#reader;
    const offset = reader.offset;
    const module = reader.name(MAX_NAME_BYTES);
    const name = reader.name(MAX_NAME_BYTES);
    const kind = reader.byte();
    if (kind !== 0) {
      throw reader.refusal('import', `${module}.${name}: only functions can be imported`, offset);
    }
    return { module, name, type: this.#typeIndex(), offset };
  }

  #tables(): void {
    const reader = this.#reader;
    this.#each('tables', this.#limits.tableEntries, () => {
      const offset = reader.offset;
      const type = reader.byte();
      if (type !== FUNCREF) {
        throw reader.refusal(
          type === 0x40 ? 'garbage_collection' : ruleOfValueType(type),
          'expected funcref',
          offset,
        );
      }
      if (this.#table !== undefined) {
        throw reader.refusal('multiple_tables', 'a second table is refused', offset);
      }
      this.#table = this.#limitsOf('table_limits', 'entries', this.#limits.tableEntries, 0xffffffff);
    });
  }

  #memories(): void {
    const reader = this.#reader;
    this.#each('memories', this.#limits.memoryPages, () => {
      if (this.#memory !== undefined) {
        throw reader.refusal('multiple_memories', 'a second memory is refused');
      }
      this.#memory = this.#limitsOf('memory_limits', 'pages', this.#limits.memoryPages, 65_536);
    });
  }

  /** @param largest what the format allows @param limit the most to start with; a larger maximum is only cut */
  #limitsOf(
    rule: 'table_limits' | 'memory_limits',
    unit: string,
    limit: number,
    largest: number,
  ): MemoryType {
    const reader = this.#reader;
    const offset = reader.offset;
    const flags = reader.byte();
    if (flags > 1) {
      const other = flags > 7 ? 'malformed' : (flags & 4) !== 0 ? 'memory64' : 'threads';
      throw reader.refusal(other, `limits of kind ${flags} are refused`, offset);
    }
    const min = reader.u32();
    const max = flags === 1 ? reader.u32() : undefined;
    if (min > largest || (max !== undefined && (max > largest || min > max))) {
      throw reader.refusal(rule, `${min} to ${max ?? 'any number of'} ${unit} is no range`, offset);
    }
    if (min > limit) {
      throw reader.refusal(rule, `starts with ${min} ${unit}, at most ${limit} are taken`, offset);
    }
    return { min, max };
  }

  #global(): GlobalDefinition {
    const reader = this.#reader;
    const type = this.#valueType();
    const mutable = reader.byte();
    if (mutable > 1) {
      throw reader.refusal('malformed', `expected mutability 0 or 1, got ${mutable}`, reader.offset - 1);
    }
    return { type, mutable: mutable === 1, initial: readConstant(reader, type) };
  }

  #export(): ModuleExport {
    const reader = this.#reader;
    const offset = reader.offset;
    const name = reader.name(MAX_NAME_BYTES);
    const code = reader.byte();
    const kind = EXPORT_KINDS[code];
    if (kind === undefined) {
      throw reader.refusal(
        code === 4 ? 'exceptions' : 'malformed',
        `export of kind ${code} is refused`,
        offset,
      );
    }
    return { name, kind, index: reader.u32(), offset };
  }

  #code(): void {
    const reader = this.#reader;
    const sectionEnd = reader.end;
    const start = reader.offset;
    const count = reader.count('function bodies', this.#limits.functions);
    if (count !== this.#functions.length) {
      throw reader.refusal(
        'malformed',
        `${this.#functions.length} functions are declared, ${count} have bodies`,
        start,
      );
    }
    for (let index = 0; index < count; index++) {
      reader.functionIndex = this.#imports.length + index;
      const size = reader.u32();
      if (size > sectionEnd - reader.offset) {
        throw reader.refusal('malformed', `the body's ${size} bytes do not fit in the section`);
      }
      reader.end = reader.offset + size;
      this.#bodies.push(this.#body(index));
      reader.offset = reader.end;
      reader.end = sectionEnd;
      reader.functionIndex = undefined;
    }
  }

  #body(index: number): FunctionBody {
    const reader = this.#reader;
    const start = reader.offset;
    const type = this.#types[this.#functions[index] ?? -1];
    const locals = [...(type?.params ?? [])];
    let total = locals.length;
    const groups = reader.count('groups of locals', reader.bytes.length);
    for (let group = 0; group < groups; group++) {
      const count = reader.u32();
      const local = this.#valueType();
      total += count;
      if (total > this.#limits.locals) {
        // The format itself ends at 2^32 − 1; both are refused here.
        throw reader.refusal('limit', `${total} locals, at most ${this.#limits.locals} are taken`, start);
      }
      for (let n = 0; n < count; n++) {
        locals.push(local);
      }
    }
    return { start: reader.offset, end: reader.end, locals };
  }

  #dataSegment(): DataSegment {
    const reader = this.#reader;
    const offset = reader.offset;
    const flags = reader.u32();
    if (flags > 2) {
      throw reader.refusal('malformed', `data segment of kind ${flags}`, offset);
    }
    if (flags === 2 && reader.u32() !== 0) {
      throw reader.refusal('unknown_index', 'only memory 0 can exist', offset);
    }
    const at = flags === 1 ? undefined : Number(BigInt.asUintN(32, readConstant(reader, I32)));
    return { at, bytes: reader.take(reader.u32()) };
  }

  #finish(): WasmModule {
    const reader = this.#reader;
    if (this.#bodies.length !== this.#functions.length) {
      throw reader.refusal('malformed', `${this.#functions.length} functions are declared, none has a body`);
    }
    if (this.#dataCount !== undefined && this.#dataCount !== this.#data.length) {
      throw reader.refusal(
        'malformed',
        `${this.#dataCount} data segments are announced, ${this.#data.length} are there`,
      );
    }
    return {
      bytes: reader.bytes,
      types: this.#types,
      imports: this.#imports,
      functions: this.#functions,
      table: this.#table,
      memory: this.#memory,
      globals: this.#globals,
      exports: this.#exports,
      elements: this.#elements,
      bodies: this.#bodies,
      data: this.#data,
      announcedData: this.#dataCount,
      functionNames: this.#functionNames,
    };
  }
}

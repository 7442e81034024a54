import type { Writable } from '../idl/codecs/codec.js';
import { BinaryReader } from './binary-reader.js';
import { readDataSegment, readElementSegment } from './decode-segments.js';
import { readFunctionType, readGlobal, readLimits, readValueType } from './decode-types.js';
import type {
  ExportKind,
  FunctionBody,
  FunctionImport,
  ModuleExport,
  ModuleLimits,
  WasmModule,
} from './module.js';
import { readFunctionNames } from './name-section.js';
import { FUNCREF, ruleOfValueType } from './opcodes.js';
import { MODULE_HEADER } from './sections.js';

/** Section ids in their required order. */
const SECTION_ORDER = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

const EXPORT_KINDS: readonly ExportKind[] = ['function', 'table', 'memory', 'global'];

const MAX_NAME_BYTES = 1_024;

/**
 * Reads a module's sections. Refuses malformed modules and declarations outside the subset. Function bodies are only
 * delimited; `validateModule` reads them.
 * @throws ModuleRefused
 */
export function decodeModule(bytes: Uint8Array, limits: ModuleLimits): WasmModule {
  return new ModuleDecoder(bytes, limits).decode();
}

class ModuleDecoder {
  readonly #reader: BinaryReader;
  readonly #limits: ModuleLimits;
  readonly #module: Writable<WasmModule>;
  #locals = 0;

  constructor(bytes: Uint8Array, limits: ModuleLimits) {
    this.#reader = new BinaryReader(bytes);
    this.#limits = limits;
    this.#module = {
      bytes,
      types: [],
      imports: [],
      functions: [],
      table: undefined,
      memory: undefined,
      globals: [],
      exports: [],
      elements: [],
      bodies: [],
      data: [],
      dataCount: undefined,
      functionNames: new Map(),
    };
  }

  decode(): WasmModule {
    const reader = this.#reader;
    if (reader.bytes.length > this.#limits.codeBytes) {
      throw reader.refusal(
        'limit',
        `expected a module of at most ${this.#limits.codeBytes} bytes, got ${reader.bytes.length}`,
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
      Object.assign(this.#module, this.#section(id, start));
      if (reader.offset !== end) {
        throw reader.refusal('malformed', `section ${id} has ${end - reader.offset} bytes too many`);
      }
      reader.end = reader.bytes.length;
    }
    return this.#finish();
  }

  #header(): void {
    for (const [offset, byte] of MODULE_HEADER.entries()) {
      if (this.#reader.byte() === byte) continue;
      const what = offset < 4 ? 'magic number' : 'version 1';
      throw this.#reader.refusal('malformed', `expected the ${what} of a WebAssembly module`, offset);
    }
  }

  /** Reads a section into the members of the module that it has. */
  #section(id: number, start: number): Partial<WasmModule> {
    const reader = this.#reader;
    const limits = this.#limits;
    switch (id) {
      case 0:
        return { functionNames: this.#custom() };
      case 1:
        return { types: reader.vector('types', limits.types, () => readFunctionType(reader, limits)) };
      case 2:
        return { imports: reader.vector('imports', limits.functions, () => this.#import()) };
      case 3:
        return { functions: reader.vector('functions', limits.functions, () => this.#typeIndex()) };
      case 4:
        reader.vector('tables', limits.tableEntries, () => this.#readTable());
        return {};
      case 5:
        reader.vector('memories', limits.memoryPages, () => this.#readMemory());
        return {};
      case 6:
        return { globals: reader.vector('globals', limits.globals, () => readGlobal(reader)) };
      case 7:
        return { exports: reader.vector('exports', limits.exports, () => this.#export()) };
      case 8:
        throw reader.refusal('start_function', 'a start function is refused', start);
      case 9: {
        const read = () => readElementSegment(reader, limits);
        return { elements: reader.vector('element segments', limits.segments, read) };
      }
      case 10:
        return { bodies: this.#code() };
      case 11:
        return { data: reader.vector('data segments', limits.segments, () => readDataSegment(reader)) };
      case 12:
        return { dataCount: reader.u32() };
      default:
        throw reader.refusal('exceptions', 'a tag section is refused', start);
    }
  }

  #custom(): WasmModule['functionNames'] {
    const reader = this.#reader;
    const start = reader.offset;
    const name = reader.name(MAX_NAME_BYTES);
    if (name !== 'name') {
      throw reader.refusal('custom_section', `custom section ${JSON.stringify(name)} is refused`, start);
    }
    return readFunctionNames(reader.take(reader.end - reader.offset));
  }

  #typeIndex(): number {
    const offset = this.#reader.offset;
    const index = this.#reader.u32();
    if (index >= this.#module.types.length) {
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

  #readTable(): void {
    const reader = this.#reader;
    const offset = reader.offset;
    const type = reader.byte();
    if (type !== FUNCREF) {
      const rule = type === 0x40 ? 'garbage_collection' : ruleOfValueType(type);
      throw reader.refusal(rule, 'expected funcref', offset);
    }
    if (this.#module.table !== undefined) {
      throw reader.refusal('multiple_tables', 'a second table is refused', offset);
    }
    this.#module.table = readLimits(reader, {
      rule: 'table_limits',
      unit: 'entries',
      limit: this.#limits.tableEntries,
      largest: 0xffffffff,
    });
  }

  #readMemory(): void {
    const reader = this.#reader;
    if (this.#module.memory !== undefined) {
      throw reader.refusal('multiple_memories', 'a second memory is refused');
    }
    this.#module.memory = readLimits(reader, {
      rule: 'memory_limits',
      unit: 'pages',
      limit: this.#limits.memoryPages,
      largest: 65_536,
    });
  }

  #export(): ModuleExport {
    const reader = this.#reader;
    const offset = reader.offset;
    const name = reader.name(MAX_NAME_BYTES);
    const code = reader.byte();
    const kind = EXPORT_KINDS[code];
    if (kind === undefined) {
      const rule = code === 4 ? 'exceptions' : 'malformed';
      throw reader.refusal(rule, `export of kind ${code} is refused`, offset);
    }
    return { name, kind, index: reader.u32(), offset };
  }

  #code(): FunctionBody[] {
    const reader = this.#reader;
    const sectionEnd = reader.end;
    const start = reader.offset;
    const { imports, functions } = this.#module;
    const count = reader.count('function bodies', this.#limits.functions);
    if (count !== functions.length) {
      throw reader.refusal(
        'malformed',
        `${functions.length} functions are declared, ${count} have bodies`,
        start,
      );
    }
    const bodies: FunctionBody[] = [];
    for (let index = 0; index < count; index++) {
      reader.functionIndex = imports.length + index;
      const size = reader.u32();
      if (size > sectionEnd - reader.offset) {
        throw reader.refusal('malformed', `the body's ${size} bytes do not fit in the section`);
      }
      reader.end = reader.offset + size;
      bodies.push(this.#body(index));
      reader.offset = reader.end;
      reader.end = sectionEnd;
      reader.functionIndex = undefined;
    }
    return bodies;
  }

  #body(index: number): FunctionBody {
    const reader = this.#reader;
    const start = reader.offset;
    const type = this.#module.types[this.#module.functions[index] ?? -1];
    const locals = [...(type?.params ?? [])];
    let total = locals.length;
    this.#countLocals(total, start);
    const groups = reader.count('groups of locals', reader.bytes.length);
    for (let group = 0; group < groups; group++) {
      const count = reader.u32();
      const local = readValueType(reader);
      total += count;
      if (total > this.#limits.locals) {
        // Also refuses totals above the format's limit of 2^32 − 1.
        throw reader.refusal('limit', `expected at most ${this.#limits.locals} locals, got ${total}`, start);
      }
      this.#countLocals(count, start);
      for (let n = 0; n < count; n++) locals.push(local);
    }
    return { start: reader.offset, end: reader.end, locals };
  }

  #countLocals(count: number, offset: number): void {
    this.#locals += count;
    if (this.#locals > this.#limits.moduleLocals) {
      throw this.#reader.refusal(
        'limit',
        `more than ${this.#limits.moduleLocals} parameters and locals in all functions`,
        offset,
      );
    }
  }

  #finish(): WasmModule {
    const { bodies, functions, dataCount, data } = this.#module;
    if (bodies.length !== functions.length) {
      const detail = `${functions.length} functions are declared, none has a body`;
      throw this.#reader.refusal('malformed', detail);
    }
    if (dataCount !== undefined && dataCount !== data.length) {
      const detail = `${dataCount} data segments are announced, ${data.length} are there`;
      throw this.#reader.refusal('malformed', detail);
    }
    return this.#module;
  }
}

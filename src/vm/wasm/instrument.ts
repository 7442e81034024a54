import { BinaryReader } from '../../wasm/binary-reader.js';
import { BinaryWriter } from '../../wasm/binary-writer.js';
import { CodeWriter } from '../../wasm/code-writer.js';
import { type ElementSegment, typeOfFunction, type WasmModule } from '../../wasm/module.js';
import { FUNCREF, I32, I64, OP, REF_FUNC, REF_NULL } from '../../wasm/opcodes.js';
import { MODULE_HEADER, SECTION, writeLocals, writeSection, writeTypes } from '../../wasm/sections.js';
import type { PrepareVariant } from '../engine.js';
import type { EngineLimits } from './engine-limits.js';
import { HOST_MODULE, hostFunction } from './host-interface.js';
import { Layout } from './layout.js';
import { BodyMeter, type SegmentMap } from './meter-body.js';
import { type EntryPoint, EXPORTS, entryExport, OBSERVER_IMPORTS } from './metered-interface.js';
import {
  CODE_VERSION,
  encodeFacts,
  encodeNames,
  FACTS_SECTION,
  NAMES_SECTION,
  type PreparedFacts,
} from './prepared-code.js';
import { accessGas, INSTANCE_GAS, memoryGas } from './schedule.js';
import { addLifecycleFunctions, addSupportFunctions } from './support-functions.js';
import type { ModuleProfile, ValidatedModule } from './validate.js';

export interface InstrumentOptions {
  readonly variant: PrepareVariant;
  /** `contract` exports only what the engine uses; `any` also keeps the module's own exports. */
  readonly profile: ModuleProfile;
  readonly limits: EngineLimits;
  /** Called as {@link BodyMeter} does, after the number of the function among those that the module defines. */
  readonly takePosition?: (defined: number, original: number, rewritten: number) => void;
}

/**
 * Rewrites a validated module so that it meters itself and can be reset. It computes the same as before, in the same
 * order, until gas or stack run out.
 * @returns a module for V8, with the facts about it in custom sections
 */
export function instrument(validated: ValidatedModule, options: InstrumentOptions): Uint8Array {
  return new Instrumenter(validated, options).run();
}

class Instrumenter {
  readonly #validated: ValidatedModule;
  readonly #module: WasmModule;
  readonly #options: InstrumentOptions;
  readonly #layout: Layout;
  readonly #tableChanges: boolean;
  readonly #readsData: boolean;
  /** Number of the function being rewritten. */
  #defined = 0;

  constructor(validated: ValidatedModule, options: InstrumentOptions) {
    this.#validated = validated;
    this.#module = validated.module;
    this.#options = options;
    const grows = validated.facts.some((facts) => facts.growsMemory);
    this.#layout = new Layout(
      validated.module,
      options.variant === 'observed' ? 2 : 0,
      grows && accessGas(this.#maxPages()) > accessGas(this.#initialPages),
    );
    this.#tableChanges = validated.facts.some((facts) => facts.changesTable);
    this.#readsData = validated.facts.some((facts) => facts.readsData);
  }

  run(): Uint8Array {
    const layout = this.#layout;
    const { takePosition } = this.#options;
    const hookType = layout.addedImports > 0 ? layout.typeIndex([I32, I64], []) : 0;
    const support = addSupportFunctions(layout);
    const lifecycle = addLifecycleFunctions(layout, this.#tableChanges, this.#dropsSegments());
    const entries = new Map<EntryPoint, number>();
    for (const [entry, index] of this.#validated.entryPoints) {
      entries.set(entry, layout.add([I64, I32, I32, I32], [I32], [], this.#entryCode(index, support.charge)));
    }
    const bodies = this.#bodies(
      new BodyMeter({
        layout,
        support,
        segments: this.#segmentMap(),
        reader: new BinaryReader(this.#module.bytes),
        limits: this.#limits,
        accessGas: layout.accessGlobal === undefined ? accessGas(this.#initialPages) : 0,
        takePosition:
          takePosition && ((original, rewritten) => takePosition(this.#defined, original, rewritten)),
      }),
    );

    const out = new BinaryWriter(this.#module.bytes.length * 2 + 4096).bytes(MODULE_HEADER);
    writeSection(out, SECTION.custom, (writer) =>
      writer.name(FACTS_SECTION).bytes(encodeFacts(this.#facts())),
    );
    // Written first, but complete only after the bodies.
    writeSection(out, SECTION.types, (writer) => writeTypes(writer, layout.types));
    writeSection(out, SECTION.imports, (writer) => this.#imports(writer, hookType));
    writeSection(out, SECTION.functions, (writer) => this.#functions(writer));
    this.#tableAndMemory(out);
    writeSection(out, SECTION.globals, (writer) => this.#globals(writer));
    writeSection(out, SECTION.exports, (writer) => this.#exports(writer, lifecycle, entries));
    writeSection(out, SECTION.elements, (writer) => this.#elements(writer));
    const data = this.#dataSegments();
    writeSection(out, SECTION.dataCount, (writer) => writer.u32(data.length));
    writeSection(out, SECTION.code, (writer) => {
      writer.u32(bodies.length);
      for (const body of bodies) writer.sized(body);
    });
    writeSection(out, SECTION.data, (writer) => {
      writer.u32(data.length);
      for (const bytes of data) writer.byte(1).sized(bytes);
    });
    const { functionNames, imports, functions } = this.#module;
    const names = encodeNames(functionNames, imports.length + functions.length);
    writeSection(out, SECTION.custom, (writer) => writer.name(NAMES_SECTION).bytes(names));
    return out.finish();
  }

  get #limits(): EngineLimits {
    return this.#options.limits;
  }

  #imports(writer: BinaryWriter, hookType: number): void {
    const { hostImports, addedImports } = this.#layout;
    writer.u32(hostImports.length + addedImports);
    for (const name of hostImports) {
      const { params, results } = hostFunction(name);
      writer.name(HOST_MODULE).name(name).byte(0).u32(this.#layout.typeIndex(params, results));
    }
    if (addedImports > 0) {
      for (const name of [OBSERVER_IMPORTS.enter, OBSERVER_IMPORTS.leave]) {
        writer.name(OBSERVER_IMPORTS.module).name(name).byte(0).u32(hookType);
      }
    }
  }

  #functions(writer: BinaryWriter): void {
    const types = [...this.#module.functions, ...this.#layout.added.map(({ type }) => type)];
    writer.u32(types.length);
    for (const type of types) writer.u32(type);
  }

  #tableAndMemory(out: BinaryWriter): void {
    const { table, memory } = this.#module;
    if (table !== undefined) {
      // No instruction of the subset grows a table.
      writeSection(out, SECTION.tables, (writer) =>
        writer.u32(1).raw(FUNCREF, 1).u32(table.min).u32(table.min),
      );
    }
    if (memory !== undefined) {
      writeSection(out, SECTION.memories, (writer) =>
        writer.u32(1).byte(1).u32(memory.min).u32(this.#maxPages()),
      );
    }
  }

  get #initialPages(): number {
    return this.#module.memory?.min ?? 0;
  }

  #maxPages(): number {
    const { memory } = this.#module;
    return memory === undefined
      ? 0
      : Math.min(memory.max ?? this.#limits.memoryPages, this.#limits.memoryPages);
  }

  #globals(writer: BinaryWriter): void {
    const { globals } = this.#module;
    const hasAccessGas = this.#layout.accessGlobal !== undefined;
    writer.u32(globals.length + (hasAccessGas ? 5 : 4));
    for (const { type, mutable, initial } of globals) {
      writer.byte(type).byte(mutable ? 1 : 0);
      writer.byte(type === I32 ? OP.i32Const : OP.i64Const).s64(initial);
      writer.byte(OP.end);
    }
    writer.raw(I64, 1, OP.i64Const).s64(0n).byte(OP.end);
    writer.raw(I32, 1, OP.i32Const).s33(0).byte(OP.end);
    writer.raw(I32, 1, OP.i32Const).s33(this.#maxPages()).byte(OP.end);
    writer.raw(I32, 1, OP.i32Const).s33(0).byte(OP.end);
    if (hasAccessGas) {
      writer
        .raw(I64, 1, OP.i64Const)
        .s64(BigInt(accessGas(this.#initialPages)))
        .byte(OP.end);
    }
  }

  #exports(
    writer: BinaryWriter,
    lifecycle: { readonly load: number; readonly reset: number },
    entries: ReadonlyMap<EntryPoint, number>,
  ): void {
    const KINDS = { function: 0, table: 1, memory: 2, global: 3 };
    const list: { name: string; kind: number; index: number }[] = [
      { name: EXPORTS.gas, kind: KINDS.global, index: this.#layout.gasGlobal },
      { name: EXPORTS.stack, kind: KINDS.global, index: this.#layout.stackGlobal },
      { name: EXPORTS.unpaidStack, kind: KINDS.global, index: this.#layout.unpaidStackGlobal },
      { name: EXPORTS.load, kind: KINDS.function, index: lifecycle.load },
      { name: EXPORTS.reset, kind: KINDS.function, index: lifecycle.reset },
    ];
    if (this.#module.memory !== undefined) list.push({ name: EXPORTS.memory, kind: KINDS.memory, index: 0 });
    for (const [entry, index] of entries) {
      list.push({ name: entryExport(entry), kind: KINDS.function, index });
    }
    if (this.#options.profile === 'any') {
      for (const { name, kind, index } of this.#module.exports) {
        const isFunction = kind === 'function';
        list.push({ name, kind: KINDS[kind], index: isFunction ? this.#layout.functionIndex(index) : index });
      }
    }
    writer.u32(list.length);
    for (const { name, kind, index } of list) writer.name(name).byte(kind).u32(index);
  }

  #elements(writer: BinaryWriter): void {
    const segments: ElementSegment[] = [...this.#module.elements];
    if (this.#tableChanges) segments.push({ at: undefined, functions: [] });
    writer.u32(segments.length);
    for (const { at, functions } of segments) {
      const isActive = at !== undefined && !this.#tableChanges;
      // Uses expressions only where null references require them: they take three times the bytes of indices.
      const asExpressions = functions.includes(undefined);
      if (isActive) {
        writer
          .byte(asExpressions ? 4 : 0)
          .byte(OP.i32Const)
          .s33(at | 0)
          .byte(OP.end);
      } else {
        writer.byte(asExpressions ? 5 : 1).byte(asExpressions ? FUNCREF : 0);
      }
      writer.u32(functions.length);
      for (const entry of functions) {
        if (entry === undefined) {
          writer.raw(REF_NULL, FUNCREF, OP.end);
        } else if (asExpressions) {
          writer.byte(REF_FUNC).u32(this.#layout.functionIndex(entry)).byte(OP.end);
        } else {
          writer.u32(this.#layout.functionIndex(entry));
        }
      }
    }
  }

  /** All data segments become passive: the load function copies the active ones at first and at every reset. */
  #dataSegments(): Uint8Array[] {
    const segments = this.#module.data.map(({ bytes }) => bytes);
    return this.#readsData ? [...segments, new Uint8Array(0)] : segments;
  }

  /**
   * After instantiation, code that names an active segment must see it empty. The instrumented module still holds its
   * bytes, so such code is redirected to an empty segment at the end of the list.
   */
  #segmentMap(): SegmentMap {
    const { data, elements } = this.#module;
    return {
      data: (index) => (data[index]?.at === undefined ? index : data.length),
      element: (index) => (elements[index]?.at === undefined ? index : elements.length),
      dropsData: (index) => this.#readsData && data[index]?.at === undefined,
      dropsElement: (index) => this.#tableChanges && elements[index]?.at === undefined,
    };
  }

  #bodies(meter: BodyMeter): Uint8Array[] {
    const { imports, bodies } = this.#module;
    const rewritten = bodies.map((body, defined) => {
      const index = imports.length + defined;
      this.#defined = defined;
      const type = typeOfFunction(this.#module, index);
      const facts = this.#validated.facts[defined];
      if (type === undefined || facts === undefined) {
        throw new TypeError(`function ${index} was not validated`);
      }
      return meter.rewrite(index, body, type, facts);
    });
    for (const { locals, code } of this.#layout.added) {
      const writer = new BinaryWriter();
      writeLocals(writer, locals);
      rewritten.push(writer.bytes(code.view()).finish());
    }
    return rewritten;
  }

  #dropsSegments(): boolean {
    const { facts } = this.#validated;
    return (
      (this.#readsData && facts.some((fact) => fact.dropsData)) ||
      (this.#tableChanges && facts.some((fact) => fact.dropsElements))
    );
  }

  /** Sets the counters, charges for the instance, and calls the contract's own entry point. */
  #entryCode(index: number, charge: number): CodeWriter {
    const { gasGlobal, stackGlobal, pagesGlobal, unpaidStackGlobal } = this.#layout;
    const code = new CodeWriter().get(0).setGlobal(gasGlobal).get(2).setGlobal(stackGlobal);
    code.get(1).setGlobal(pagesGlobal).get(3).setGlobal(unpaidStackGlobal);
    code.i64Const(BigInt(this.#instanceGas())).call(charge);
    return code.call(this.#layout.functionIndex(index)).end();
  }

  #instanceGas(): number {
    const { memory, globals, table, data, elements, functions } = this.#module;
    const activeBytes = data.reduce((sum, { at, bytes }) => (at === undefined ? sum : sum + bytes.length), 0);
    const globals64 = globals.filter(({ type }) => type === I64).length;
    const entries = elements.reduce((sum, segment) => sum + segment.functions.length, 0);
    return (
      INSTANCE_GAS.base +
      memoryGas(memory?.min ?? 0) +
      INSTANCE_GAS.perGlobal32 * (globals.length - globals64) +
      INSTANCE_GAS.perGlobal64 * globals64 +
      INSTANCE_GAS.perTableEntry * (table?.min ?? 0) +
      INSTANCE_GAS.perSegment * (data.length + elements.length) +
      INSTANCE_GAS.perElement * entries +
      INSTANCE_GAS.perFunction * functions.length +
      (this.#dropsSegments() ? INSTANCE_GAS.dropped : 0) +
      (activeBytes >> INSTANCE_GAS.dataBytesPerGasLog2)
    );
  }

  #facts(): PreparedFacts {
    const { module, entryPoints, machineCode } = this.#validated;
    return {
      version: CODE_VERSION,
      variant: this.#options.variant,
      entryPoints: [...entryPoints.keys()],
      initialPages: this.#initialPages,
      instanceGas: this.#instanceGas(),
      maxPages: this.#maxPages(),
      importedFunctions: module.imports.length,
      definedFunctions: module.functions.length,
      functionShift: this.#layout.functionShift,
      machineCode,
      entries: module.elements.reduce((sum, { functions }) => sum + functions.length, module.table?.min ?? 0),
    };
  }
}

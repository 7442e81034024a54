import type { BinaryReader } from './binary-reader.js';
import { type BlockType, InstructionReader } from './instruction-reader.js';
import type { EngineLimits } from './limits.js';
import { type FunctionBody, type FunctionType, typeOfFunction, type WasmModule } from './module.js';
import { EMPTY_BLOCK, I32, I64, OP } from './opcodes.js';

/** What the instrumenter needs to know of a function beyond its code. */
export interface BodyFacts {
  /** The most operands alive at a time. */
  readonly maxOperands: number;
  /** Instructions whose result is neither a constant nor a copy: each may hold a place of its own in a frame. */
  readonly computations: number;
  /** Whether it calls anything, so that frames can lie above its own. */
  readonly calls: boolean;
  /** Whether it has table.init or table.copy, elem.drop, memory.init, data.drop. */
  readonly changesTable: boolean;
  readonly dropsElements: boolean;
  readonly readsData: boolean;
  readonly dropsData: boolean;
}

/** The type of an operand popped from below an unconditional branch: any. */
const UNKNOWN = 0;

interface ControlFrame {
  readonly opcode: number;
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Operands below the block's own. */
  readonly height: number;
  /** Whether the code from here to the end of the block is never reached. */
  unreachable: boolean;
}

const NO_TYPES: readonly number[] = [];
const ONE_I32: readonly number[] = [I32];
const ONE_I64: readonly number[] = [I64];

/**
 * Checks function bodies by the algorithm of the specification's appendix (validation algorithm), restricted to the
 * subset, and gathers what the instrumenter needs.
 */
export class BodyValidator {
  readonly #module: WasmModule;
  readonly #limits: EngineLimits;
  readonly #reader: BinaryReader;
  readonly #code: InstructionReader;
  /** What is left of the module's flow work. */
  #flowLeft: number;
  #operands: number[] = [];
  #control: ControlFrame[] = [];
  #locals: readonly number[] = NO_TYPES;
  #maxOperands = 0;
  #computations = 0;
  #calls = false;
  #changesTable = false;
  #dropsElements = false;
  #dropsData = false;
  #readsData = false;

  constructor(module: WasmModule, reader: BinaryReader, limits: EngineLimits) {
    this.#module = module;
    this.#limits = limits;
    this.#reader = reader;
    this.#code = new InstructionReader(reader, limits.branchTargets);
    this.#flowLeft = limits.flowWork;
  }

  /** @throws ModuleRefused */
  validate(body: FunctionBody, type: FunctionType): BodyFacts {
    const reader = this.#reader;
    reader.offset = body.start;
    reader.end = body.end;
    this.#operands = [];
    this.#control = [];
    this.#locals = body.locals;
    this.#maxOperands = 0;
    this.#computations = 0;
    this.#calls = false;
    this.#changesTable = false;
    this.#dropsElements = false;
    this.#dropsData = false;
    this.#readsData = false;
    this.#pushControl(OP.block, NO_TYPES, type.results);
    while (this.#control.length > 0) {
      this.#code.next();
      this.#check();
      if (this.#operands.length > this.#maxOperands) {
        this.#maxOperands = this.#operands.length;
      }
    }
    if (!reader.atEnd) {
      throw reader.refusal('malformed', 'the body goes on after its end');
    }
    return {
      maxOperands: this.#maxOperands,
      computations: this.#computations,
      calls: this.#calls,
      changesTable: this.#changesTable,
      dropsElements: this.#dropsElements,
      dropsData: this.#dropsData,
      readsData: this.#readsData,
    };
  }

  #check(): void {
    const code = this.#code;
    switch (code.opcode) {
      case OP.unreachable:
        this.#setUnreachable();
        return;
      case OP.block:
      case OP.loop:
        this.#enterBlock(code.opcode);
        return;
      case OP.if:
        this.#pop(I32);
        this.#enterBlock(code.opcode);
        return;
      case OP.else:
        this.#else();
        return;
      case OP.end:
        this.#end();
        return;
      case OP.br:
        this.#flow(1);
        this.#popAll(this.#labelTypes(code.index));
        this.#setUnreachable();
        return;
      case OP.brIf: {
        this.#flow(1);
        this.#pop(I32);
        const types = this.#labelTypes(code.index);
        this.#popAll(types);
        this.#pushAll(types);
        return;
      }
      case OP.brTable:
        this.#branchTable();
        return;
      case OP.return:
        this.#flow(1);
        this.#popAll(this.#control[0]?.end ?? NO_TYPES);
        this.#setUnreachable();
        return;
      case OP.call:
        this.#calls = true;
        this.#call(
          typeOfFunction(this.#module, code.index) ?? this.#unknown(`there is no function ${code.index}`),
        );
        return;
      case OP.callIndirect:
        this.#calls = true;
        this.#needTable();
        this.#pop(I32);
        this.#call(this.#module.types[code.index] ?? this.#unknown(`there is no type ${code.index}`));
        return;
      case OP.drop:
        this.#popAny();
        return;
      case OP.select:
        this.#select();
        return;
      case OP.localGet:
        this.#push(this.#local());
        return;
      case OP.localSet:
        this.#pop(this.#local());
        return;
      case OP.localTee: {
        const type = this.#local();
        this.#pop(type);
        this.#push(type);
        return;
      }
      case OP.globalGet:
        this.#computations += 1;
        this.#push(this.#global().type);
        return;
      case OP.globalSet:
        this.#setGlobal();
        return;
      default:
        this.#plain();
        return;
    }
  }

  /** Instructions whose operand types are fixed. */
  #plain(): void {
    const { instruction, opcode } = this.#code;
    switch (instruction.immediate) {
      case 'memory access':
        this.#needMemory();
        if (this.#code.align > instruction.maxAlign) {
          throw this.#refusal(
            'alignment',
            `${instruction.name} cannot be aligned to 2^${this.#code.align} bytes`,
          );
        }
        break;
      case 'memory':
      case 'two memories':
        this.#needMemory();
        break;
      case 'data and memory':
        this.#needMemory();
        this.#needData();
        this.#readsData = true;
        break;
      case 'data':
        this.#needData();
        this.#dropsData = true;
        break;
      case 'element and table':
        this.#needTable();
        this.#needElement();
        this.#changesTable = true;
        break;
      case 'two tables':
        this.#needTable();
        this.#changesTable = true;
        break;
      case 'element':
        this.#needElement();
        this.#dropsElements = true;
        break;
      default:
    }
    const { signature } = instruction;
    if (signature === undefined) {
      throw new TypeError(`${instruction.name} has no signature`);
    }
    this.#popAll(signature.params);
    this.#pushAll(signature.results);
    if (signature.results.length > 0 && opcode !== OP.i32Const && opcode !== OP.i64Const) {
      this.#computations += 1;
    }
  }

  #enterBlock(opcode: number): void {
    const { params, results } = this.#blockTypes(this.#code.blockType);
    this.#popAll(params);
    this.#flow(1);
    this.#pushControl(opcode, params, results);
  }

  #else(): void {
    const frame = this.#popControl();
    if (frame.opcode !== OP.if) {
      throw this.#refusal('malformed', 'else without if');
    }
    this.#flow(1);
    this.#pushControl(OP.else, frame.start, frame.end);
  }

  #end(): void {
    const frame = this.#popControl();
    if (frame.opcode === OP.if && !sameTypes(frame.start, frame.end)) {
      throw this.#refusal('type_mismatch', 'an if without else must leave the types it takes');
    }
    this.#flow(1);
    this.#pushAll(frame.end);
  }

  #branchTable(): void {
    const { labels, index } = this.#code;
    this.#pop(I32);
    this.#flow(labels.length + 1);
    const arity = this.#labelTypes(index).length;
    for (const label of labels) {
      const types = this.#labelTypes(label);
      if (types.length !== arity) {
        throw this.#refusal('type_mismatch', 'the targets of br_table take different numbers of operands');
      }
      this.#peekAll(types);
    }
    this.#popAll(this.#labelTypes(index));
    this.#setUnreachable();
  }

  #call(type: FunctionType): void {
    this.#popAll(type.params);
    this.#pushAll(type.results);
    this.#computations += type.results.length;
  }

  #select(): void {
    this.#pop(I32);
    const first = this.#popAny();
    const second = this.#popAny();
    if (first !== second && first !== UNKNOWN && second !== UNKNOWN) {
      throw this.#refusal('type_mismatch', 'select chooses between different types');
    }
    this.#computations += 1;
    this.#push(first === UNKNOWN ? second : first);
  }

  #setGlobal(): void {
    const global = this.#global();
    if (!global.mutable) {
      throw this.#refusal('immutable_global', `global ${this.#code.index} is not mutable`);
    }
    this.#pop(global.type);
  }

  #local(): number {
    return this.#locals[this.#code.index] ?? this.#unknown(`there is no local ${this.#code.index}`);
  }

  #global(): { readonly type: number; readonly mutable: boolean } {
    return this.#module.globals[this.#code.index] ?? this.#unknown(`there is no global ${this.#code.index}`);
  }

  #needMemory(): void {
    if (this.#module.memory === undefined) {
      this.#unknown('there is no memory');
    }
  }

  #needTable(): void {
    if (this.#module.table === undefined) {
      this.#unknown('there is no table');
    }
  }

  #needData(): void {
    if (this.#module.announcedData === undefined) {
      throw this.#refusal('malformed', 'data segments are named without a data count section');
    }
    if (this.#module.data[this.#code.index] === undefined) {
      this.#unknown(`there is no data segment ${this.#code.index}`);
    }
  }

  #needElement(): void {
    if (this.#module.elements[this.#code.index] === undefined) {
      this.#unknown(`there is no element segment ${this.#code.index}`);
    }
  }

  #blockTypes(type: BlockType): FunctionType {
    if (type.kind === 'index') {
      return this.#module.types[type.index] ?? this.#unknown(`there is no type ${type.index}`);
    }
    if (type.type === EMPTY_BLOCK) {
      return { params: NO_TYPES, results: NO_TYPES };
    }
    return { params: NO_TYPES, results: type.type === I32 ? ONE_I32 : ONE_I64 };
  }

  /** The types that a branch to a label takes along. */
  #labelTypes(label: number): readonly number[] {
    const frame =
      this.#control[this.#control.length - 1 - label] ?? this.#unknown(`there is no label ${label}`);
    return frame.opcode === OP.loop ? frame.start : frame.end;
  }

  #pushControl(opcode: number, start: readonly number[], end: readonly number[]): void {
    if (this.#control.length > this.#limits.nesting) {
      throw this.#refusal('limit', `blocks nest deeper than ${this.#limits.nesting}`);
    }
    this.#control.push({ opcode, start, end, height: this.#operands.length, unreachable: false });
    this.#pushAll(start);
  }

  #popControl(): ControlFrame {
    const frame = this.#top();
    this.#popAll(frame.end);
    if (this.#operands.length !== frame.height) {
      const extra = this.#operands.length - frame.height;
      throw this.#refusal('type_mismatch', `the block leaves ${extra} operands too many`);
    }
    this.#control.pop();
    return frame;
  }

  #top(): ControlFrame {
    return this.#control.at(-1) ?? this.#unknown('there is no block');
  }

  #setUnreachable(): void {
    const frame = this.#top();
    this.#operands.length = frame.height;
    frame.unreachable = true;
  }

  #push(type: number): void {
    this.#operands.push(type);
  }

  #pushAll(types: readonly number[]): void {
    for (const type of types) {
      this.#operands.push(type);
    }
  }

  #popAny(): number {
    const frame = this.#top();
    if (this.#operands.length === frame.height) {
      if (frame.unreachable) {
        return UNKNOWN;
      }
      throw this.#refusal('type_mismatch', `${this.#code.instruction.name} lacks an operand`);
    }
    return this.#operands.pop() ?? UNKNOWN;
  }

  #pop(expected: number): number {
    const type = this.#popAny();
    if (type !== expected && type !== UNKNOWN && expected !== UNKNOWN) {
      throw this.#refusal(
        'type_mismatch',
        `${this.#code.instruction.name} expects ${typeName(expected)}, got ${typeName(type)}`,
      );
    }
    return type;
  }

  #popAll(types: readonly number[]): void {
    for (let index = types.length - 1; index >= 0; index--) {
      this.#pop(types[index] ?? UNKNOWN);
    }
  }

  /** Checks that the operands on top have these types and leaves them, unknown ones as they are. */
  #peekAll(types: readonly number[]): void {
    const popped: number[] = [];
    for (let index = types.length - 1; index >= 0; index--) {
      popped.push(this.#pop(types[index] ?? UNKNOWN));
    }
    this.#pushAll(popped.reverse());
  }

  #flow(edges: number): void {
    this.#flowLeft -= edges * (1 + this.#locals.length + this.#operands.length);
    if (this.#flowLeft < 0) {
      throw this.#refusal(
        'limit',
        `branches times locals and operands come to more than ${this.#limits.flowWork}`,
      );
    }
  }

  #refusal(rule: Parameters<BinaryReader['refusal']>[0], detail: string): Error {
    return this.#reader.refusal(rule, detail, this.#code.start);
  }

  #unknown(detail: string): never {
    throw this.#refusal('unknown_index', detail);
  }
}

function typeName(type: number): string {
  return type === I32 ? 'i32' : 'i64';
}

function sameTypes(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((type, index) => type === right[index]);
}

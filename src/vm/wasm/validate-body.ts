import type { Writable } from '../../idl/codecs/codec.js';
import type { BinaryReader } from '../../wasm/binary-reader.js';
import { type BlockType, InstructionReader } from '../../wasm/instruction-reader.js';
import {
  type FunctionBody,
  type FunctionType,
  type GlobalDefinition,
  typeOfFunction,
  type WasmModule,
} from '../../wasm/module.js';
import { EMPTY_BLOCK, I32, I64, OP } from '../../wasm/opcodes.js';
import type { EngineLimits } from './engine-limits.js';
import { SPILL_SLOTS, spillSlotsOf } from './frame-weight.js';
import { FunctionCode } from './machine-code-bound.js';
import { TypeStack, UNKNOWN } from './type-stack.js';

/** The facts about a function that the instrumenter needs beyond its code. */
export interface BodyFacts {
  /** Maximum number of live operands. */
  readonly maxOperands: number;
  /** Slots of 8 bytes in a frame that values other than locals and operands may take. */
  readonly spillSlots: number;
  /** Whether the function calls anything, so that its frame may not be the topmost. */
  readonly calls: boolean;
  readonly growsMemory: boolean;
  /** Whether the function contains table.init or table.copy; elem.drop; memory.init; data.drop. */
  readonly changesTable: boolean;
  readonly dropsElements: boolean;
  readonly readsData: boolean;
  readonly dropsData: boolean;
  /** Upper bound of its compiled machine code, in bytes. */
  readonly machineCode: number;
}

function noFacts(): Writable<BodyFacts> {
  return {
    maxOperands: 0,
    spillSlots: 0,
    calls: false,
    growsMemory: false,
    changesTable: false,
    dropsElements: false,
    readsData: false,
    dropsData: false,
    machineCode: 0,
  };
}

const NO_TYPES: readonly number[] = [];
const ONE_I32: readonly number[] = [I32];
const ONE_I64: readonly number[] = [I64];

/** Checks function bodies by the specification's validation algorithm and gathers facts for the instrumenter. */
export class BodyValidator {
  readonly #module: WasmModule;
  readonly #limits: EngineLimits;
  readonly #reader: BinaryReader;
  readonly #code: InstructionReader;
  /** The module's remaining flow work. */
  #flowLeft: number;
  readonly #stack: TypeStack;
  readonly #machineCode = new FunctionCode();
  #locals: readonly number[] = NO_TYPES;
  #facts: Writable<BodyFacts> = noFacts();

  constructor(module: WasmModule, reader: BinaryReader, limits: EngineLimits) {
    this.#module = module;
    this.#limits = limits;
    this.#reader = reader;
    this.#code = new InstructionReader(reader, limits.branchTargets);
    this.#stack = new TypeStack(this.#code, limits.nesting);
    this.#flowLeft = limits.flowWork;
  }

  /** @throws ModuleRefused */
  validate(body: FunctionBody, type: FunctionType): BodyFacts {
    const reader = this.#reader;
    reader.offset = body.start;
    reader.end = body.end;
    this.#locals = body.locals;
    this.#facts = noFacts();
    this.#machineCode.begin(body.locals.length);
    this.#stack.begin(type.results);
    while (this.#stack.depth > 0) {
      this.#code.next();
      this.#check();
      if (this.#stack.height > this.#facts.maxOperands) this.#facts.maxOperands = this.#stack.height;
    }
    if (!reader.atEnd) throw reader.refusal('malformed', 'the body continues after its end');
    const machineCode = this.#machineCode.bytes;
    if (machineCode > this.#limits.functionMachineCode) {
      throw reader.refusal(
        'limit',
        `the function may become ${machineCode} bytes of machine code; the limit is ${this.#limits.functionMachineCode}`,
        body.start,
      );
    }
    this.#facts.machineCode = machineCode;
    return this.#facts;
  }

  #check(): void {
    const code = this.#code;
    this.#machineCode.instruction(code.opcode);
    switch (code.opcode) {
      case OP.unreachable:
        this.#stack.setUnreachable();
        return;
      case OP.block:
      case OP.loop:
        this.#enterBlock(code.opcode);
        return;
      case OP.if:
        this.#stack.pop(I32);
        this.#enterBlock(code.opcode);
        return;
      case OP.else:
        this.#else();
        return;
      case OP.end:
        this.#end();
        return;
      case OP.br: {
        const types = this.#stack.labelTypes(code.index);
        this.#flow(1, types.length);
        this.#stack.popAll(types);
        this.#stack.setUnreachable();
        return;
      }
      case OP.brIf: {
        const types = this.#stack.labelTypes(code.index);
        this.#flow(1, types.length);
        this.#stack.pop(I32);
        this.#stack.popAll(types);
        this.#stack.pushAll(types);
        return;
      }
      case OP.brTable:
        this.#branchTable();
        return;
      case OP.return:
        this.#flow(1, this.#stack.results.length);
        this.#stack.popAll(this.#stack.results);
        this.#stack.setUnreachable();
        return;
      case OP.call:
        this.#facts.calls = true;
        this.#call(typeOfFunction(this.#module, code.index) ?? this.#missing('function'));
        return;
      case OP.callIndirect:
        this.#facts.calls = true;
        this.#needTable();
        this.#stack.pop(I32);
        this.#facts.spillSlots += SPILL_SLOTS.indirectCall;
        this.#call(this.#module.types[code.index] ?? this.#missing('type'));
        return;
      case OP.drop:
        this.#stack.popAny();
        return;
      case OP.select:
        this.#select();
        return;
      case OP.localGet:
        this.#stack.push(this.#local());
        return;
      case OP.localSet:
        this.#stack.pop(this.#local());
        return;
      case OP.localTee: {
        const type = this.#local();
        this.#stack.pop(type);
        this.#stack.push(type);
        return;
      }
      case OP.globalGet:
        this.#facts.spillSlots += SPILL_SLOTS.result;
        this.#stack.push(this.#global().type);
        return;
      case OP.globalSet:
        this.#setGlobal();
        return;
      default:
        this.#plain();
        return;
    }
  }

  /** Checks an instruction with fixed operand types. */
  #plain(): void {
    const { instruction, opcode } = this.#code;
    switch (instruction.immediate) {
      case 'memory access':
        this.#needMemory();
        if (this.#code.align > instruction.maxAlign) {
          const detail = `${instruction.name} cannot be aligned to 2^${this.#code.align} bytes`;
          throw this.#code.refusal('alignment', detail);
        }
        break;
      case 'memory':
        this.#needMemory();
        if (opcode === OP.memoryGrow) this.#facts.growsMemory = true;
        break;
      case 'two memories':
        this.#needMemory();
        break;
      case 'data and memory':
        this.#needMemory();
        this.#needData();
        this.#facts.readsData = true;
        break;
      case 'data':
        this.#needData();
        this.#facts.dropsData = true;
        break;
      case 'element and table':
        this.#needTable();
        this.#needElement();
        this.#facts.changesTable = true;
        break;
      case 'two tables':
        this.#needTable();
        this.#facts.changesTable = true;
        break;
      case 'element':
        this.#needElement();
        this.#facts.dropsElements = true;
        break;
      default:
    }
    const { signature } = instruction;
    if (signature === undefined) throw new TypeError(`${instruction.name} has no signature`);
    this.#stack.popAll(signature.params);
    this.#stack.pushAll(signature.results);
    this.#facts.spillSlots += spillSlotsOf(opcode, instruction);
  }

  #enterBlock(opcode: number): void {
    const { params, results } = this.#blockTypes(this.#code.blockType);
    this.#stack.popAll(params);
    this.#work(1, params.length + results.length);
    this.#stack.open(opcode, params, results);
    // A block is only a branch target: its cost is counted at the branches.
    if (opcode === OP.block) return;
    this.#machineCode.flow(this.#stack.height);
    if (opcode === OP.loop) this.#machineCode.openLoop();
  }

  #else(): void {
    const frame = this.#stack.close();
    if (frame.opcode !== OP.if) throw this.#code.refusal('malformed', 'else without if');
    this.#stack.open(OP.else, frame.start, frame.end);
    this.#flow(1, frame.start.length + frame.end.length);
  }

  #end(): void {
    const frame = this.#stack.close();
    if (frame.opcode === OP.if && !sameTypes(frame.start, frame.end)) {
      throw this.#code.refusal('type_mismatch', 'an if without else must leave the types it takes');
    }
    this.#stack.pushAll(frame.end);
    this.#work(1, frame.end.length);
    if (frame.opcode === OP.loop) this.#machineCode.closeLoop();
    else if (frame.opcode !== OP.block || frame.isTarget) this.#machineCode.flow(this.#stack.height);
  }

  #branchTable(): void {
    const { labels, index } = this.#code;
    this.#stack.pop(I32);
    const arity = this.#stack.labelTypes(index).length;
    this.#flow(labels.length + 1, arity);
    for (const label of labels) {
      const types = this.#stack.labelTypes(label);
      if (types.length !== arity) {
        const detail = 'the targets of br_table take different numbers of operands';
        throw this.#code.refusal('type_mismatch', detail);
      }
      this.#stack.peekAll(types);
    }
    this.#stack.popAll(this.#stack.labelTypes(index));
    this.#stack.setUnreachable();
  }

  #call(type: FunctionType): void {
    const values = type.params.length + type.results.length;
    this.#spend(values);
    this.#machineCode.call(this.#code.opcode, values);
    this.#stack.popAll(type.params);
    this.#stack.pushAll(type.results);
    this.#facts.spillSlots += type.results.length;
  }

  #select(): void {
    this.#stack.pop(I32);
    const first = this.#stack.popAny();
    const second = this.#stack.popAny();
    if (first !== second && first !== UNKNOWN && second !== UNKNOWN) {
      throw this.#code.refusal('type_mismatch', 'select chooses between different types');
    }
    this.#facts.spillSlots += SPILL_SLOTS.result;
    this.#stack.push(first === UNKNOWN ? second : first);
  }

  #setGlobal(): void {
    const global = this.#global();
    if (!global.mutable) {
      throw this.#code.refusal('immutable_global', `global ${this.#code.index} is not mutable`);
    }
    this.#stack.pop(global.type);
  }

  #local(): number {
    return this.#locals[this.#code.index] ?? this.#missing('local');
  }

  #global(): GlobalDefinition {
    return this.#module.globals[this.#code.index] ?? this.#missing('global');
  }

  #needMemory(): void {
    if (this.#module.memory === undefined) this.#unknown('there is no memory');
  }

  #needTable(): void {
    if (this.#module.table === undefined) this.#unknown('there is no table');
  }

  #needData(): void {
    if (this.#module.dataCount === undefined) {
      throw this.#code.refusal('malformed', 'data segments are named without a data count section');
    }
    if (this.#module.data[this.#code.index] === undefined) this.#missing('data segment');
  }

  #needElement(): void {
    if (this.#module.elements[this.#code.index] === undefined) this.#missing('element segment');
  }

  #blockTypes(type: BlockType): FunctionType {
    if (type.kind === 'index') {
      return this.#module.types[type.index] ?? this.#missing('type', type.index);
    }
    if (type.type === EMPTY_BLOCK) return { params: NO_TYPES, results: NO_TYPES };
    return { params: NO_TYPES, results: type.type === I32 ? ONE_I32 : ONE_I64 };
  }

  /** Counts branches, with the values that each carries. */
  #flow(edges: number, values: number): void {
    this.#work(edges, values);
    const operands = Math.max(this.#stack.height, values);
    this.#machineCode.flow(operands);
    if (edges > 1) this.#machineCode.targets(edges, operands);
  }

  #work(edges: number, values: number): void {
    this.#spend(edges * (1 + this.#locals.length + this.#stack.height + values));
  }

  #spend(work: number): void {
    this.#flowLeft -= work;
    if (this.#flowLeft < 0) {
      const detail = `branches times locals and operands, and values of calls, exceed ${this.#limits.flowWork}`;
      throw this.#code.refusal('limit', detail);
    }
  }

  /** Refuses the instruction's index. */
  #missing(what: string, index = this.#code.index): never {
    return this.#unknown(`there is no ${what} ${index}`);
  }

  #unknown(detail: string): never {
    throw this.#code.refusal('unknown_index', detail);
  }
}

function sameTypes(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((type, index) => type === right[index]);
}

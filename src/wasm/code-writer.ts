import { BinaryWriter } from './binary-writer.js';
import { OP } from './opcodes.js';

/** Writes instructions. */
export class CodeWriter extends BinaryWriter {
  op(...opcodes: readonly number[]): this {
    for (const opcode of opcodes) this.#opcode(opcode);
    return this;
  }

  #opcode(opcode: number): this {
    return opcode > 0xff ? this.byte(opcode >> 8).u32(opcode & 0xff) : this.byte(opcode);
  }

  /** Writes an instruction with one index. */
  indexed(opcode: number, index: number): this {
    return this.#opcode(opcode).u32(index);
  }

  /** Pushes locals. */
  get(...locals: readonly number[]): this {
    for (const local of locals) this.indexed(OP.localGet, local);
    return this;
  }

  set(local: number): this {
    return this.indexed(OP.localSet, local);
  }

  tee(local: number): this {
    return this.indexed(OP.localTee, local);
  }

  getGlobal(global: number): this {
    return this.indexed(OP.globalGet, global);
  }

  setGlobal(global: number): this {
    return this.indexed(OP.globalSet, global);
  }

  call(functionIndex: number): this {
    return this.indexed(OP.call, functionIndex);
  }

  i32Const(value: number): this {
    return this.byte(OP.i32Const).s33(value | 0);
  }

  i64Const(value: bigint): this {
    return this.byte(OP.i64Const).s64(value);
  }

  /** Pushes the number of pages of memory. */
  memorySize(): this {
    return this.op(OP.memorySize).byte(0);
  }

  /** Writes a load or store at a constant offset from the address on the stack. */
  access(opcode: number, offset: number): this {
    return this.indexed(opcode, 0).u32(offset);
  }

  /** Opens a `block`, `loop` or `if` without types. */
  open(opcode: number): this {
    return this.raw(opcode, 0x40);
  }

  /** Writes an `if` without types: pops a condition. */
  if(): this {
    return this.open(OP.if);
  }

  end(): this {
    return this.byte(OP.end);
  }

  /** Writes code that traps if the condition on the stack holds. */
  trapIf(): this {
    return this.if().byte(OP.unreachable).end();
  }
}

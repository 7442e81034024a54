import { BinaryWriter } from './binary-writer.js';
import { OP } from './opcodes.js';

export class CodeWriter extends BinaryWriter {
  op(opcode: number): this {
    return opcode > 0xff ? this.byte(opcode >> 8).u32(opcode & 0xff) : this.byte(opcode);
  }

  /** Writes an instruction with one index. */
  indexed(opcode: number, index: number): this {
    return this.op(opcode).u32(index);
  }

  i32Const(value: number): this {
    return this.byte(OP.i32Const).s33(value | 0);
  }

  i64Const(value: bigint): this {
    return this.byte(OP.i64Const).s64(value);
  }

  /** Writes an `if` without types: pops a condition. */
  if(): this {
    return this.raw(OP.if, 0x40);
  }

  end(): this {
    return this.byte(OP.end);
  }

  /** Writes code that traps if the condition on the stack holds. */
  trapIf(): this {
    return this.if().byte(OP.unreachable).end();
  }
}

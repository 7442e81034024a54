import type { BinaryReader } from './binary-reader.js';
import type { ModuleRefused, RefusalRule } from './module-refused.js';
import {
  EMPTY_BLOCK,
  I32,
  I64,
  INSTRUCTIONS,
  type Instruction,
  ruleOfOpcode,
  ruleOfValueType,
} from './opcodes.js';

/** The type of a block: a value type, `EMPTY_BLOCK`, or the index of a function type. */
export type BlockType =
  | { readonly kind: 'value'; readonly type: number }
  | { readonly kind: 'index'; readonly index: number };

const PREFIX = 0xfc;

/**
 * Reads a function body one instruction at a time. `next` sets the members that the instruction's immediate has; the
 * others keep their old values.
 */
export class InstructionReader {
  /** Offset of the instruction in the module. */
  start = 0;
  /** 0xfc-prefixed opcodes are 0xfc00 + their number. */
  opcode = 0;
  instruction: Instruction;
  /** Label, function, type, local, global or segment index; the default label of br_table. */
  index = 0;
  /** Alignment exponent of a memory access. */
  align = 0;
  /** Labels of br_table, without the default. */
  labels: number[] = [];
  blockType: BlockType = { kind: 'value', type: EMPTY_BLOCK };
  readonly #maxLabels: number;

  constructor(
    readonly reader: BinaryReader,
    maxLabels: number,
  ) {
    this.#maxLabels = maxLabels;
    const nop = INSTRUCTIONS.get(1);
    if (nop === undefined) throw new TypeError('the table of instructions has no nop');
    this.instruction = nop;
  }

  /** @throws ModuleRefused if there is no instruction, or the instruction is outside the subset */
  next(): void {
    const { reader } = this;
    this.start = reader.offset;
    const byte = reader.byte();
    if (byte === PREFIX) {
      const number = reader.u32();
      this.opcode = number > 0xff ? -1 : 0xfc00 + number;
    } else {
      this.opcode = byte;
    }
    const instruction = INSTRUCTIONS.get(this.opcode);
    if (instruction === undefined) {
      throw reader.refusal(
        ruleOfOpcode(this.opcode),
        `opcode 0x${(this.opcode < 0 ? PREFIX : this.opcode).toString(16)} is refused`,
        this.start,
      );
    }
    this.instruction = instruction;
    this.#immediate();
  }

  /** Returns the error to throw when the instruction breaks `rule`. */
  refusal(rule: RefusalRule, detail: string): ModuleRefused {
    return this.reader.refusal(rule, detail, this.start);
  }

  /** The instruction's bytes in the module. */
  encoded(): Uint8Array {
    return this.reader.bytes.subarray(this.start, this.reader.offset);
  }

  #immediate(): void {
    const { reader } = this;
    switch (this.instruction.immediate) {
      case 'none':
        return;
      case 'block':
        this.blockType = this.#readBlockType();
        return;
      case 'label':
      case 'function':
      case 'local':
      case 'global':
      case 'data':
      case 'element':
        this.index = reader.u32();
        return;
      case 'labels':
        this.labels = reader.vector('branch targets', this.#maxLabels, () => reader.u32());
        this.index = reader.u32();
        return;
      case 'type and table':
      case 'element and table':
        this.index = reader.u32();
        this.#zero('multiple_tables', reader.u32());
        return;
      case 'memory access':
        this.align = reader.u32();
        if (this.align > 31) {
          const rule = this.align < 128 ? 'multiple_memories' : 'malformed';
          throw reader.refusal(rule, 'memory access', this.start);
        }
        reader.u32();
        return;
      case 'memory':
        this.#zero('multiple_memories', reader.byte());
        return;
      case 'i32':
        reader.s32();
        return;
      case 'i64':
        reader.s64();
        return;
      case 'data and memory':
        this.index = reader.u32();
        this.#zero('multiple_memories', reader.byte());
        return;
      case 'two memories':
        this.#zero('multiple_memories', reader.byte());
        this.#zero('multiple_memories', reader.byte());
        return;
      case 'two tables':
        this.#zero('multiple_tables', reader.u32());
        this.#zero('multiple_tables', reader.u32());
    }
  }

  #zero(rule: 'multiple_memories' | 'multiple_tables', index: number): void {
    if (index !== 0) {
      const what = rule === 'multiple_memories' ? 'memory' : 'table';
      throw this.reader.refusal(rule, `only ${what} 0 can exist, got ${index}`, this.start);
    }
  }

  #readBlockType(): BlockType {
    const { reader } = this;
    const offset = reader.offset;
    const index = reader.s33();
    if (index >= 0) return { kind: 'index', index };
    const type = index & 0x7f;
    // A negative number of one byte is a value type; a longer encoding of one is invalid.
    if (reader.offset !== offset + 1) throw reader.refusal('malformed', 'bad block type', offset);
    if (type !== EMPTY_BLOCK && type !== I32 && type !== I64) {
      throw reader.refusal(ruleOfValueType(type), `block type 0x${type.toString(16)} is refused`, offset);
    }
    return { kind: 'value', type };
  }
}

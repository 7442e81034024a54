import type { InstructionReader } from '../../wasm/instruction-reader.js';
import { I32, OP } from '../../wasm/opcodes.js';

/** The type of an operand popped in unreachable code when the stack is empty; matches any type. */
export const UNKNOWN = 0;

export interface ControlFrame {
  readonly opcode: number;
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Number of operands on the stack below the block's own. */
  readonly height: number;
  /** Whether the code from here to the end of the block is unreachable. */
  unreachable: boolean;
  /** Whether a branch targets the block. */
  isTarget: boolean;
}

const NO_TYPES: readonly number[] = [];

/** The stacks of operand types and of open blocks, as in the specification's validation algorithm. */
export class TypeStack {
  readonly #code: InstructionReader;
  readonly #maxDepth: number;
  #operands: number[] = [];
  #control: ControlFrame[] = [];

  /** @param code the code being checked: errors name its position */
  constructor(code: InstructionReader, maxDepth: number) {
    this.#code = code;
    this.#maxDepth = maxDepth;
  }

  /** Number of open blocks, including the function's own. */
  get depth(): number {
    return this.#control.length;
  }

  get height(): number {
    return this.#operands.length;
  }

  get results(): readonly number[] {
    return this.#control[0]?.end ?? NO_TYPES;
  }

  /** Empties both stacks and opens a function. */
  begin(results: readonly number[]): void {
    this.#operands = [];
    this.#control = [];
    this.open(OP.block, NO_TYPES, results);
  }

  /** Opens a block whose parameters have been popped. */
  open(opcode: number, start: readonly number[], end: readonly number[]): void {
    if (this.#control.length > this.#maxDepth) {
      throw this.#code.refusal('limit', `blocks nest deeper than ${this.#maxDepth}`);
    }
    const height = this.#operands.length;
    this.#control.push({ opcode, start, end, height, unreachable: false, isTarget: false });
    this.pushAll(start);
  }

  /** Pops the results of the innermost block and closes it. */
  close(): ControlFrame {
    const frame = this.#top();
    this.popAll(frame.end);
    if (this.#operands.length !== frame.height) {
      const extra = this.#operands.length - frame.height;
      throw this.#code.refusal('type_mismatch', `the block leaves ${extra} operands too many`);
    }
    this.#control.pop();
    return frame;
  }

  /** Returns the types of the values that a branch to a label carries. */
  labelTypes(label: number): readonly number[] {
    const frame = this.#control[this.#control.length - 1 - label];
    if (frame === undefined) throw this.#code.refusal('unknown_index', `there is no label ${label}`);
    frame.isTarget = true;
    return frame.opcode === OP.loop ? frame.start : frame.end;
  }

  setUnreachable(): void {
    const frame = this.#top();
    this.#operands.length = frame.height;
    frame.unreachable = true;
  }

  push(type: number): void {
    this.#operands.push(type);
  }

  pushAll(types: readonly number[]): void {
    for (const type of types) this.#operands.push(type);
  }

  /** @returns the type popped, or `UNKNOWN` */
  popAny(): number {
    const frame = this.#top();
    if (this.#operands.length === frame.height) {
      if (frame.unreachable) return UNKNOWN;
      throw this.#code.refusal('type_mismatch', `${this.#code.instruction.name} lacks an operand`);
    }
    return this.#operands.pop() ?? UNKNOWN;
  }

  /** @returns the type popped: the expected one or `UNKNOWN` */
  pop(expected: number): number {
    const type = this.popAny();
    if (type !== expected && type !== UNKNOWN && expected !== UNKNOWN) {
      const detail = `${this.#code.instruction.name} expects ${typeName(expected)}, got ${typeName(type)}`;
      throw this.#code.refusal('type_mismatch', detail);
    }
    return type;
  }

  popAll(types: readonly number[]): void {
    for (let index = types.length - 1; index >= 0; index--) this.pop(types[index] ?? UNKNOWN);
  }

  /** Checks the types of the top operands without changing them; unknown ones stay unknown. */
  peekAll(types: readonly number[]): void {
    const popped: number[] = [];
    for (let index = types.length - 1; index >= 0; index--) popped.push(this.pop(types[index] ?? UNKNOWN));
    this.pushAll(popped.reverse());
  }

  #top(): ControlFrame {
    const frame = this.#control.at(-1);
    if (frame === undefined) throw this.#code.refusal('malformed', 'there is no open block');
    return frame;
  }
}

function typeName(type: number): string {
  return type === I32 ? 'i32' : 'i64';
}

import type { BinaryReader } from '../../wasm/binary-reader.js';
import { CodeWriter } from '../../wasm/code-writer.js';
import { InstructionReader } from '../../wasm/instruction-reader.js';
import type { FunctionBody, FunctionType } from '../../wasm/module.js';
import { I32, I64, type Instruction, OP } from '../../wasm/opcodes.js';
import { writeLocals } from '../../wasm/sections.js';
import type { EngineLimits } from './engine-limits.js';
import { EXEMPT_LEAF_BYTES, frameWeight } from './frame-weight.js';
import type { Layout } from './layout.js';
import { FUNCTION_GAS, instructionGas } from './schedule.js';
import type { SupportFunctions } from './support-functions.js';
import type { BodyFacts } from './validate-body.js';

/** Takes the position of an instruction: its offset in the original module, and in the rewritten body. */
export type TakePosition = (original: number, rewritten: number) => void;

interface OpenBlock {
  readonly opcode: number;
  /** Whether a branch leads to the block's end, so that it is reached from more than one place. */
  isJoined: boolean;
}

/** The new indices of segments. */
export interface SegmentMap {
  /** Returns the segment to name instead. */
  readonly data: (index: number) => number;
  readonly element: (index: number) => number;
  /** Returns whether dropping a segment has a visible effect. */
  readonly dropsData: (index: number) => boolean;
  readonly dropsElement: (index: number) => boolean;
}

/**
 * Rewrites function bodies so that they meter themselves.
 *
 * A run is a sequence of instructions that, once begun, all execute unless one of them traps. Its price is the sum of
 * its instructions' prices and is charged before the first of them:
 *
 * 1. A run ends after `loop`, `if`, `else`, every branch, and an `end` to which a branch or the other arm leads.
 * 2. Code that is never reached is left out; it would charge nothing.
 * 3. A call is part of its run; the rest of the run is paid before it.
 * 4. A support function charges the part of a price that depends on an operand, right before the instruction.
 * 5. The surcharge of a memory access depends on the size of the memory. If that can change, each run's charge reads
 *    the surcharge, and a run ends before an access that follows a call or growth.
 *
 * A function that calls others, or whose frame is large, subtracts its frame's weight from the stack counter on entry,
 * paying for more if that is used up, and adds it back at its only exit: the body becomes a block, and `return` a
 * branch out of it. (Labels keep their numbers: the function's own label now means the block.)
 */
export class BodyMeter {
  readonly #layout: Layout;
  readonly #support: SupportFunctions;
  readonly #segments: SegmentMap;
  readonly #code: InstructionReader;
  readonly #out = new CodeWriter(4096);
  readonly #run = new CodeWriter(1024);
  readonly #accessGas: number;
  readonly #takePosition: TakePosition | undefined;
  /** Positions in the current run, from its start, to be reported when the run is written. */
  #runPositions: { readonly original: number; readonly inRun: number }[] = [];
  #runGas = 0;
  #runAccesses = 0;
  /** Whether memory may have grown since the run began. */
  #mayHaveGrown = false;
  #gasLocal = 0;
  #blocks: OpenBlock[] = [];
  /** Blocks opened inside skipped code; undefined while the code is reachable. */
  #skipped: number | undefined;
  #isWrapped = false;

  constructor(options: {
    readonly layout: Layout;
    readonly support: SupportFunctions;
    readonly segments: SegmentMap;
    readonly reader: BinaryReader;
    readonly limits: EngineLimits;
    /** Surcharge on each memory access, if the layout has no global for it. */
    readonly accessGas: number;
    /** Called for the start of each body and for each instruction, in order. */
    readonly takePosition?: TakePosition | undefined;
  }) {
    this.#layout = options.layout;
    this.#support = options.support;
    this.#segments = options.segments;
    this.#code = new InstructionReader(options.reader, options.limits.branchTargets);
    this.#accessGas = options.accessGas;
    this.#takePosition = options.takePosition;
  }

  /** @param index of the function in the original module, imports included @returns the new body: locals and code */
  rewrite(index: number, body: FunctionBody, type: FunctionType, facts: BodyFacts): Uint8Array {
    const { reader } = this.#code;
    reader.offset = body.start;
    reader.end = body.end;
    const ownLocals = body.locals.slice(type.params.length);
    this.#gasLocal = body.locals.length;
    this.#out.clear();
    writeLocals(this.#out, [...ownLocals, I64, I32]);
    this.#runPositions = [];
    this.#takePosition?.(body.start, this.#out.length);

    this.#blocks = [{ opcode: OP.block, isJoined: false }];
    this.#skipped = undefined;
    this.#run.clear();
    this.#runAccesses = 0;
    this.#mayHaveGrown = false;
    this.#runGas = FUNCTION_GAS.entry + FUNCTION_GAS.perLocal * ownLocals.length;
    const weight = frameWeight(body, type, facts);
    const isCounted = facts.calls || weight > EXEMPT_LEAF_BYTES;
    const { hooks } = this.#support;
    this.#isWrapped = isCounted || hooks !== undefined;
    if (hooks !== undefined) {
      // The hook runs before the first run is charged, so that this gas counts as the function's own.
      this.#callHook(hooks.enter, index);
      this.#out.bytes(this.#run.view());
      this.#run.clear();
    }
    if (isCounted) this.#takeStack(weight);
    if (this.#isWrapped) {
      this.#run.byte(OP.block);
      this.#layout.writeBlockType(this.#run, type.results);
    }
    while (this.#blocks.length > 0) {
      this.#code.next();
      if (this.#skipped === undefined) this.#rewrite();
      else this.#skip(this.#skipped);
    }
    this.#endRun();
    if (isCounted) this.#giveStack(weight);
    if (hooks !== undefined) this.#callHook(hooks.leave, index);
    this.#endRun();
    if (this.#isWrapped) this.#out.end();
    return this.#out.finish();
  }

  #rewrite(): void {
    const code = this.#code;
    const { opcode } = code;
    const accesses = accessesOf(opcode, code.instruction);
    if (accesses > 0 && this.#mayHaveGrown && this.#layout.accessGlobal !== undefined) this.#endRun();
    if (this.#takePosition !== undefined) {
      this.#runPositions.push({ original: code.start, inRun: this.#run.length });
    }
    this.#runGas += instructionGas(code.opcode) + accesses * this.#accessGas;
    this.#runAccesses += accesses;
    switch (opcode) {
      case OP.nop:
        return;
      case OP.block:
        this.#copy();
        this.#blocks.push({ opcode, isJoined: false });
        return;
      case OP.loop:
      case OP.if:
        this.#copy();
        this.#blocks.push({ opcode, isJoined: false });
        this.#endRun();
        return;
      case OP.else:
        this.#copy();
        this.#endRun();
        return;
      case OP.end:
        this.#end();
        return;
      case OP.brIf:
        this.#copy();
        this.#branchTo(code.index);
        this.#endRun();
        return;
      case OP.br:
        this.#copy();
        this.#branchTo(code.index);
        this.#leaveOut();
        return;
      case OP.brTable:
        this.#copy();
        for (const label of code.labels) this.#branchTo(label);
        this.#branchTo(code.index);
        this.#leaveOut();
        return;
      case OP.return:
        if (this.#isWrapped) {
          this.#run.indexed(OP.br, this.#blocks.length - 1);
          this.#branchTo(this.#blocks.length - 1);
        } else {
          this.#copy();
        }
        this.#leaveOut();
        return;
      case OP.unreachable:
        this.#copy();
        this.#leaveOut();
        return;
      case OP.call:
        this.#mayHaveGrown ||= code.index >= this.#layout.module.imports.length;
        this.#run.call(this.#layout.functionIndex(code.index));
        return;
      case OP.callIndirect:
        this.#mayHaveGrown = true;
        this.#copy();
        return;
      case OP.memoryGrow:
        this.#mayHaveGrown = true;
        this.#run.call(this.#support.grow);
        return;
      case OP.memoryCopy:
      case OP.memoryFill:
        this.#run.call(this.#support.chargeBytes);
        this.#copy();
        return;
      case OP.memoryInit:
        this.#run.call(this.#support.chargeBytes);
        this.#run.indexed(opcode, this.#segments.data(code.index)).byte(0);
        return;
      case OP.tableCopy:
        this.#run.call(this.#support.chargeEntries);
        this.#copy();
        return;
      case OP.tableInit:
        this.#run.call(this.#support.chargeEntries);
        this.#run.indexed(opcode, this.#segments.element(code.index)).byte(0);
        return;
      case OP.dataDrop:
        if (this.#segments.dropsData(code.index)) this.#copy();
        return;
      case OP.elemDrop:
        if (this.#segments.dropsElement(code.index)) this.#copy();
        return;
      default:
        this.#copy();
    }
  }

  /** Skips code between an unconditional branch and the end of its block. */
  #skip(depth: number): void {
    switch (this.#code.opcode) {
      case OP.block:
      case OP.loop:
      case OP.if:
        this.#skipped = depth + 1;
        return;
      case OP.else:
        if (depth === 0) {
          this.#skipped = undefined;
          this.#copy();
          this.#endRun();
        }
        return;
      case OP.end:
        if (depth === 0) {
          this.#skipped = undefined;
          this.#end();
        } else {
          this.#skipped = depth - 1;
        }
        return;
      default:
    }
  }

  #end(): void {
    this.#copy();
    const block = this.#blocks.pop();
    if (block?.isJoined === true || block?.opcode === OP.if) this.#endRun();
  }

  #branchTo(label: number): void {
    const block = this.#blocks[this.#blocks.length - 1 - label];
    // A branch to a loop leads to its start, where a run begins anyway.
    if (block !== undefined && block.opcode !== OP.loop) block.isJoined = true;
  }

  #leaveOut(): void {
    this.#endRun();
    this.#skipped = 0;
  }

  #copy(): void {
    this.#run.bytes(this.#code.encoded());
  }

  /** Writes the charge of the run, then the run. */
  #endRun(): void {
    const [first] = this.#runPositions;
    // The charge stands for the run's first instruction: a call that runs out of gas stops at the charge.
    if (first !== undefined) this.#takePosition?.(first.original, this.#out.length);
    if (this.#runGas > 0) {
      const { accessGlobal, gasGlobal } = this.#layout;
      this.#out.getGlobal(gasGlobal).i64Const(BigInt(this.#runGas)).op(OP.i64Sub);
      if (accessGlobal !== undefined && this.#runAccesses > 0) {
        this.#out.getGlobal(accessGlobal).i64Const(BigInt(this.#runAccesses)).op(OP.i64Mul, OP.i64Sub);
      }
      this.#out.tee(this.#gasLocal).setGlobal(gasGlobal).get(this.#gasLocal).i64Const(0n);
      this.#out.op(OP.i64LtS).trapIf();
      this.#runGas = 0;
      this.#runAccesses = 0;
    }
    this.#mayHaveGrown = false;
    for (const { original, inRun } of this.#runPositions) {
      this.#takePosition?.(original, this.#out.length + inRun);
    }
    if (first !== undefined) this.#runPositions = [];
    this.#out.bytes(this.#run.view());
    this.#run.clear();
  }

  #takeStack(weight: number): void {
    const { stackGlobal } = this.#layout;
    const local = this.#gasLocal + 1;
    this.#run.getGlobal(stackGlobal).i32Const(weight).op(OP.i32Sub).tee(local).setGlobal(stackGlobal);
    this.#run.get(local).i32Const(0).op(OP.i32LtS).if().call(this.#support.payStack).end();
  }

  #giveStack(weight: number): void {
    const { stackGlobal } = this.#layout;
    this.#run.getGlobal(stackGlobal).i32Const(weight).op(OP.i32Add).setGlobal(stackGlobal);
  }

  #callHook(hook: number, index: number): void {
    this.#run.i32Const(index).getGlobal(this.#layout.gasGlobal).call(hook);
  }
}

/** Returns how many memory accesses an instruction makes at addresses of the contract's choice. */
function accessesOf(opcode: number, { immediate }: Instruction): number {
  switch (opcode) {
    case OP.memoryCopy:
      return 2;
    case OP.memoryFill:
    case OP.memoryInit:
      return 1;
    default:
      return immediate === 'memory access' ? 1 : 0;
  }
}

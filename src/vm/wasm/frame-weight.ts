import type { FunctionBody, FunctionType } from '../../wasm/module.js';
import { type Instruction, OP } from '../../wasm/opcodes.js';

/** Return address, saved registers, the instance and what V8 keeps in every frame. */
const FRAME_BYTES = 128;
const SLOT_BYTES = 8;

/** Leaf functions up to this weight are not counted one by one: only one can be on the stack, and room is kept for it. */
export const EXEMPT_LEAF_BYTES = 2_048;

/**
 * Places of 8 bytes that an instruction may add to its function's frame. Each was seen in what the optimising compiler
 * makes of generated functions (`test/support/frames`).
 */
export const SPILL_SLOTS = Object.freeze({
  /** A result that is neither constant nor copy: it may be kept for whoever computes the same once more. */
  result: 1,
  /** The address of an access, widened to 64 bits: kept as results are. */
  address: 1,
  /** The index of an indirect call, widened and scaled. */
  indirectCall: 2,
  /** Operations in bulk are calls of C++, whose arguments lie in the frame in an area of each such instruction's own. */
  bulkArguments: 5,
});

const BULK: ReadonlySet<number> = new Set([
  OP.memoryCopy,
  OP.memoryFill,
  OP.memoryInit,
  OP.tableCopy,
  OP.tableInit,
]);

/** Places that an instruction with fixed operand types may take. */
export function spillSlotsOf(opcode: number, { signature, immediate }: Instruction): number {
  if (BULK.has(opcode)) return SPILL_SLOTS.bulkArguments;
  const isConstant = opcode === OP.i32Const || opcode === OP.i64Const;
  const hasResult = signature !== undefined && signature.results.length > 0 && !isConstant;
  return (hasResult ? SPILL_SLOTS.result : 0) + (immediate === 'memory access' ? SPILL_SLOTS.address : 0);
}

/**
 * The stack, in bytes, that one frame of a function is taken to use, whichever of V8's compilers made it.
 *
 * The baseline compiler gives a slot to each local and operand. The optimising one gives slots to values that are alive
 * at the same time; by sharing equal computations and moving them it can keep alive, beyond locals and operands, whatever
 * the instructions of the function compute on the way, so all of that counts. Arguments and results that do not fit in
 * registers lie on the stack once more while a call is prepared, so operands count twice.
 *
 * V8 promises nothing of the kind. What holds the figure up is a search that breeds functions for the worst real frame
 * (`npm run bench:frames`; a sample of it is in the suite) and the margin between the budget and the real stack.
 */
export function frameWeight(
  body: FunctionBody,
  type: FunctionType,
  facts: { readonly maxOperands: number; readonly spillSlots: number },
): number {
  const slots = body.locals.length + 2 * facts.maxOperands + type.results.length + facts.spillSlots;
  return FRAME_BYTES + SLOT_BYTES * slots;
}

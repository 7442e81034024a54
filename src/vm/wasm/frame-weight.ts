import type { FunctionBody, FunctionType } from '../../wasm/module.js';
import { type Instruction, OP } from '../../wasm/opcodes.js';

/** Return address, saved registers, the instance and V8's data in every frame. */
const FRAME_BYTES = 128;
const SLOT_BYTES = 8;

/** Maximum weight of a leaf function that is not counted: only one can be on the stack, and room is reserved for it. */
export const EXEMPT_LEAF_BYTES = 2_048;

/**
 * Slots of 8 bytes that an instruction may add to its function's frame. Each was observed in the optimizing compiler's
 * output for generated functions (`test/support/contracts/frames`).
 */
export const SPILL_SLOTS = Object.freeze({
  /** A result that is neither constant nor copy: it may be kept for a later instruction that computes the same. */
  result: 1,
  /** The address of an access, widened to 64 bits: kept like a result. */
  address: 1,
  /** The index of an indirect call, widened and scaled. */
  indirectCall: 2,
  /** Bulk operations are calls into C++, each with its own area of the frame for arguments. */
  bulkArguments: 5,
});

const BULK: ReadonlySet<number> = new Set([
  OP.memoryCopy,
  OP.memoryFill,
  OP.memoryInit,
  OP.tableCopy,
  OP.tableInit,
]);

/** Returns the number of slots that an instruction with fixed operand types may take. */
export function spillSlotsOf(opcode: number, { signature, immediate }: Instruction): number {
  if (BULK.has(opcode)) return SPILL_SLOTS.bulkArguments;
  const isConstant = opcode === OP.i32Const || opcode === OP.i64Const;
  const hasResult = signature !== undefined && signature.results.length > 0 && !isConstant;
  return (hasResult ? SPILL_SLOTS.result : 0) + (immediate === 'memory access' ? SPILL_SLOTS.address : 0);
}

/**
 * The stack, in bytes, assumed for one frame of a function compiled by either of V8's compilers.
 *
 * The baseline compiler gives a slot to each local and operand. The optimizing compiler gives slots to values that
 * are alive at the same time; by sharing and moving equal computations it can keep alive, beyond locals and operands,
 * anything that the function's instructions compute, so all of that counts. Arguments and results that do not fit in
 * registers are on the stack once more while a call is prepared, so operands count twice.
 *
 * V8 guarantees none of this. The figure rests on a search that breeds functions for the worst real frame (`npm run
 * bench -- frames`; a sample of it is in the suite) and on the margin between the budget and the real stack.
 */
export function frameWeight(
  body: FunctionBody,
  type: FunctionType,
  facts: { readonly maxOperands: number; readonly spillSlots: number },
): number {
  const slots = body.locals.length + 2 * facts.maxOperands + type.results.length + facts.spillSlots;
  return FRAME_BYTES + SLOT_BYTES * slots;
}

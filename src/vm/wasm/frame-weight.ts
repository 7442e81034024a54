import type { FunctionBody, FunctionType } from './module.js';
import type { BodyFacts } from './validate-body.js';

/** Return address, saved registers, the instance and what V8 keeps in every frame. */
const FRAME_BYTES = 128;
const SLOT_BYTES = 8;

/** Leaf functions up to this weight are not counted one by one: only one can be on the stack, and room is kept for it. */
export const EXEMPT_LEAF_BYTES = 2_048;

/**
 * An upper bound of the stack, in bytes, that one frame of a function takes, whichever of V8's compilers made it.
 *
 * The baseline compiler gives a slot to each local and operand. The optimising one gives slots to values that are alive
 * at the same time; by sharing equal computations and moving them it can keep alive, beyond locals and operands, the
 * result of any computation in the function, so each counts. Arguments and results that do not fit in
 * registers lie on the stack once more while a call is prepared, so operands count twice.
 */
export function frameWeight(body: FunctionBody, type: FunctionType, facts: BodyFacts): number {
  const slots = body.locals.length + 2 * facts.maxOperands + type.results.length + facts.computations;
  return FRAME_BYTES + SLOT_BYTES * slots;
}

import type { FunctionType } from './module.js';

/** Types of so few values may be any. */
const FREE_VALUES = 6;
/** So many parameters may be any where there is at most one result. */
const FREE_PARAMETERS = 9;
/** Of more parameters, those after so many are of one type. */
const HEAD = 5;

/** What {@link isCommonType} wants, for who had another. */
export const COMMON_TYPES =
  'a function or block has at most 9 parameters and one result, or 6 of both, or more parameters that are all of one type after the fifth';

/**
 * Whether a module may have a type of functions or blocks.
 *
 * V8 keeps every type that any module ever had, for all threads and for good. It searches them one by one for each type of a
 * module that it compiles, 30 ns each; newer versions do not, but end the process at a million (`kMaxCanonicalTypes`). So there
 * are only 4,737 that contracts can have: those that compilers make of code as people write it.
 */
export function isCommonType({ params, results }: FunctionType): boolean {
  if (params.length + results.length <= FREE_VALUES) return true;
  if (results.length > 1) return false;
  const tail = params.slice(HEAD);
  return params.length <= FREE_PARAMETERS || tail.every((type) => type === tail[0]);
}

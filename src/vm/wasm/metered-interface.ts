import type { EntryPoint } from './entry-points.js';

/** Names that begin so are the instrumenter's own; modules cannot export them. */
export const RESERVED_PREFIX = 'heddle:';

/** Names under which metered code exports its own parts. Modules cannot use them. */
export const EXPORTS = Object.freeze({
  /** Mutable i64: the gas that is left, negative after it ran out. */
  gas: `${RESERVED_PREFIX}gas`,
  /** Mutable i32: bytes of stack that are paid and left, negative after all ran out. */
  stack: `${RESERVED_PREFIX}stack`,
  /** Mutable i32: bytes of stack that can be had beyond, for gas. */
  unpaidStack: `${RESERVED_PREFIX}unpaid_stack`,
  /** The memory, where there is one. */
  memory: `${RESERVED_PREFIX}memory`,
  load: `${RESERVED_PREFIX}load`,
  reset: `${RESERVED_PREFIX}reset`,
});

/**
 * The export that enters a contract: (gas: i64, pages: i32, stack: i32, unpaid: i32) → i32, with `pages` the most its
 * memory may have, and `stack` and `unpaid` together the most bytes of stack that it and all that it calls may use, the
 * latter for gas.
 */
export function entryExport(entry: EntryPoint): string {
  return `${RESERVED_PREFIX}${entry}`;
}

/** Module and names of the imports that observed code reports to. */
export const OBSERVER_IMPORTS = Object.freeze({ module: 'heddle:observer', enter: 'enter', leave: 'leave' });

/** The stack counter's value once the machine has refused memory that the limits allow; no count reaches it. */
export const MEMORY_FAULT = -(2 ** 31);

/** The host function that tells a contract its gas; code that mentions it imports it, even if the wrapper answers. */
export const GAS_LEFT = 'gas_left';

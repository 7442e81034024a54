import type { CodePurposes, FramePurpose } from '../engine.js';

/** Prefix of the instrumenter's own names; modules cannot export them. */
export const RESERVED_PREFIX = 'heddle:';

/** Export names of the parts that metering adds. Modules cannot use them. */
export const EXPORTS = Object.freeze({
  /** Mutable i64: the remaining gas, negative once it has run out. */
  gas: `${RESERVED_PREFIX}gas`,
  /** Mutable i32: remaining bytes of paid stack, negative once all has run out. */
  stack: `${RESERVED_PREFIX}stack`,
  /** Mutable i32: further bytes of stack available for gas. */
  unpaidStack: `${RESERVED_PREFIX}unpaid_stack`,
  /** The memory, if the module has one. */
  memory: `${RESERVED_PREFIX}memory`,
  load: `${RESERVED_PREFIX}load`,
  reset: `${RESERVED_PREFIX}reset`,
});

/**
 * Returns the export that enters a contract: (gas: i64, pages: i32, stack: i32, unpaid: i32) → i32. `pages` is the
 * maximum size of the contract's memory. `stack` and `unpaid` together are the maximum bytes of stack for the
 * contract and everything it calls; `unpaid` bytes cost gas.
 */
export function entryExport(entry: EntryPoint): string {
  return `${RESERVED_PREFIX}${entry}`;
}

/** Module and names of the imports that observed code reports to. */
export const OBSERVER_IMPORTS = Object.freeze({ module: 'heddle:observer', enter: 'enter', leave: 'leave' });

/** Value of the stack counter once the machine has refused memory that the limits allow; no real count reaches it. */
export const MEMORY_FAULT = -(2 ** 31);

/** The host function for the remaining gas. Code that uses it imports it, even where its wrapper answers. */
export const GAS_LEFT = 'gas_left';

/** Entry points of a contract, as modules export them. */
export type EntryPoint = 'invoke' | 'init' | 'migrate';

export const ENTRY_POINTS: readonly EntryPoint[] = ['invoke', 'init', 'migrate'];

/** The entry point for a frame's purpose. */
export const ENTRY_BY_PURPOSE: Readonly<Record<FramePurpose, EntryPoint>> = {
  call: 'invoke',
  deploy: 'init',
  upgrade: 'migrate',
};

/** Returns whether deploying code with these entry points, or upgrading to it, runs a frame. */
export function purposesOf(entryPoints: readonly EntryPoint[]): CodePurposes {
  return {
    onDeploy: entryPoints.includes('init') ? 'runs' : 'nothing',
    onUpgrade: entryPoints.includes('migrate') ? 'runs' : 'nothing',
  };
}

import type { CodePosition } from '../engine.js';
import type { PreparedFacts } from './prepared-code.js';

/** Why wasm code trapped. */
export type TrapKind =
  | 'unreachable'
  | 'division_by_zero'
  | 'integer_overflow'
  | 'memory_out_of_bounds'
  | 'table_out_of_bounds'
  | 'indirect_call_mismatch'
  /** Calls exceeded the engine's own stack limit, by their depth or the size of their frames. */
  | 'stack_overflow'
  /** A pointer or length passed to a host function is outside memory. */
  | 'bad_pointer'
  /** A value, output, event or input exceeds a limit of the host. */
  | 'host_limit'
  /** A write, transfer or event inside a view. */
  | 'view_violation';

/** V8's messages for the traps that the subset can raise. Their texts are not specified, so a test checks them. */
const KIND_BY_MESSAGE: ReadonlyMap<string, TrapKind> = new Map([
  ['unreachable', 'unreachable'],
  ['divide by zero', 'division_by_zero'],
  ['remainder by zero', 'division_by_zero'],
  ['divide result unrepresentable', 'integer_overflow'],
  ['memory access out of bounds', 'memory_out_of_bounds'],
  ['data segment out of bounds', 'memory_out_of_bounds'],
  ['table index is out of bounds', 'table_out_of_bounds'],
  ['table access out of bounds', 'table_out_of_bounds'],
  ['element segment out of bounds', 'table_out_of_bounds'],
  ['null function or function signature mismatch', 'indirect_call_mismatch'],
  ['function signature mismatch', 'indirect_call_mismatch'],
]);

/** Each kind of trap in words that do not depend on V8. */
export const TRAP_MESSAGES: Readonly<Record<TrapKind, string>> = {
  unreachable: 'unreachable code was reached',
  division_by_zero: 'integer divided by zero',
  integer_overflow: 'result of a division does not fit',
  memory_out_of_bounds: 'memory access out of bounds',
  table_out_of_bounds: 'table access out of bounds',
  indirect_call_mismatch: 'indirect call to a null function or to one of another type',
  stack_overflow: 'calls are nested too deep',
  bad_pointer: 'pointer outside of memory',
  host_limit: 'over a limit of the host',
  view_violation: 'a view cannot change anything',
};

/** Returns the kind of a trap that V8 reports, or undefined if it is unknown. */
export function trapKindOf(error: WebAssembly.RuntimeError): TrapKind | undefined {
  return KIND_BY_MESSAGE.get(error.message);
}

/** Maximum length of a function's name: backtraces are stored with receipts, and contracts choose the names. */
const LABEL_CHARACTERS = 80;

/**
 * Returns where an error stopped a contract's code, innermost function first. Frames of other code and of the
 * instrumenter's functions are skipped.
 * @param stack of a V8 error; V8 keeps the innermost 10 frames by default
 */
export function positionsOf(
  stack: string | undefined,
  numbering: PreparedFacts,
  names: ReadonlyMap<number, string>,
): CodePosition[] {
  const first = numbering.importedFunctions + numbering.functionShift;
  const positions: CodePosition[] = [];
  let isInside = false;
  for (const line of (stack ?? '').split('\n')) {
    const found = /wasm-function\[(\d+)\]:0x([0-9a-f]+)/.exec(line);
    if (found === null) {
      // Host code that follows the contract's functions entered it, perhaps for another contract.
      if (isInside) break;
      continue;
    }
    isInside = true;
    const index = Number(found[1]);
    if (index < first || index >= first + numbering.definedFunctions) continue;
    const name = functionLabel(index - numbering.functionShift, names);
    positions.push({ function: name, offset: Number.parseInt(found[2] ?? '', 16) });
  }
  return positions;
}

/** Returns the names of the functions that an error stopped, innermost first. */
export function backtraceOf(...of: Parameters<typeof positionsOf>): string[] {
  return positionsOf(...of).map((position) => position.function.slice(0, LABEL_CHARACTERS));
}

/** Returns the label of a function in traces: its name, or its index in the original module. */
export function functionLabel(index: number, names: ReadonlyMap<number, string>): string {
  return names.get(index) ?? `function ${index}`;
}

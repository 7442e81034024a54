/** Why wasm code trapped. */
export type TrapKind =
  | 'unreachable'
  | 'division_by_zero'
  | 'integer_overflow'
  | 'memory_out_of_bounds'
  | 'table_out_of_bounds'
  | 'indirect_call_mismatch'
  /** Calls nested so deep, or with so large frames, that the engine's own stack limit was met. */
  | 'stack_overflow'
  /** A pointer or length given to a host function does not lie in memory. */
  | 'bad_pointer'
  /** A value, output, event or input larger than the host takes. */
  | 'host_limit'
  /** A write, transfer or event below a view. */
  | 'view_violation';

/** V8's words for the traps that code of the subset can meet. Their texts are not specified, so a test holds them. */
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

const MESSAGES: Readonly<Record<TrapKind, string>> = {
  unreachable: 'unreachable code was reached',
  division_by_zero: 'integer divided by zero',
  integer_overflow: 'result of a division does not fit',
  memory_out_of_bounds: 'memory access out of bounds',
  table_out_of_bounds: 'table access out of bounds',
  indirect_call_mismatch: 'indirect call of no function, or of one of another type',
  stack_overflow: 'calls are nested too deep',
  bad_pointer: 'pointer outside of memory',
  host_limit: 'over a limit of the host',
  view_violation: 'a view cannot change anything',
};

/** The kind of a trap that V8 reports, or undefined where it is none we know. */
export function trapKindOf(error: WebAssembly.RuntimeError): TrapKind | undefined {
  return KIND_BY_MESSAGE.get(error.message);
}

/** What a trap of a kind means, in words that do not depend on V8. */
export function trapMessage(kind: TrapKind): string {
  return MESSAGES[kind];
}

/** Backtraces are kept with receipts, and a contract chooses its functions' names. */
const LABEL_CHARACTERS = 80;

/** How metered indices of functions go back to those of the original module. */
export interface FunctionNumbering {
  readonly importedFunctions: number;
  readonly definedFunctions: number;
  readonly functionShift: number;
}

/**
 * The contract's own functions on the stack of an error, innermost first.
 * @param stack of a V8 error; lines of other code and of the instrumenter's functions are left out
 */
export function backtraceOf(
  stack: string | undefined,
  numbering: FunctionNumbering,
  names: ReadonlyMap<number, string>,
): string[] {
  const first = numbering.importedFunctions + numbering.functionShift;
  const frames: string[] = [];
  for (const [, digits] of (stack ?? '').matchAll(/wasm-function\[(\d+)\]:0x[0-9a-f]+/g)) {
    const index = Number(digits);
    if (index >= first && index < first + numbering.definedFunctions) {
      frames.push(functionLabel(index - numbering.functionShift, names).slice(0, LABEL_CHARACTERS));
    }
  }
  return frames;
}

/** How a function is called in traces: by its name, or by its index in the original module. */
export function functionLabel(index: number, names: ReadonlyMap<number, string>): string {
  return names.get(index) ?? `function ${index}`;
}

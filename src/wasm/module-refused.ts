/** The rule that a refused module breaks. */
export type RefusalRule =
  /** Not a module in the binary format of the WebAssembly specification. */
  | 'malformed'
  /** An index out of range. */
  | 'unknown_index'
  /** Operands, results or immediates of the wrong type. */
  | 'type_mismatch'
  /** A memory access with an alignment above its size. */
  | 'alignment'
  /** An initial value or offset that is not one constant. */
  | 'constant_expression'
  /** An assignment to an immutable global. */
  | 'immutable_global'
  | 'floating_point'
  | 'simd'
  | 'threads'
  | 'exceptions'
  | 'tail_calls'
  | 'garbage_collection'
  /** References as values, or table operations other than initializing and copying. */
  | 'reference_types'
  | 'multiple_memories'
  | 'multiple_tables'
  | 'memory64'
  /** A memory whose limits are invalid or too large. */
  | 'memory_limits'
  | 'table_limits'
  | 'start_function'
  /** An import that is not a function of the host interface with its exact type. */
  | 'import'
  /** A name exported twice, a reserved name, or an entry point of the wrong kind or type. */
  | 'export'
  | 'custom_section'
  /** An active segment outside its memory or table. */
  | 'segment_out_of_bounds'
  /** Larger or more complex than the engine accepts. */
  | 'limit';

/** The place in a module where a rule is broken. */
export interface RefusalPlace {
  /** Offset in the module's bytes. */
  readonly offset: number;
  /** Index of the enclosing function, counting imports. */
  readonly functionIndex?: number;
  /** The function's name from the `name` section, if any. */
  readonly functionName?: string;
}

/** Thrown for code outside the deterministic subset that the engine runs. */
export class ModuleRefused extends Error {
  override readonly name = 'ModuleRefused';

  constructor(
    readonly rule: RefusalRule,
    /** The problem, without the place. */
    readonly detail: string,
    readonly place: RefusalPlace,
  ) {
    super(`${describePlace(place)}: ${detail} (${rule})`);
  }
}

function describePlace(place: RefusalPlace): string {
  const at = `byte 0x${place.offset.toString(16)}`;
  if (place.functionIndex === undefined) return at;
  const name = place.functionName === undefined ? '' : ` (${place.functionName})`;
  return `function ${place.functionIndex}${name}, ${at}`;
}

/** The rule that a refused module breaks. */
export type RefusalRule =
  /** Not a module in the binary format of the WebAssembly specification. */
  | 'malformed'
  /** An index that points at nothing. */
  | 'unknown_index'
  /** Operands, results or immediates of the wrong type. */
  | 'type_mismatch'
  /** A memory access that claims more alignment than it has bytes. */
  | 'alignment'
  /** An initial value or offset that is not one constant. */
  | 'constant_expression'
  /** An assignment to a global that is not mutable. */
  | 'immutable_global'
  | 'floating_point'
  | 'simd'
  | 'threads'
  | 'exceptions'
  | 'tail_calls'
  | 'garbage_collection'
  /** References as values, or tables worked on other than by initialising and copying. */
  | 'reference_types'
  | 'multiple_memories'
  | 'multiple_tables'
  | 'memory64'
  /** A memory that could not grow to what it starts with. */
  | 'memory_limits'
  | 'table_limits'
  | 'start_function'
  /** An import that is not a function of the host interface with its exact type. */
  | 'import'
  /** A name exported twice, a reserved name, or an entry point of the wrong kind or type. */
  | 'export'
  | 'custom_section'
  /** An active segment that does not fit where it is to be put. */
  | 'segment_out_of_bounds'
  /** Larger or more complex than the engine takes on. */
  | 'limit';

/** Where in a module a rule is broken. */
export interface RefusalPlace {
  /** Offset in the module's bytes. */
  readonly offset: number;
  /** Index of the function, counting imports, where it is inside one. */
  readonly functionIndex?: number;
  /** The function's name from the `name` section, where it has one. */
  readonly functionName?: string;
}

/** The code is not in the deterministic subset that the engine runs. */
export class ModuleRefused extends Error {
  readonly rule: RefusalRule;
  readonly place: RefusalPlace;
  /** What is wrong, without the place. */
  readonly detail: string;

  constructor(rule: RefusalRule, detail: string, place: RefusalPlace) {
    super(`${describePlace(place)}: ${detail} (${rule})`);
    this.name = 'ModuleRefused';
    this.rule = rule;
    this.place = place;
    this.detail = detail;
  }
}

function describePlace(place: RefusalPlace): string {
  const at = `byte 0x${place.offset.toString(16)}`;
  if (place.functionIndex === undefined) {
    return at;
  }
  const name = place.functionName === undefined ? '' : ` (${place.functionName})`;
  return `function ${place.functionIndex}${name}, ${at}`;
}

/** What can go wrong in the engine itself. None of it is a result of a call, and none of it may enter a block. */
export type EngineErrorCode =
  /** The thread's stack ended before the engine's own limit: it was started with too small a stack. */
  | 'host_stack_exhausted'
  /** The thread was started with a smaller stack than contracts are promised. */
  | 'thread_stack_too_small'
  /** The machine could not give memory that the call had a right to. */
  | 'host_memory_exhausted'
  /** V8 does not take a module that passed validation, or it trapped in a way unknown to us. */
  | 'unexpected_host_behaviour'
  /** Prepared code that is damaged or was prepared by another version. */
  | 'unusable_prepared_code'
  /** A call to an entry point that the program does not have. */
  | 'missing_entry_point'
  /** A frame with a field of the wrong length or out of range. */
  | 'invalid_frame';

/** Thrown where the engine, its host or its caller is at fault, never for what a contract does. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}

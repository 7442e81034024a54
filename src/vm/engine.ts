/**
 * The border of a contract engine: what the rest of the node knows of it. An engine knows nothing of stores, blocks or
 * transactions; the state comes in through `HostState`, one call at a time, and everything is synchronous.
 *
 * The life of code:
 * 1. `prepare` validates it and turns it into bytes that can be kept and reused (once per code hash, at deployment);
 * 2. `load` makes a program of the prepared bytes, or of what another thread shares;
 * 3. `call` runs one frame of a program.
 */

/** The points at which a contract can be entered. `init` runs at deployment, `migrate` when an upgrade takes effect. */
export type EntryPoint = 'invoke' | 'init' | 'migrate';

/**
 * How code is prepared. `observed` code lets the observer see everything: each entry and exit of a function, and the host
 * operations that plain code does by itself because it can do them faster. It gives the same results for the same
 * gas, is slower, and is meant for traces.
 */
export type PrepareVariant = 'plain' | 'observed';

/** One kind of contract code and the machine that runs it. */
export interface Engine {
  /** Changes whenever prepared bytes of earlier versions must not be used any more. */
  readonly preparedVersion: number;
  /**
   * Checks the code against the rules of the engine.
   * @throws CodeRefused whose message names the first rule it breaks, and where
   */
  validate(code: Uint8Array): CheckedCode;
  /**
   * Checks the code and makes it ready to run.
   * @returns bytes for `load`, worth keeping by code hash and `preparedVersion`
   * @throws CodeRefused as `validate` does
   */
  prepare(code: Uint8Array, variant?: PrepareVariant): Uint8Array;
  /**
   * What prepared code says of itself: quickly, and without compiling it.
   * @throws EngineError `unusable_prepared_code`
   */
  inspect(prepared: Uint8Array): Pick<CodeFacts, 'machineCode'>;
  /** The program loaded under a code hash, where there still is one. */
  find(codeHash: Uint8Array, variant?: PrepareVariant): Program | undefined;
  /**
   * Makes the program of a code hash, or finds it.
   * @param codeHash what the program is known by, 32 bytes
   * @param source what `prepare` returned, or what `share` returned in any thread
   * @throws EngineError `unusable_prepared_code`
   */
  load(codeHash: Uint8Array, source: Uint8Array | SharedProgram, variant?: PrepareVariant): Program;
  /** The program in a form that survives a structured clone, so that a worker need not compile it again. */
  share(program: Program): SharedProgram;
  /**
   * Runs one frame. Nothing the code does throws: it ends in one of the four statuses. The state changes of a frame
   * that did not succeed are for the caller to undo.
   * @param entryGas what of the frame's gas is used before it begins, out of gas where it has less; 0 if absent
   * @throws EngineError, and whatever the host state throws
   */
  call(
    program: Program,
    frame: Frame,
    host: HostState,
    observer?: CallObserver,
    entryGas?: bigint,
  ): CallOutcome;
}

export interface CodeFacts {
  readonly entryPoints: readonly EntryPoint[];
  /** The most machine code that it is compiled to, in bytes: what compiling takes goes by it. The same everywhere. */
  readonly machineCode: number;
}

/** Code that passed the engine's rules. */
export interface CheckedCode extends CodeFacts {
  /** As the engine's `prepare`, without checking it again. */
  prepare(variant?: PrepareVariant): Uint8Array;
}

/** Compiled code, bound to one engine and one thread. */
export interface Program extends CodeFacts {
  /** Lowercase hex of the code hash. */
  readonly codeHash: string;
  readonly variant: PrepareVariant;
}

/** A program as it goes to another thread. Opaque: only the engine that made it reads it. */
export type SharedProgram = WebAssembly.Module;

/** One call of one contract: who calls what with which means. */
export interface Frame {
  readonly entry: EntryPoint;
  /** The contract that runs, 20 bytes. */
  readonly contract: Uint8Array;
  /** Who called this frame, 20 bytes. */
  readonly caller: Uint8Array;
  /** Who signed the transaction, 20 bytes. */
  readonly origin: Uint8Array;
  /** The amount sent with the call; it has been transferred when the frame runs. */
  readonly value: bigint;
  readonly input: Uint8Array;
  /** The most gas the frame may use, below 2^63. */
  readonly gas: bigint;
  /** A write, transfer or event traps. */
  readonly isView: boolean;
  /** 0 for the frame that a transaction starts, one more for each call below it; at most 63. */
  readonly depth: number;
}

/** How a frame ended. */
export type CallStatus = 'success' | 'reverted' | 'out_of_gas' | 'trapped';

export interface CallOutcome {
  readonly status: CallStatus;
  /** Gas used, at most the frame's; all of it after `out_of_gas`. */
  readonly gasUsed: bigint;
  /** The output of a success, the data of a revert, else empty. */
  readonly output: Uint8Array;
  /** Why it trapped; present exactly with that status. */
  readonly trap: Trap | undefined;
}

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

export interface Trap {
  readonly kind: TrapKind;
  readonly message: string;
  /** Innermost function first; for people, not part of any consensus rule. */
  readonly backtrace: readonly string[];
}

/** The block around a transaction. */
export interface BlockFacts {
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly chainId: bigint;
}

/**
 * The state as a frame sees and changes it. Addresses have 20 bytes, slots 32. Byte arrays handed in belong to the
 * callee; those handed out are not changed by the engine.
 */
export interface HostState {
  readonly block: BlockFacts;
  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined;
  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): void;
  /** Whether there was a value. */
  removeStorage(contract: Uint8Array, slot: Uint8Array): boolean;
  hasStorage(contract: Uint8Array, slot: Uint8Array): boolean;
  balance(address: Uint8Array): bigint;
  /** False, and nothing done, where `from` has less than `amount`. Runs no code. */
  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean;
  /**
   * Calls another contract: moves `frame.value` from caller to contract, runs the contract's program with `frame` as it
   * is, and undoes every change since the start of the call unless it succeeded.
   * @returns undefined, and nothing done, where there is no contract or not enough balance
   */
  call(frame: Frame): CallOutcome | undefined;
  /**
   * False, and nothing done, where the transaction's output and events would be more than it may have together.
   * @param topics at most four, 32 bytes each
   */
  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean;
  /** The frame that the transaction started has so many bytes of output now. False where that is too much, as of `emit`. */
  holdOutput(bytes: number): boolean;
}

/** Watches calls, for traces. Absent, it costs nothing; present, it changes neither result nor gas. */
export interface CallObserver {
  /** The code that it wants to see run; plain if absent. For whoever finds the programs of the frames. */
  readonly variant?: PrepareVariant;
  frameEntered?(frame: Frame): void;
  frameLeft?(frame: Frame, outcome: CallOutcome): void;
  /**
   * After a host function has done its work. Nested calls are reported as frames, and then as an operation. Short hashes
   * and `gas_left` are only reported by observed code.
   */
  hostOperation?(operation: HostOperation): void;
  /** An event of the frame that runs, as the host state took it. */
  eventEmitted?(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): void;
  /** The frame that runs sent native balance by the host function `transfer`. */
  balanceSent?(from: Uint8Array, to: Uint8Array, amount: bigint, isDone: boolean): void;
  /** Only from observed code. `gasLeft` is what the frame has before the function charges its first block. */
  functionEntered?(name: string, gasLeft: bigint): void;
  /** Only from observed code, and not for functions that a trap or revert cuts short. */
  functionLeft?(name: string, gasLeft: bigint): void;
}

export interface HostOperation {
  /** The host function's name in the host interface. */
  readonly name: string;
  /** What it cost, without what a called contract used. */
  readonly gas: bigint;
  readonly args: Readonly<Record<string, HostOperationValue>>;
  readonly result?: HostOperationValue;
}

export type HostOperationValue = Uint8Array | bigint | number | string | boolean | readonly Uint8Array[];

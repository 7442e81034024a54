import type { VmType } from '../generated/ledger.js';

/**
 * The border of a contract engine: what the rest of the node knows of it. An engine knows nothing of stores, blocks or
 * transactions; the state comes in through `HostState`, one call at a time, and everything is synchronous.
 *
 * Programs are opaque values of their engine, and a trap's kind is its engine's word. Engines stand in an
 * `EngineRegistry` by the kind of code they run.
 *
 * The life of code:
 * 1. `prepare` validates it and turns it into bytes that can be kept and reused (once per code hash, at deployment);
 * 2. `load` makes a program of the prepared bytes;
 * 3. `call` runs one frame of a program.
 */

/** A kind of contract code. */
export type VmName = VmType['type'];

/** Why a frame runs: a call, or its code as it is put on the chain or takes the place of other code. */
export type FramePurpose = 'call' | 'deploy' | 'upgrade';

/**
 * How code is prepared. `observed` code lets the observer see everything: each entry and exit of a function, and the host
 * operations that plain code does by itself because it can do them faster. It gives the same results for the same
 * gas, is slower, and is meant for traces.
 */
export type PrepareVariant = 'plain' | 'observed';

/** Where code comes from: a deployment or upgrade brings it, or a deploy frame of other code returned it. */
export type CodeOrigin = 'given' | 'returned';

/** One kind of contract code and the machine that runs it. */
export interface Engine {
  /** Changes whenever prepared bytes of earlier versions must not be used any more. No two engines share one. */
  readonly preparedVersion: number;
  /**
   * Checks the code against the rules of the engine.
   * @throws CodeRefused whose message names the first rule it breaks, and where
   */
  validate(code: Uint8Array, origin?: CodeOrigin): CheckedCode;
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
   * @param prepared what `prepare` returned
   * @throws EngineError `unusable_prepared_code`
   */
  load(codeHash: Uint8Array, prepared: Uint8Array, variant?: PrepareVariant): Program;
  /**
   * Runs one frame. Nothing the code does throws: it ends in one of the four statuses. The state changes of a frame
   * that did not succeed are for the caller to undo.
   * @param program one that this engine loaded
   * @param entryGas what of the frame's gas is used before it begins, out of gas where it has less; 0 if absent
   * @throws EngineError, and whatever the host state throws
   */
  call(
    program: Program,
    frame: Frame,
    host: EngineHost,
    observer?: CallObserver,
    entryGas?: bigint,
  ): CallOutcome;
}

export interface CodeFacts {
  /**
   * What the code does as it is deployed: nothing; something, in a frame with that purpose; or it only makes the code that
   * is stored, which is the output of that frame.
   */
  readonly onDeploy: 'nothing' | 'runs' | 'returns_code';
  /** Whether it has a frame of its own as an upgrade to it takes effect. */
  readonly onUpgrade: 'nothing' | 'runs';
  /** The most machine code that it is compiled to, in bytes: what compiling takes goes by it. The same everywhere. */
  readonly machineCode: number;
}

/** Code that passed the engine's rules. */
export interface CheckedCode extends CodeFacts {
  /** As the engine's `prepare`, without checking it again. */
  prepare(variant?: PrepareVariant): Uint8Array;
}

/** Code made ready to run, bound to one engine and one thread. What else it is, only its engine knows. */
export interface Program extends CodeFacts {
  /** Lowercase hex of the code hash. */
  readonly codeHash: string;
  readonly variant: PrepareVariant;
  /** Whether the code can find out how much gas it has left. May be said of code that cannot. */
  readonly seesGas: boolean;
}

/** One call of one contract: who calls what with which means. */
export interface Frame {
  readonly purpose: FramePurpose;
  /** The contract that runs, 20 bytes: whose storage and balance its code works on. */
  readonly contract: Uint8Array;
  /**
   * The contract whose code runs, 20 bytes, where it is another: a delegate call. Caller and value are then those of the
   * frame that delegates, and nothing is moved.
   */
  readonly codeOf?: Uint8Array;
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
  /** 0 for the frame that a transaction starts, one more for each call below it; at most 63, whatever engines are on the way. */
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

export interface Trap {
  /** The engine's own name for what went wrong. */
  readonly kind: string;
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
  /** @returns bytes of the value that this replaces; undefined where there was none */
  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined;
  /** @returns bytes of the value that this removes; undefined where there was none */
  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined;
  /** @returns bytes of the slot's value; undefined where there is none */
  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined;
  balance(address: Uint8Array): bigint;
  /** False, and nothing done, where `from` has less than `amount`. Runs no code. */
  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean;
  /**
   * Calls another contract: moves `frame.value` from caller to contract, runs the contract's code with `frame` as it is, or
   * that of `frame.codeOf`, and undoes every change since the start of the call unless it succeeded.
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

/** All that there is to know of the block around a transaction. */
export interface WholeBlockFacts extends BlockFacts {
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Who gets the priority fees, 20 bytes; in a simulation of a block to come, who proposed the last one. */
  readonly proposer: Uint8Array;
  /**
   * Hash of one of the last {@link RECENT_BLOCKS} blocks before this one, 32 bytes; undefined for any other height, and in a
   * simulation for heights that the chain has not reached.
   */
  hashOf(height: bigint): Uint8Array | undefined;
}

/** Blocks whose hashes a contract may ask for. */
export const RECENT_BLOCKS = 256n;

/** What an engine can have of the host beyond {@link HostState}, which is all that wasm contracts need. */
export interface EngineHost extends HostState {
  readonly block: WholeBlockFacts;
  /** Bytes of the code at an address; 0 where there is no contract. */
  codeSize(address: Uint8Array): number;
  /** sha256 of the code at an address; undefined where there is no contract. */
  codeHash(address: Uint8Array): Uint8Array | undefined;
  /** The code at an address; undefined where there is no contract. */
  code(address: Uint8Array): Uint8Array | undefined;
  /**
   * As `call`, of whatever is at the address: a plain account takes the value, which is a success without output.
   * @returns undefined, and nothing done, where the balance is not enough
   */
  callAccount(frame: Frame): CallOutcome | undefined;
  /**
   * Deploys code from inside a call: moves the value, runs the code's deploy frame where it has one, and undoes every change
   * unless it succeeded. The creator's count of deployments goes up in any case, until its own frame is undone.
   * @returns undefined, and nothing done, where the balance is not enough
   */
  create(creation: Creation): CreationOutcome | undefined;
}

/** A deployment from inside a call. */
export interface Creation {
  /** Which engine runs the code. */
  readonly vm: VmName;
  readonly code: Uint8Array;
  /** The contract that deploys it, 20 bytes. */
  readonly creator: Uint8Array;
  /** 20 bytes, where the engine has a rule for it; else as of a deployment by transaction. */
  readonly address?: Uint8Array;
  readonly origin: Uint8Array;
  readonly value: bigint;
  readonly input: Uint8Array;
  /** Pays for the code and its deploy frame, below 2^63. */
  readonly gas: bigint;
  /** Of the deploy frame. */
  readonly depth: number;
}

export interface CreationOutcome {
  /** Without output where it succeeded: that is the contract's code. */
  readonly outcome: CallOutcome;
  /** Where the contract is, or would have been. */
  readonly contract: Uint8Array;
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

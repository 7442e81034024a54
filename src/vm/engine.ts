import type { VmType } from '../generated/ledger.js';

/**
 * The interface between a contract engine and the rest of the node. An engine knows nothing of stores, blocks or
 * transactions: it reaches the state through `HostState`, one call at a time, and everything is synchronous.
 *
 * Programs are opaque to all but their engine, and each engine names its own kinds of trap. `EngineRegistry` holds the
 * engines by the kind of code they run.
 *
 * The life of code:
 * 1. `validate` checks it, and `prepare` of the result turns it into bytes that can be stored and reused (once per code
 *    hash, at deployment);
 * 2. `load` makes a program of the prepared bytes;
 * 3. `call` runs one frame of a program.
 */

export type VmName = VmType['type'];

/** Why a frame runs: a call, a deployment, or an upgrade. */
export type FramePurpose = 'call' | 'deploy' | 'upgrade';

/**
 * How code is prepared. `observed` code reports everything to the observer: each function entry and exit, and the host
 * operations that plain code performs itself for speed. It has the same results and gas, is slower, and is meant for
 * traces.
 */
export type PrepareVariant = 'plain' | 'observed';

/** The source of code: supplied by a deployment or upgrade, or returned by the deploy frame of other code. */
export type CodeOrigin = 'given' | 'returned';

/** Runs one kind of contract code. */
export interface Engine {
  /** Changes whenever bytes prepared by earlier versions become unusable. Unique to the engine. */
  readonly preparedVersion: number;
  /** Checks code against the engine's rules. @throws CodeRefused naming the first rule that it breaks, and where */
  validate(code: Uint8Array, origin?: CodeOrigin): CheckedCode;
  /** Reads the facts recorded in prepared code, without compiling it. @throws EngineError `unusable_prepared_code` */
  inspect(prepared: Uint8Array): CodeSize;
  /** Returns the program loaded under a code hash, or undefined if it is not in the cache. */
  find(codeHash: Uint8Array, variant?: PrepareVariant): Program | undefined;
  /**
   * Loads the program of a code hash, unless it is already loaded.
   * @param codeHash identifies the program, 32 bytes
   * @param prepared bytes returned by {@link CheckedCode.prepare}
   * @throws EngineError `unusable_prepared_code`
   */
  load(codeHash: Uint8Array, prepared: Uint8Array, variant?: PrepareVariant): Program;
  /**
   * Runs one frame. The code itself never causes an exception; its frame ends with one of the four statuses. The
   * caller undoes the state changes of a frame that did not succeed.
   * @param program loaded by this engine
   * @param entryGas gas charged before the frame begins; a frame with less ends out of gas; 0 if absent
   * @throws EngineError, and any error from the host state
   */
  call(
    program: Program,
    frame: Frame,
    host: EngineHost,
    observer?: CallObserver,
    entryGas?: bigint,
  ): CallOutcome;
}

export interface CodeSize {
  /** Upper bound of the compiled machine code in bytes, the cost of compiling; the same on every machine. */
  readonly machineCode: number;
}

export interface CodePurposes {
  /** Effect of deploying the code: nothing; a deploy frame runs; or that frame's output becomes the stored code. */
  readonly onDeploy: 'nothing' | 'runs' | 'returns_code';
  /** Whether an upgrade to this code runs an upgrade frame. */
  readonly onUpgrade: 'nothing' | 'runs';
}

export interface CodeFacts extends CodeSize, CodePurposes {}

/** Code that passed the engine's rules. */
export interface CheckedCode extends CodeFacts {
  /** Makes the code ready to run. @returns bytes for `load`, to be cached by code hash and `preparedVersion` */
  prepare(variant?: PrepareVariant): Uint8Array;
}

/** Code ready to run, bound to one engine and one thread. Opaque to all but its engine. */
export interface Program extends CodeFacts {
  /** Lowercase hex of the code hash. */
  readonly codeHash: string;
  readonly variant: PrepareVariant;
  /** Whether the code can read its remaining gas. May be true for code that cannot. */
  readonly seesGas: boolean;
}

/** One run of a contract's code. */
export interface Frame {
  /** Why it runs, and so which entry point: any function, `init` or `migrate`. */
  readonly purpose: FramePurpose;
  /** The contract that runs, 20 bytes; the code works on this contract's storage and balance. */
  readonly contract: Uint8Array;
  /**
   * The contract whose code runs, 20 bytes, if different: a delegate call. Caller and value are then those of the
   * delegating frame, and no balance moves.
   */
  readonly codeOf?: Uint8Array;
  /** The caller of this frame, 20 bytes. */
  readonly caller: Uint8Array;
  /** The signer of the transaction, 20 bytes. */
  readonly origin: Uint8Array;
  /** The amount sent with the call, transferred before the frame runs. */
  readonly value: bigint;
  /** For contracts with an interface: a selector and arguments. */
  readonly input: Uint8Array;
  /** Gas limit of the frame; less than 2^63. */
  readonly gas: bigint;
  /**
   * Gas that the frame has beyond `gas` but cannot use; 0 if absent. The calls that it makes are limited as if it could use
   * all. If the frame runs out of `gas`, or its code can read its remaining gas, the host ends the whole execution with an
   * exception. An engine that leaves this out in nested frames has its executions ended when they make one.
   */
  readonly withheldGas?: bigint;
  /** If true, a write, transfer or event traps. */
  readonly isView: boolean;
  /** 0 for the transaction's first frame, one more for each nested call; at most 63, across all engines. */
  readonly depth: number;
}

/** Success, a revert by the contract, gas used up, or an error of the code such as a division by zero. */
export type CallStatus = 'success' | 'reverted' | 'out_of_gas' | 'trapped';

/** How a frame ended. */
export interface CallOutcome {
  /** A frame that is `out_of_gas` or `trapped` has no output. */
  readonly status: CallStatus;
  /** Gas used, at most the frame's limit; all of it after `out_of_gas`. */
  readonly gasUsed: bigint;
  /** The output of a success or the data of a revert; empty otherwise. */
  readonly output: Uint8Array;
  /** The reason for the trap; set only if the status is `trapped`. */
  readonly trap: Trap | undefined;
}

/** Why a frame trapped. */
export interface Trap {
  /** The engine's name for the kind of trap. */
  readonly kind: string;
  /** The reason in words. */
  readonly message: string;
  /** Innermost function first; informative only, not part of consensus. */
  readonly backtrace: readonly string[];
}

/** The block that contains the transaction. */
export interface BlockFacts {
  /** Number of the block; genesis is 0. */
  readonly height: bigint;
  /** Milliseconds since 1970. */
  readonly timestampMs: bigint;
  /** Id of the chain; signatures are valid on one chain only. */
  readonly chainId: bigint;
}

/**
 * The state as a frame reads and changes it. Addresses are 20 bytes long, slots 32. Byte arrays passed in belong to
 * the callee; the engine never changes those it receives.
 */
export interface HostState {
  readonly block: BlockFacts;
  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined;
  /** @returns length in bytes of the value that this replaces, or undefined if there was none */
  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined;
  /** @returns length in bytes of the value that this removes, or undefined if there was none */
  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined;
  /** @returns length in bytes of the slot's value, or undefined if there is none */
  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined;
  balance(address: Uint8Array): bigint;
  /** Moves the amount, or returns false if `from` has less than that. Runs no code. */
  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean;
  /**
   * Calls another contract: moves `frame.value` from caller to contract, runs the contract's code (or that of
   * `frame.codeOf`) with `frame` unchanged, and undoes every change since the start of the call unless it succeeded.
   * @returns undefined, with nothing changed, if there is no contract or the balance is too small
   */
  call(frame: Frame): CallOutcome | undefined;
  /** Emits an event, or returns false beyond the joint limit of output and events. @param topics up to four, 32 bytes */
  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean;
  /** Sets the output size of the transaction's first frame; false if it exceeds the limit of `emit`. */
  holdOutput(bytes: number): boolean;
}

/** Everything that code may read about the block. */
export interface WholeBlockFacts extends BlockFacts {
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Recipient of the priority fees, 20 bytes; in a simulation of a future block, the proposer of the last one. */
  readonly proposer: Uint8Array;
  /**
   * Returns the hash, 32 bytes, of one of the last {@link RECENT_BLOCKS} blocks before this one; undefined for any
   * other height, and in a simulation for heights beyond the chain's.
   */
  hashOf(height: bigint): Uint8Array | undefined;
}

/** Number of blocks whose hashes a contract can read. */
export const RECENT_BLOCKS = 256n;

/** The whole host interface for engines; wasm contracts need only {@link HostState}. */
export interface EngineHost extends HostState {
  readonly block: WholeBlockFacts;
  /** Returns the length of the code at an address; 0 if there is no contract. */
  codeSize(address: Uint8Array): number;
  /** Returns sha256 of the code at an address, or undefined if there is no contract. */
  codeHash(address: Uint8Array): Uint8Array | undefined;
  /** Returns the code at an address, or undefined if there is no contract. */
  code(address: Uint8Array): Uint8Array | undefined;
  /**
   * Calls any account as `call` does: a plain account receives the value, which is a success without output.
   * @returns undefined, with nothing changed, if the balance is too small
   */
  callAccount(frame: Frame): CallOutcome | undefined;
  /**
   * Deploys code from inside a call: moves the value, runs the code's deploy frame if it has one, and undoes every
   * change unless it succeeded. The creator's deployment count rises in any case, unless its own frame is undone.
   * @returns undefined, with nothing changed, if the balance is too small
   */
  create(creation: Creation): CreationOutcome | undefined;
}

export interface Creation extends Pick<Frame, 'origin' | 'value' | 'input' | 'depth'> {
  readonly vm: VmName;
  readonly code: Uint8Array;
  /** The contract that deploys the code, 20 bytes. */
  readonly creator: Uint8Array;
  /** Address of the new contract, 20 bytes, if the engine derives it; derived as for a transaction if absent. */
  readonly address?: Uint8Array;
  /** Pays for the code and its deploy frame; less than 2^63. */
  readonly gas: bigint;
}

export interface CreationOutcome {
  /** On success, the outcome has no output, because the output becomes the contract's code. */
  readonly outcome: CallOutcome;
  /** Address of the contract, even if the deployment failed. */
  readonly contract: Uint8Array;
}

/** Watches calls, for traces. It has no cost when absent, and never changes a result or gas. */
export interface CallObserver {
  /** The variant that this observer needs; plain if absent. Read by the caller that looks up programs. */
  readonly variant?: PrepareVariant;
  /** Called before the frame's code runs. */
  frameEntered?(frame: Frame): void;
  /** Called when the frame has ended, however it ended. */
  frameLeft?(frame: Frame, outcome: CallOutcome): void;
  /**
   * Called before `frameLeft` for a frame of wasm code that reverted, trapped or ran out of gas.
   * @param positions innermost function first; V8 limits their number. They depend on V8 and are no part of a result
   */
  frameStopped?(frame: Frame, positions: readonly CodePosition[]): void;
  /**
   * Called after a host function has run. A nested call is reported as a frame, then as an operation. Only observed
   * code reports short hashes and `gas_left`.
   */
  hostOperation?(operation: HostOperation): void;
  /** Called when the host state has accepted an event of the running frame. */
  eventEmitted?(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): void;
  /** Called when the running frame has sent native balance through the host function `transfer`. */
  balanceSent?(from: Uint8Array, to: Uint8Array, amount: bigint, isDone: boolean): void;
  /** Called only by observed code. `gasLeft` is the frame's gas before the function charges its first block. */
  functionEntered?(name: string, gasLeft: bigint): void;
  /** Called only by observed code, and not for functions cut short by a trap or revert. */
  functionLeft?(name: string, gasLeft: bigint): void;
}

/** A place in code that the engine has prepared. */
export interface CodePosition {
  /** Name of the function, or `function N`. */
  readonly function: string;
  /** Offset of the instruction in the prepared code, in bytes. */
  readonly offset: number;
}

export interface HostOperation {
  /** Name of the host function in the host interface. */
  readonly name: string;
  /** Gas charged, excluding the gas of a called contract. */
  readonly gas: bigint;
  readonly args: Readonly<Record<string, HostOperationValue>>;
  readonly result?: HostOperationValue;
}

export type HostOperationValue = Uint8Array | bigint | number | string | boolean | readonly Uint8Array[];

import { createHash } from 'node:crypto';
import { sameBytes } from '../base/same-bytes.js';
import { processEnvironment } from '../config/environment.js';
import { loadBls } from '../crypto/load-bls.js';
import { loadCrypto } from '../crypto/load-crypto.js';
import type { ContractAbi, Decoded } from '../idl/abi/contract-abi.js';
import { decodedText, isDecoded } from '../idl/decoded-text.js';
import { toHex, toPrefixedHex } from '../idl/hex.js';
import type { JsonValue } from '../idl/json-value.js';
import { OutcomeBytes } from '../ledger/outcome-bytes.js';
import type {
  BlockFacts,
  CallObserver,
  CallOutcome,
  Frame,
  HostState,
  PrepareVariant,
  Program,
} from '../vm/engine.js';
import { CodeRefused } from '../vm/errors.js';
import { createHostCrypto } from '../vm/host-crypto.js';
import { WasmEngine } from '../vm/wasm/wasm-engine.js';
import { LineFinder, ProbeObserver, type SourceFrame, StopObserver, stackText } from './call-lines.js';
import { ContractError } from './contract-error.js';
import { copyOfState, SandboxLedger, type SandboxState } from './sandbox-ledger.js';
import { DEBUG_LIMITS, SANDBOX_LIMITS } from './sandbox-limits.js';
import { type DebugBuild, joinTestRun, TEST_RUN_VARIABLE, type TestRecorder } from './test-run.js';

/** Unoptimized code with probes costs a few times the gas. */
const DEBUG_GAS = 16n;

const MAX_GAS = (1n << 63n) - 1n;

const DEBUG_STACK_FRAMES = 100;

/** What a sandbox needs to find the lines that its calls run. */
interface SandboxInspector {
  readonly recorder: TestRecorder;
  readonly lines: LineFinder;
  /** Runs calls again on debug builds. */
  readonly world: ContractSandbox;
}

/** Default gas of a call. */
const PLENTY = 100_000_000n;

/**
 * An in-memory chain for contract tests: the node's engine, with its gas and signature checks, over storage, balances
 * and a clock set by the test. Calls nest at most 8 deep and share 123 KiB of stack. There are no fees and no blocks.
 */
export class ContractSandbox extends SandboxLedger implements HostState {
  /**
   * Height, time in milliseconds since 1970 and chain id that contracts see. Assign a changed copy for later calls; calls
   * do not change it.
   */
  block: BlockFacts = { height: 1n, timestampMs: 1_700_000_000_000n, chainId: 1337n };
  /** Watches frames and events of later calls; must not call the sandbox. */
  observer: CallObserver | undefined;
  readonly #engine: WasmEngine;
  readonly #programs = new Map<string, Program>();
  readonly #codes = new Map<string, Uint8Array>();
  readonly #abis = new Map<string, ContractAbi>();
  readonly #inspector: SandboxInspector | undefined;
  readonly #beforeFailure = new WeakMap<
    CallOutcome,
    { readonly frame: Frame; readonly state: SandboxState }
  >();
  #outcome = new OutcomeBytes();

  private constructor(engine: WasmEngine, inspector?: SandboxInspector) {
    super();
    this.#engine = engine;
    this.#inspector = inspector;
  }

  /**
   * Creates an empty chain: no contracts, no balances, height 1. Sandboxes share nothing.
   * @param recorder knows debug builds, and takes the gas and lines of calls; by default that of the run of
   * `heddle contract test` that this process is part of, if any
   */
  static async create(recorder?: TestRecorder): Promise<ContractSandbox> {
    const taker = recorder ?? currentTestRun();
    const crypto = createHostCrypto(await loadCrypto('auto'), await loadBls('auto'));
    const engine = new WasmEngine({ crypto, limits: SANDBOX_LIMITS });
    if (taker === undefined) return new ContractSandbox(engine);
    const debugEngine = new WasmEngine({ crypto, limits: DEBUG_LIMITS });
    return new ContractSandbox(engine, {
      recorder: taker,
      lines: new LineFinder(DEBUG_LIMITS),
      world: new ContractSandbox(debugEngine),
    });
  }

  /**
   * Advances the clock for later calls. The height stays.
   * @param ms milliseconds; negative to go back
   */
  passTime(ms: bigint): void {
    this.block = { ...this.block, timestampMs: this.block.timestampMs + ms };
  }

  /**
   * Puts a contract at an address, or replaces the code of the one there, whose storage and balance remain. Runs no code:
   * see {@link SandboxContract.init}.
   * @param at address, 20 bytes
   * @param code the compiled module
   * @param abi the contract's interface
   * @throws CodeRefused if the engine does not accept the code; the message says why
   */
  deploy(at: Uint8Array, code: Uint8Array, abi: ContractAbi): SandboxContract {
    this.deployCode(at, code);
    this.#abis.set(toHex(at), abi);
    return new SandboxContract(this, abi, at);
  }

  /**
   * Like {@link deploy}, for code whose interface is not needed. Call it with {@link run}.
   * @throws CodeRefused
   */
  deployCode(at: Uint8Array, code: Uint8Array): void {
    this.#codes.set(toHex(at), code);
    this.#abis.delete(toHex(at));
    this.#load(toHex(at), code, 'plain');
  }

  #load(at: string, code: Uint8Array, variant: PrepareVariant): void {
    const codeHash = createHash('sha256').update(code).digest();
    const program =
      this.#engine.find(codeHash, variant) ??
      this.#engine.load(codeHash, this.#engine.validate(code).prepare(variant), variant);
    this.#programs.set(at, program);
  }

  /**
   * Calls a contract with encoded input, as a transaction would: changes are undone unless the call succeeds.
   * @param contract address, 20 bytes
   * @param frame caller and origin (0xca…ca), value (0), input (empty), gas (100,000,000), and whether it is a view (false);
   * defaults in parentheses. The origin is the caller, unless given.
   * @throws ContractError `call_refused` if the contract does not exist, or the caller's balance is below the value;
   * `excessive_balance` if a payment takes an account above 2^128 − 1
   */
  run(contract: Uint8Array, frame: Partial<Frame> = {}): CallOutcome {
    const caller = frame.caller ?? new Uint8Array(20).fill(0xca);
    const whole: Frame = {
      purpose: 'call',
      contract,
      caller,
      origin: caller,
      value: 0n,
      input: new Uint8Array(0),
      gas: PLENTY,
      isView: false,
      depth: 0,
      ...frame,
    };
    const state = this.#inspector === undefined ? undefined : copyOfState(this.state);
    const outcome = this.call(whole);
    if (outcome !== undefined && state !== undefined) {
      this.#recordLines(whole, state, outcome);
      if (outcome.status !== 'success') this.#beforeFailure.set(outcome, { frame: whole, state });
    }
    if (outcome === undefined) {
      const has = this.balance(caller);
      const why = this.#programs.has(toHex(contract))
        ? `the caller has ${has}, less than the value of ${frame.value ?? 0n}`
        : `there is no contract at 0x${toHex(contract)}`;
      throw new ContractError('call_refused', why);
    }
    return outcome;
  }

  /**
   * Runs one frame. The engine calls this for calls between contracts; tests call {@link run}.
   * @returns undefined, with nothing changed, if there is no contract or the caller's balance is too low
   */
  call(frame: Frame): CallOutcome | undefined {
    const program = this.#programs.get(toHex(frame.contract));
    const before = copyOfState(this.state);
    if (frame.depth === 0) this.#outcome = new OutcomeBytes();
    const { events } = this.#outcome;
    if (program === undefined || !this.transfer(frame.caller, frame.contract, frame.value)) return undefined;
    const outcome = this.#engine.call(program, frame, this, this.observer);
    if (outcome.status !== 'success') {
      this.state = before;
      this.#outcome.truncateTo(events);
    }
    this.#recordGas(frame, outcome);
    return outcome;
  }

  /**
   * Where a call of this sandbox stopped, innermost function first: known for contracts with a debug build, which
   * `heddle contract test` makes. Runs the call again on that build.
   * @param outcome what {@link run} or {@link SandboxContract.outcome} returned
   * @returns an empty list if the place is unknown
   */
  stackOf(outcome: CallOutcome): readonly SourceFrame[] {
    const before = this.#beforeFailure.get(outcome);
    if (this.#inspector === undefined || before === undefined) return [];
    const { lines } = this.#inspector;
    const observer = new StopObserver();
    const frame = { ...before.frame, gas: debugGas(before.frame.gas) };
    let replayed: Replayed;
    try {
      replayed = this.#replay(frame, before.state, 'plain', () => observer);
    } catch (error) {
      // A debug build that the engine refuses must not hide the call's error.
      if (!(error instanceof CodeRefused)) throw error;
      return [];
    }
    const { builds, outcome: again } = replayed;
    // Unoptimized code uses more gas and stack, so it may end in another way.
    if (again?.status !== outcome.status || !sameBytes(again.output, outcome.output)) return [];
    if (again.trap?.kind !== outcome.trap?.kind) return [];
    const frames = observer
      .chain()
      .flatMap((stop) =>
        stop.positions.flatMap((position) => lines.frames(position, builds.get(toHex(stop.frame.contract)))),
      );
    return frames.some(({ position }) => position !== undefined) ? frames : [];
  }

  #recordGas({ contract, input, purpose }: Frame, { status, gasUsed }: CallOutcome): void {
    const abi = this.#abis.get(toHex(contract));
    const method = purpose === 'upgrade' ? 'migrate' : abi?.functionOf(input)?.name;
    if (abi === undefined || method === undefined) return;
    const call = { contract: abi.name, method, status, gas: Number(gasUsed) };
    this.#inspector?.recorder.record({ call });
  }

  #recordLines(frame: Frame, state: SandboxState, { status }: CallOutcome): void {
    if (this.#inspector?.recorder.builds.some(({ covered }) => covered !== undefined) !== true) return;
    let observer: ProbeObserver | undefined;
    const gas = status === 'out_of_gas' ? frame.gas : debugGas(frame.gas);
    this.#replay({ ...frame, gas }, state, 'observed', (builds) => {
      observer = new ProbeObserver(builds);
      return observer;
    });
    for (const lines of observer?.hits ?? []) this.#inspector.recorder.record({ lines });
  }

  /** Runs a call again from an earlier state, with debug builds in place of the contracts that have one. */
  #replay(
    frame: Frame,
    state: SandboxState,
    variant: PrepareVariant,
    observe: (builds: ReadonlyMap<string, DebugBuild>) => CallObserver,
  ): Replayed {
    const builds = new Map<string, DebugBuild>();
    if (this.#inspector === undefined) return { builds, outcome: undefined };
    const { world, recorder } = this.#inspector;
    for (const [at, code] of this.#codes) {
      const codeHash = createHash('sha256').update(code).digest('hex');
      const build = recorder.builds.find((each) => each.codeHash === codeHash);
      if (build !== undefined) builds.set(at, build);
      const replacement = variant === 'observed' ? build?.covered?.code : build?.code;
      world.#load(at, replacement ?? code, variant);
    }
    world.block = this.block;
    world.observer = observe(builds);
    world.state = copyOfState(state);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = DEBUG_STACK_FRAMES;
    try {
      return { builds, outcome: world.call(frame) };
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /**
   * Adds an event to {@link logs}. The engine calls this for contracts.
   * @returns false if output and events of the call would exceed their joint limit
   */
  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean {
    if (!this.#outcome.addEvent(topics.length, data.length)) return false;
    this.state.logs.push({ contract: toHex(contract), topics, data });
    return true;
  }

  /**
   * Reserves the output of the outermost call in the same limit. The engine calls this.
   * @returns false if it would exceed the limit
   */
  holdOutput(bytes: number): boolean {
    return this.#outcome.setOutput(bytes);
  }
}

interface Replayed {
  /** By the address of their contract. */
  readonly builds: ReadonlyMap<string, DebugBuild>;
  /** Undefined if the call could not run again. */
  readonly outcome: CallOutcome | undefined;
}

/** Who calls, and with what. */
export interface SandboxCall {
  /** Caller and origin, 20 bytes; 0xca…ca by default. Any address can call: the sandbox asks for no signature. */
  readonly from?: Uint8Array;
  /** Native balance sent with the call, in the smallest unit; 0 by default. The caller must have it. */
  readonly value?: bigint;
  /** Gas limit; 100,000,000 by default. */
  readonly gas?: bigint;
}

/** A contract in a sandbox, called by name with the JSON values of its interface. */
export class SandboxContract {
  /** The sandbox that the contract is in. */
  readonly sandbox: ContractSandbox;
  /** The contract's interface. */
  readonly abi: ContractAbi;
  /** The contract's address, 20 bytes. */
  readonly at: Uint8Array;

  constructor(sandbox: ContractSandbox, abi: ContractAbi, at: Uint8Array) {
    this.sandbox = sandbox;
    this.abi = abi;
    this.at = at;
  }

  /** The contract's address in JSON form. */
  get address(): string {
    return toPrefixedHex(this.at);
  }

  /**
   * Runs `init` as a deployment would. Only a contract whose interface declares it needs that.
   * @param args see {@link call}
   * @throws ContractError `call_failed` unless it succeeds
   * @throws JsonDecodeError for arguments that the interface does not take
   */
  init(args: unknown, options: SandboxCall = {}): CallOutcome {
    return this.#succeed('init', this.outcome('init', args, options, { purpose: 'deploy' }));
  }

  /**
   * Calls a method or view.
   * @param name of the method or view
   * @param args JSON values of the interface: an object by name, or a list by position
   * @returns the result as a JSON value: u128, and u64 above 2^53 − 1, are text; null if the function returns nothing
   * @throws ContractError `call_failed` unless it succeeds; the message has the reason and, if known, the lines
   * @throws AbiError `unknown_function`
   * @throws JsonDecodeError for arguments that the interface does not take
   */
  call(name: string, args: unknown = {}, options: SandboxCall = {}): JsonValue {
    const outcome = this.#succeed(name, this.outcome(name, args, options));
    return this.abi.function(name).decodeResult(outcome.output);
  }

  /**
   * Calls a function that must revert.
   * @returns the interface's error, or else the revert text
   * @throws ContractError `call_failed` if the call ends in any other way
   */
  failure(name: string, args: unknown = {}, options: SandboxCall = {}): Decoded | string {
    const outcome = this.outcome(name, args, options);
    if (outcome.status !== 'reverted') {
      const why = outcome.trap === undefined ? '' : `: ${outcome.trap.message}`;
      const stack = stackText(this.sandbox.stackOf(outcome));
      const reason = `${name}: expected a revert, got ${outcome.status}${why}${stack}`;
      throw new ContractError('call_failed', reason);
    }
    return this.revertOf(outcome);
  }

  /**
   * Calls a function and returns its outcome, successful or not: status, gas, output, trap.
   * @param frame more of the frame than a {@link SandboxCall} has, such as `{ purpose: 'upgrade' }` for `migrate`
   */
  outcome(
    name: string,
    args: unknown = {},
    options: SandboxCall = {},
    frame: Partial<Frame> = {},
  ): CallOutcome {
    const definition = this.abi.function(name);
    return this.sandbox.run(this.at, {
      input: definition.encodeCall(args),
      isView: definition.kind === 'view',
      ...(options.from !== undefined && { caller: options.from, origin: options.from }),
      ...(options.value !== undefined && { value: options.value }),
      ...(options.gas !== undefined && { gas: options.gas }),
      ...frame,
    });
  }

  /** The reason of a reverted outcome: an error of the interface, or else text. */
  revertOf(outcome: CallOutcome): Decoded | string {
    return this.abi.decodeError(outcome.output) ?? new TextDecoder().decode(outcome.output);
  }

  /**
   * This contract's events, oldest first, with fields as JSON values.
   * @param from how many of the first events to leave out
   * @returns undefined in place of an event that its interface does not declare
   */
  events(from = 0): readonly (Decoded | undefined)[] {
    const own = toHex(this.at);
    return this.sandbox.logs
      .filter(({ contract }) => contract === own)
      .slice(from)
      .map(({ topics, data }) => this.abi.decodeEvent(topics, data));
  }

  #revertText(outcome: CallOutcome): string {
    const error = this.revertOf(outcome);
    return isDecoded(error) ? decodedText(error) : JSON.stringify(error);
  }

  #succeed(name: string, outcome: CallOutcome): CallOutcome {
    if (outcome.status === 'success') return outcome;
    const why = outcome.trap?.message ?? (outcome.status === 'reverted' ? this.#revertText(outcome) : '');
    const stack = stackText(this.sandbox.stackOf(outcome));
    const reason = why === '' ? '' : `: ${why}`;
    throw new ContractError('call_failed', `${name}: ${outcome.status}${reason}${stack}`);
  }
}

function debugGas(gas: bigint): bigint {
  return gas > MAX_GAS / DEBUG_GAS ? MAX_GAS : gas * DEBUG_GAS;
}

function currentTestRun(): TestRecorder | undefined {
  const folder = processEnvironment()[TEST_RUN_VARIABLE];
  return folder === undefined || folder === '' ? undefined : joinTestRun(folder, process.argv[1]);
}

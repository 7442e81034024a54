import { createHash } from 'node:crypto';
import { loadBls } from '../crypto/load-bls.js';
import { loadCrypto } from '../crypto/load-crypto.js';
import type { ContractAbi, Decoded } from '../idl/abi/contract-abi.js';
import { toHex, toPrefixedHex } from '../idl/hex.js';
import type { JsonValue } from '../idl/json-value.js';
import { OutcomeBytes } from '../ledger/outcome-bytes.js';
import type { BlockFacts, CallObserver, CallOutcome, Frame, HostState, Program } from '../vm/engine.js';
import { createHostCrypto } from '../vm/host-crypto.js';
import { type EngineLimits, LIMITS, STACK_MARGIN } from '../vm/wasm/limits.js';
import { WasmEngine } from '../vm/wasm/wasm-engine.js';
import { ContractError } from './contract-error.js';

/** An event as encoded in a log. */
export interface SandboxLog {
  /** Lowercase hex without prefix, as everywhere in the sandbox. */
  readonly contract: string;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

interface State {
  readonly storage: Map<string, Uint8Array>;
  readonly balances: Map<string, bigint>;
  readonly logs: SandboxLog[];
}

/** Same share of the stack as in workers, but of the main thread's 984 KiB; enough for a few nested calls. */
const SANDBOX_LIMITS: EngineLimits = { ...LIMITS, stackBytes: (984 * 1024) / STACK_MARGIN, depth: 8 };

/** Default gas of a call. */
const PLENTY = 100_000_000n;

/**
 * An in-memory chain for contract tests: the node's engine, with its gas and signature checks, over storage, balances
 * and a clock set by the test. Calls nest at most 8 deep and share 123 KiB of stack. There are no fees and no blocks.
 */
export class ContractSandbox implements HostState {
  /** The block that calls run in. */
  block: BlockFacts = { height: 1n, timestampMs: 1_700_000_000_000n, chainId: 1337n };
  observer: CallObserver | undefined;
  readonly #engine: WasmEngine;
  readonly #programs = new Map<string, Program>();
  #outcome = new OutcomeBytes();
  #state: State = { storage: new Map(), balances: new Map(), logs: [] };

  private constructor(engine: WasmEngine) {
    this.#engine = engine;
  }

  static async create(): Promise<ContractSandbox> {
    const crypto = createHostCrypto(await loadCrypto('auto'), await loadBls('auto'));
    return new ContractSandbox(new WasmEngine({ crypto, limits: SANDBOX_LIMITS }));
  }

  /** All events of successful calls. */
  get logs(): readonly SandboxLog[] {
    return this.#state.logs;
  }

  /** Advances the clock for later calls. */
  passTime(ms: bigint): void {
    this.block = { ...this.block, timestampMs: this.block.timestampMs + ms };
  }

  setBalance(of: Uint8Array, amount: bigint): void {
    this.#state.balances.set(toHex(of), amount);
  }

  /**
   * Deploys a contract at an address, or replaces its code. Does not run `init`.
   * @param at 20 bytes
   * @throws CodeRefused
   */
  deploy(at: Uint8Array, code: Uint8Array, abi: ContractAbi): SandboxContract {
    this.deployCode(at, code);
    return new SandboxContract(this, abi, at);
  }

  /** Like `deploy`, for code without an interface. */
  deployCode(at: Uint8Array, code: Uint8Array): void {
    const codeHash = createHash('sha256').update(code).digest();
    this.#programs.set(toHex(at), this.#engine.load(codeHash, this.#engine.prepare(code)));
  }

  /**
   * Calls a contract as a transaction would: changes are undone unless the call succeeds.
   * @throws ContractError `call_refused` if the contract does not exist, or the caller's balance is below the value
   */
  run(contract: Uint8Array, frame: Partial<Frame> = {}): CallOutcome {
    const caller = frame.caller ?? new Uint8Array(20).fill(0xca);
    const outcome = this.call({
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
    });
    if (outcome === undefined) {
      const has = this.balance(caller);
      const why = this.#programs.has(toHex(contract))
        ? `the caller has ${has}, less than the value of ${frame.value ?? 0n}`
        : `there is no contract at 0x${toHex(contract)}`;
      throw new ContractError('call_refused', why);
    }
    return outcome;
  }

  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#state.storage.get(storageKey(contract, slot));
  }

  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.#state.storage.set(storageKey(contract, slot), value);
    return before;
  }

  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.#state.storage.delete(storageKey(contract, slot));
    return before;
  }

  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.readStorage(contract, slot)?.length;
  }

  balance(of: Uint8Array): bigint {
    return this.#state.balances.get(toHex(of)) ?? 0n;
  }

  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean {
    if (this.balance(from) < amount) return false;
    this.setBalance(from, this.balance(from) - amount);
    this.setBalance(to, this.balance(to) + amount);
    return true;
  }

  call(frame: Frame): CallOutcome | undefined {
    const program = this.#programs.get(toHex(frame.contract));
    const { storage, balances, logs } = this.#state;
    const before = { storage: new Map(storage), balances: new Map(balances), logs: [...logs] };
    if (frame.depth === 0) this.#outcome = new OutcomeBytes();
    const { events } = this.#outcome;
    if (program === undefined || !this.transfer(frame.caller, frame.contract, frame.value)) return undefined;
    const outcome = this.#engine.call(program, frame, this, this.observer);
    if (outcome.status !== 'success') {
      this.#state = before;
      this.#outcome.truncateTo(events);
    }
    return outcome;
  }

  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean {
    if (!this.#outcome.addEvent(topics.length, data.length)) return false;
    this.#state.logs.push({ contract: toHex(contract), topics, data });
    return true;
  }

  holdOutput(bytes: number): boolean {
    return this.#outcome.setOutput(bytes);
  }
}

export interface SandboxCall {
  /** The caller, 20 bytes; 0xca…ca by default. */
  readonly from?: Uint8Array;
  /** Native balance sent with the call. */
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** A contract in a sandbox, called by name with the JSON values of its interface. */
export class SandboxContract {
  readonly sandbox: ContractSandbox;
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
   * Runs `init` as a deployment would.
   * @throws ContractError `call_failed` unless it succeeds
   */
  init(args: unknown, options: SandboxCall = {}): CallOutcome {
    return this.#succeed('init', this.outcome('init', args, options, { purpose: 'deploy' }));
  }

  /**
   * Calls a method or view and returns its result.
   * @throws ContractError `call_failed` unless it succeeds
   */
  call(name: string, args: unknown = {}, options: SandboxCall = {}): JsonValue {
    const outcome = this.#succeed(name, this.outcome(name, args, options));
    return this.abi.function(name).decodeResult(outcome.output);
  }

  /**
   * Calls a function that must revert; returns the interface's error, or else the revert text.
   * @throws ContractError `call_failed` if the call ends in any other way
   */
  failure(name: string, args: unknown = {}, options: SandboxCall = {}): Decoded | string {
    const outcome = this.outcome(name, args, options);
    if (outcome.status !== 'reverted') {
      const why = outcome.trap === undefined ? '' : `: ${outcome.trap.message}`;
      throw new ContractError('call_failed', `${name}: expected a revert, got ${outcome.status}${why}`);
    }
    return this.revertOf(outcome);
  }

  /** Calls a function and returns its outcome, successful or not. */
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

  /** The revert reason of an outcome: an error of the interface, or else text. */
  revertOf(outcome: CallOutcome): Decoded | string {
    return this.abi.decodeError(outcome.output) ?? new TextDecoder().decode(outcome.output);
  }

  /** This contract's events from index `from` on; undefined for those unknown to its interface. */
  events(from = 0): readonly (Decoded | undefined)[] {
    const own = toHex(this.at);
    return this.sandbox.logs
      .filter(({ contract }) => contract === own)
      .slice(from)
      .map(({ topics, data }) => this.abi.decodeEvent(topics, data));
  }

  #succeed(name: string, outcome: CallOutcome): CallOutcome {
    if (outcome.status === 'success') return outcome;
    const why =
      outcome.trap?.message ?? (outcome.status === 'reverted' ? JSON.stringify(this.revertOf(outcome)) : '');
    throw new ContractError('call_failed', `${name}: ${outcome.status}${why === '' ? '' : `: ${why}`}`);
  }
}

function storageKey(contract: Uint8Array, slot: Uint8Array): string {
  return `${toHex(contract)}/${toHex(slot)}`;
}

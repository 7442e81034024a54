import type { ContractAbi, Decoded } from '../idl/abi/contract-abi.js';
import type { JsonValue } from '../idl/json-value.js';
import type { CallOutcome, Frame } from '../vm/engine.js';
import { ContractError } from './contract-error.js';
import type { ContractSandbox } from './sandbox.js';

export interface SandboxCall {
  /** Who calls, 20 bytes; 0xca…ca if absent. */
  readonly from?: Uint8Array;
  /** Native balance sent along. */
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** A contract in a sandbox, called by the names and with the JSON values of its interface. */
export class SandboxContract {
  readonly sandbox: ContractSandbox;
  readonly abi: ContractAbi;
  /** Its address, 20 bytes. */
  readonly at: Uint8Array;

  constructor(sandbox: ContractSandbox, abi: ContractAbi, at: Uint8Array) {
    this.sandbox = sandbox;
    this.abi = abi;
    this.at = at;
  }

  /** Its address as JSON has it. */
  get address(): string {
    return `0x${Buffer.from(this.at).toString('hex')}`;
  }

  /**
   * Runs `init`, as a deployment does.
   * @throws ContractError `call_failed` unless it succeeds
   */
  init(args: unknown, options: SandboxCall = {}): CallOutcome {
    return this.#succeed('init', this.outcome('init', args, options, { purpose: 'deploy' }));
  }

  /**
   * The result of a method or view.
   * @throws ContractError `call_failed` unless it succeeds
   */
  call(name: string, args: unknown = {}, options: SandboxCall = {}): JsonValue {
    const outcome = this.#succeed(name, this.outcome(name, args, options));
    return this.abi.function(name).decodeResult(outcome.output);
  }

  /**
   * The error of the interface, or the text, that a call reverts with.
   * @throws ContractError `call_failed` where it ends in any other way
   */
  failure(name: string, args: unknown = {}, options: SandboxCall = {}): Decoded | string {
    const outcome = this.outcome(name, args, options);
    if (outcome.status !== 'reverted') {
      const why = outcome.trap === undefined ? '' : `: ${outcome.trap.message}`;
      throw new ContractError('call_failed', `${name}: expected a revert, got ${outcome.status}${why}`);
    }
    return this.revertOf(outcome);
  }

  /** How a call ends, whichever way that is. */
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

  /** What an outcome reverted with: an error of the interface, else text. */
  revertOf(outcome: CallOutcome): Decoded | string {
    return this.abi.decodeError(outcome.output) ?? new TextDecoder().decode(outcome.output);
  }

  /** This contract's events, from the given one on; undefined for those that its interface does not know. */
  events(from = 0): readonly (Decoded | undefined)[] {
    const own = Buffer.from(this.at).toString('hex');
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

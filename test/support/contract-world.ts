import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileIdl } from '../../src/idl/compile.js';
import { type ContractAbi, compileContract, type Decoded } from '../../src/idl/contract-abi.js';
import type { JsonValue } from '../../src/idl/json-value.js';
import type { BlockFacts, CallOutcome, Frame } from '../../src/vm/engine.js';
import { LIMITS } from '../../src/vm/wasm/limits.js';
import { packageRoot } from './package-root.js';
import { hex, testHostCrypto, VmWorld } from './vm-world.js';

export const CONTRACTS = join(packageRoot(import.meta.url), 'contracts');

export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** An address as the interfaces' JSON has it. */
export function addressText(of: Uint8Array): string {
  return `0x${hex(of)}`;
}

export interface CallOptions {
  /** By default 0xca…ca. */
  readonly from?: Uint8Array;
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** A world whose clock the test moves. */
export class ContractWorld extends VmWorld {
  override block: BlockFacts = { height: 7n, timestampMs: 1_700_000_000_000n, chainId: 1337n };

  passTime(ms: bigint): void {
    this.block = { ...this.block, timestampMs: this.block.timestampMs + ms };
  }
}

export async function newWorld(): Promise<ContractWorld> {
  // Few calls are nested here, so that each may have more of the thread's stack.
  return new ContractWorld(await testHostCrypto(), { ...LIMITS, stackBytes: 64 * 1024 });
}

/** A contract in a world, called by the names and JSON values of its interface. */
export class DeployedContract {
  readonly abi: ContractAbi;
  readonly at: Uint8Array;
  readonly world: VmWorld;

  constructor(world: VmWorld, abi: ContractAbi, code: Uint8Array, at: Uint8Array) {
    this.world = world;
    this.abi = abi;
    this.at = at;
    world.deploy(at, code);
  }

  /** One of the examples, as it lies compiled in the folder `contracts`. */
  static example(world: VmWorld, name: string, at: Uint8Array): DeployedContract {
    return new DeployedContract(world, contractAbi(name), contractCode(name), at);
  }

  /** Runs `init`, which has to succeed. */
  init(args: unknown, options: CallOptions = {}): CallOutcome {
    return this.#succeed('init', this.outcome('init', args, options, { entry: 'init' }));
  }

  /** Calls a method or view by name, as its IDL declares it. */
  outcome(
    name: string,
    args: unknown = {},
    options: CallOptions = {},
    frame: Partial<Frame> = {},
  ): CallOutcome {
    const { abi, world } = this;
    const definition = abi.function(name);
    return world.run(this.at, {
      input: definition.encodeCall(args),
      isView: definition.kind === 'view',
      ...(options.from !== undefined && { caller: options.from, origin: options.from }),
      ...(options.value !== undefined && { value: options.value }),
      ...(options.gas !== undefined && { gas: options.gas }),
      ...frame,
    });
  }

  /** The result of a call that has to succeed. */
  call(name: string, args: unknown = {}, options: CallOptions = {}): JsonValue {
    const outcome = this.#succeed(name, this.outcome(name, args, options));
    return this.abi.function(name).decodeResult(outcome.output);
  }

  /** The error of the interface, or the text, that a call has to revert with. */
  failure(name: string, args: unknown = {}, options: CallOptions = {}): Decoded | string {
    const outcome = this.outcome(name, args, options);
    assert.equal(outcome.status, 'reverted', `${name}: ${outcome.trap?.message ?? ''}`);
    return this.revertOf(outcome);
  }

  revertOf(outcome: CallOutcome): Decoded | string {
    return this.abi.decodeError(outcome.output) ?? new TextDecoder().decode(outcome.output);
  }

  /** This contract's events so far, from the given one on. */
  events(from = 0): readonly (Decoded | undefined)[] {
    return this.world.logs
      .filter((log) => log.contract === hex(this.at))
      .slice(from)
      .map(({ topics, data }) => this.abi.decodeEvent(topics.map(bytesOfHex), bytesOfHex(data)));
  }

  #succeed(name: string, outcome: CallOutcome): CallOutcome {
    const why = outcome.trap?.message ?? JSON.stringify(this.revertOf(outcome));
    assert.equal(outcome.status, 'success', `${name}: ${outcome.status}: ${why}`);
    return outcome;
  }
}

export function contractCode(name: string): Uint8Array {
  return readFileSync(join(CONTRACTS, name, `${name}.wasm`));
}

export function contractAbi(name: string): ContractAbi {
  return abiOf(join(CONTRACTS, name, `${name}.idl`));
}

export function abiOf(path: string): ContractAbi {
  const { manifest } = compileIdl([{ name: path, text: readFileSync(path, 'utf8') }]);
  return compileContract(manifest, sha256);
}

export function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));
}

import { sameBytes } from '../../base/same-bytes.js';
import type { BlockOverride, BlockRef, StateOverride } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { addressName } from '../../ledger/address-names.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { StateSource } from '../state-source.js';
import type { BatchHead } from '../views/batched-calls.js';
import { Overlay } from '../views/overlay.js';
import { applyOverrides, overriddenBlock } from '../views/overrides.js';
import type { StateBlock } from '../views/state-reference.js';
import type { StateCallParts } from '../views/view-runner.js';
import { WorldState } from '../world-state.js';

const NO_INTERFACES: ReadonlyMap<string, ContractAbi> = new Map();

export interface ContextOverrides {
  readonly overrides?: readonly StateOverride[];
  readonly block_override?: BlockOverride;
}

/** The state and the block of one simulation. Absorbed writes and overrides last until it ends. */
export class SimulationContext {
  /** The block whose state the simulation began with. */
  readonly block: StateBlock;
  /** The block that contains the transactions. */
  env: BlockEnvironment;
  /** Interfaces that came with overrides, by the contract's address. */
  given = NO_INTERFACES;
  #source: StateSource;
  #overlay: Overlay | undefined;
  #gasUsed = 0n;
  /** Compiled interfaces of the texts that simulated deployments brought, by hash. */
  readonly #brought = new Map<string, ContractAbi | 'invalid'>();

  /** @throws CallError, StateUnavailableError */
  constructor(
    readonly parts: StateCallParts,
    at: BlockRef | undefined,
    head: BatchHead,
  ) {
    const { states } = parts;
    const referred = at === undefined ? states.latest(head) : states.find(at, head);
    this.block = referred.block;
    this.env = states.blockAfter(referred, head);
    this.#source = referred.source;
  }

  get source(): StateSource {
    return this.#source;
  }

  /** The block's gas that the included transactions have not used. */
  get gasLeft(): bigint {
    return this.env.gasLimit - this.#gasUsed;
  }

  /** Overrides parts of the state and the block. @param path of the object with them @throws CallError */
  override({ overrides, block_override }: ContextOverrides, path: string): void {
    if (overrides !== undefined) {
      const { machine, interfaces, gas } = this.parts;
      const state = new WorldState(this.#source);
      const maxGas = BigInt(gas.limit);
      const effects = applyOverrides(overrides, { state, machine, path, interfaces, maxGas, gas });
      gas.deduct(effects.gas);
      if (effects.interfaces.size > 0) this.given = new Map([...this.given, ...effects.interfaces]);
      this.absorb(state);
    }
    if (block_override !== undefined) this.env = overriddenBlock(this.env, block_override);
  }

  absorb(state: WorldState): void {
    this.#overlay ??= new Overlay(this.#source);
    this.#overlay.absorb(state);
    this.#source = this.#overlay;
  }

  /** Absorbs the writes of a transaction, and counts its gas. */
  include(state: WorldState, gasUsed: bigint): void {
    this.absorb(state);
    this.#gasUsed += gasUsed;
  }

  /** Returns the interface of a contract in a state on top of this one. */
  abiOf(contract: Uint8Array, state: WorldState): ContractAbi | undefined {
    const name = addressName(contract);
    const given = this.given.get(name);
    if (given !== undefined) return given;
    const { contract: record } = state.account(name);
    if (record?.idl_hash === undefined) return undefined;
    // The chain does not have the texts that a simulation adds.
    const text = broughtText(state, record.idl_hash) ?? this.#overlay?.idl(record.idl_hash);
    return text === undefined ? this.parts.interfaces.stored(record) : this.#compiled(record.idl_hash, text);
  }

  #compiled(hash: Uint8Array, text: Uint8Array): ContractAbi | undefined {
    const name = toHex(hash);
    let abi = this.#brought.get(name);
    if (abi === undefined) {
      abi = this.parts.interfaces.compileUnchecked(new TextDecoder().decode(text)) ?? 'invalid';
      this.#brought.set(name, abi);
    }
    return abi === 'invalid' ? undefined : abi;
  }
}

function broughtText(state: WorldState, hash: Uint8Array): Uint8Array | undefined {
  return state.idls().find((blob) => sameBytes(blob.hash, hash))?.bytes;
}

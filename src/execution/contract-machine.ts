import type { Sha256 } from '../crypto/crypto.js';
import type { ContractRecord } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { machineCodeGas } from '../ledger/gas.js';
import type { CheckedCode, CodeOrigin, Engine, PrepareVariant, Program, VmName } from '../vm/engine.js';
import type { EngineRegistry } from '../vm/engine-registry.js';
import { CodeRefused } from '../vm/errors.js';
import type { CommittedHash } from './block-environment.js';
import { ColdContractError } from './cold-contract-error.js';
import type { PreparedCode } from './state-writes.js';
import type { WorldState } from './world-state.js';

export interface CodeToAdmit {
  /** The kind of code; its engine must exist. */
  readonly vm: VmName;
  readonly code: Uint8Array;
  /** `given` if absent. */
  readonly origin?: CodeOrigin;
}

export interface AdmittedProgram {
  readonly vm: VmName;
  /** sha256 of the code. */
  readonly hash: Uint8Array;
  readonly program: Program;
  readonly gas: bigint;
  readonly prepared?: PreparedCode;
}

/** Code that costs more gas to compile than is left. */
export interface UnaffordableCode {
  readonly gas: bigint;
}

/** be32(version of preparation) ‖ code hash. */
function preparedKey(codeHash: Uint8Array, version: number): Uint8Array {
  const key = new Uint8Array(4 + codeHash.length);
  new DataView(key.buffer).setUint32(0, version);
  key.set(codeHash, 4);
  return key;
}

const MAX_MACHINE_CODES = 16_384;

export interface ContractMachineOptions {
  readonly engines: EngineRegistry;
  readonly crypto: Sha256;
  /** Reads column `prepared`. */
  readonly prepared: (key: Uint8Array) => Uint8Array | undefined;
  readonly committedHash: CommittedHash;
  /** Whether calls may load code; otherwise only {@link ContractMachine.warmUp} does. True if absent. */
  readonly loadsOnDemand?: boolean;
}

/** Runs contracts in this thread: owns the engines and loads their programs. */
export class ContractMachine {
  readonly engines: EngineRegistry;
  readonly crypto: Sha256;
  readonly committedHash: CommittedHash;
  /** Machine code sizes by VM and hash: callers that cannot pay for cold code may repeat the lookup. */
  readonly #machineCodes = new Map<string, number>();
  readonly #prepared: (key: Uint8Array) => Uint8Array | undefined;
  readonly #loadsOnDemand: boolean;

  constructor({ engines, crypto, prepared, committedHash, loadsOnDemand = true }: ContractMachineOptions) {
    this.#loadsOnDemand = loadsOnDemand;
    this.engines = engines;
    this.crypto = crypto;
    this.committedHash = committedHash;
    this.#prepared = prepared;
  }

  /**
   * Checks code to be deployed, paid for by its bytes, and makes its program if `gasLeft` pays for its machine code.
   * @returns the program, with its prepared code unless already loaded; or the reason for refusal
   */
  admit(
    { vm, code, origin = 'given' }: CodeToAdmit,
    gasLeft: bigint,
  ): AdmittedProgram | UnaffordableCode | CodeRefused {
    const engine = this.engines.of(vm);
    const hash = this.crypto.sha256(code);
    const loaded = engine.find(hash);
    // Code that returns other code follows different rules from the code it returns.
    if (loaded !== undefined && (origin === 'given' || loaded.onDeploy !== 'returns_code')) {
      const gas = machineCodeGas(loaded.machineCode);
      return gas > gasLeft ? { gas } : { vm, hash, gas, program: loaded };
    }
    const checked = check(engine, code, origin);
    if (checked instanceof CodeRefused) return checked;
    const gas = machineCodeGas(checked.machineCode);
    if (gas > gasLeft) return { gas };
    const prepared = checked.prepare();
    const key = preparedKey(hash, engine.preparedVersion);
    return { vm, hash, gas, program: engine.load(hash, prepared), prepared: { key, bytes: prepared } };
  }

  /**
   * Returns the prepared code to store with deployed code, or undefined if it is stored. That of a loaded program may
   * not be: it may have come with a call's overrides, or with a failed deployment.
   */
  preparedToStore({ vm, hash, prepared }: AdmittedProgram, code: Uint8Array): PreparedCode | undefined {
    if (prepared !== undefined) return prepared;
    const engine = this.engines.of(vm);
    const key = preparedKey(hash, engine.preparedVersion);
    return this.#prepared(key) === undefined ? { key, bytes: engine.validate(code).prepare() } : undefined;
  }

  /** Makes the program of a contract whose code this thread has not loaded. @throws ColdContractError */
  load(contract: ContractRecord, state: WorldState, variant?: PrepareVariant): Program {
    if (!this.#loadsOnDemand) throw new ColdContractError(contract);
    return this.warmUp(contract, state, variant);
  }

  /**
   * Makes the program of a contract whose code this thread has not loaded, even if calls may not load code.
   * @param state has the code, in case no prepared code is stored
   */
  warmUp(
    { vm, code_hash: codeHash }: ContractRecord,
    state: WorldState,
    variant: PrepareVariant = 'plain',
  ): Program {
    const engine = this.engines.of(vm.type);
    // Only plain code is stored; observed code is for traces.
    const kept = variant === 'plain' ? this.#kept(engine, codeHash) : undefined;
    return engine.load(codeHash, kept ?? engine.validate(codeOf(codeHash, state)).prepare(variant), variant);
  }

  /** Returns the machine code size, in bytes, of code on the chain, without compiling it. */
  machineCode(vm: VmName, codeHash: Uint8Array, state: WorldState): number {
    const engine = this.engines.of(vm);
    const loaded = engine.find(codeHash);
    if (loaded !== undefined) return loaded.machineCode;
    const name = `${vm} ${toHex(codeHash)}`;
    const known = this.#machineCodes.get(name);
    if (known !== undefined) return known;
    const kept = this.#kept(engine, codeHash);
    const { machineCode } =
      kept === undefined ? engine.validate(codeOf(codeHash, state), 'returned') : engine.inspect(kept);
    if (this.#machineCodes.size >= MAX_MACHINE_CODES) this.#machineCodes.clear();
    this.#machineCodes.set(name, machineCode);
    return machineCode;
  }

  #kept(engine: Engine, codeHash: Uint8Array): Uint8Array | undefined {
    return this.#prepared(preparedKey(codeHash, engine.preparedVersion));
  }
}

function check(engine: Engine, code: Uint8Array, origin: CodeOrigin): CheckedCode | CodeRefused {
  try {
    return engine.validate(code, origin);
  } catch (error) {
    if (error instanceof CodeRefused) return error;
    throw error;
  }
}

function codeOf(codeHash: Uint8Array, state: WorldState): Uint8Array {
  const code = state.code(codeHash);
  if (code === undefined) throw new Error(`an account names code ${toHex(codeHash)}, which is not stored`);
  return code;
}

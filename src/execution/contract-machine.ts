import type { Crypto } from '../crypto/crypto.js';
import { toHex } from '../idl/hex.js';
import { machineCodeGas } from '../ledger/gas.js';
import type { CallObserver, CheckedCode, Engine, PrepareVariant, Program } from '../vm/engine.js';
import { CodeRefused } from '../vm/errors.js';
import type { BlockEnvironment } from './block-environment.js';
import type { PreparedCode } from './code-blob.js';
import { ContractHost } from './contract-host.js';
import type { WorldState } from './world-state.js';

/** Code that the engine takes. */
export interface AdmittedProgram {
  /** sha256 of the code. */
  readonly hash: Uint8Array;
  readonly program: Program;
  /** What compiling it costs. */
  readonly gas: bigint;
  readonly prepared?: PreparedCode;
}

/** Code whose compilation costs more gas than there is. */
export interface UnpaidCode {
  /** What it costs. */
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

/** What runs contracts in this thread: the engine, and where its programs come from. */
export class ContractMachine {
  /** By code hash. Who cannot pay for cold code asks what it costs again and again: it is found out once. */
  readonly #machineCodes = new Map<string, number>();
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly #engine: Engine;
  readonly #prepared: (key: Uint8Array) => Uint8Array | undefined;

  /** @param prepared what column `prepared` has */
  constructor(
    engine: Engine,
    crypto: Pick<Crypto, 'sha256'>,
    prepared: (key: Uint8Array) => Uint8Array | undefined,
  ) {
    this.#engine = engine;
    this.crypto = crypto;
    this.#prepared = prepared;
  }

  host(state: WorldState, env: BlockEnvironment, observer?: CallObserver): ContractHost {
    return new ContractHost({
      state,
      env,
      engine: this.#engine,
      programs: {
        find: (codeHash) => this.#engine.find(codeHash, observer?.variant),
        load: (codeHash) => this.#load(codeHash, state, observer?.variant),
        machineCode: (codeHash) => this.#machineCode(codeHash, state),
      },
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /**
   * Checks code that is to be put on the chain and makes its program. That the code is looked at has been paid by its
   * bytes; what goes by its machine code is done only where `gasLeft` pays for it.
   * @returns the program with what it was made of, where that was not at hand already; or why there is none
   */
  admit(code: Uint8Array, gasLeft: bigint): AdmittedProgram | UnpaidCode | CodeRefused {
    const hash = this.crypto.sha256(code);
    const loaded = this.#engine.find(hash);
    if (loaded !== undefined) {
      const gas = machineCodeGas(loaded.machineCode);
      return gas > gasLeft ? { gas } : { hash, gas, program: loaded };
    }
    const checked = this.#check(code);
    if (checked instanceof CodeRefused) return checked;
    const gas = machineCodeGas(checked.machineCode);
    if (gas > gasLeft) return { gas };
    const prepared = checked.prepare();
    const key = preparedKey(hash, this.#engine.preparedVersion);
    return { hash, gas, program: this.#engine.load(hash, prepared), prepared: { key, bytes: prepared } };
  }

  /**
   * What threads load code by that is put on the chain. A program at hand says nothing of it: its code may have come with a
   * call's overrides, or with a deployment that failed.
   * @returns undefined where it is kept already
   */
  toKeep({ hash, prepared }: AdmittedProgram, code: Uint8Array): PreparedCode | undefined {
    if (prepared !== undefined) return prepared;
    const key = preparedKey(hash, this.#engine.preparedVersion);
    return this.#prepared(key) === undefined ? { key, bytes: this.#engine.prepare(code) } : undefined;
  }

  #check(code: Uint8Array): CheckedCode | CodeRefused {
    try {
      return this.#engine.validate(code);
    } catch (error) {
      if (error instanceof CodeRefused) return error;
      throw error;
    }
  }

  #load(codeHash: Uint8Array, state: WorldState, variant: PrepareVariant = 'plain'): Program {
    // Only plain code is worth keeping: the other is for traces.
    const kept = variant === 'plain' ? this.#kept(codeHash) : undefined;
    return this.#engine.load(codeHash, kept ?? this.#prepare(codeHash, state, variant), variant);
  }

  /** The machine code of code that is on the chain, without compiling it. */
  #machineCode(codeHash: Uint8Array, state: WorldState): number {
    const loaded = this.#engine.find(codeHash);
    if (loaded !== undefined) return loaded.machineCode;
    const name = toHex(codeHash);
    const known = this.#machineCodes.get(name);
    if (known !== undefined) return known;
    const kept = this.#kept(codeHash);
    const { machineCode } =
      kept === undefined ? this.#engine.validate(this.#code(codeHash, state)) : this.#engine.inspect(kept);
    if (this.#machineCodes.size >= MAX_MACHINE_CODES) this.#machineCodes.clear();
    this.#machineCodes.set(name, machineCode);
    return machineCode;
  }

  #kept(codeHash: Uint8Array): Uint8Array | undefined {
    return this.#prepared(preparedKey(codeHash, this.#engine.preparedVersion));
  }

  #prepare(codeHash: Uint8Array, state: WorldState, variant: PrepareVariant): Uint8Array {
    return this.#engine.prepare(this.#code(codeHash, state), variant);
  }

  #code(codeHash: Uint8Array, state: WorldState): Uint8Array {
    const code = state.code(codeHash);
    if (code === undefined) {
      throw new Error(`code ${Buffer.from(codeHash).toString('hex')} is named by an account but not stored`);
    }
    return code;
  }
}

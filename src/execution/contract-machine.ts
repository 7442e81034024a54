import type { Crypto } from '../crypto/crypto.js';
import type { CallObserver, Engine, PrepareVariant, Program } from '../vm/engine.js';
import { ModuleRefused } from '../vm/errors.js';
import type { PreparedCode } from './blob.js';
import type { BlockEnvironment } from './block-environment.js';
import { ContractHost } from './contract-host.js';
import type { WorldState } from './world-state.js';

/** Code that the engine takes. */
export interface AdmittedProgram {
  /** sha256 of the code. */
  readonly hash: Uint8Array;
  readonly program: Program;
  readonly prepared?: PreparedCode;
}

/** be32(version of preparation) ‖ code hash. */
function preparedKey(codeHash: Uint8Array, version: number): Uint8Array {
  const key = new Uint8Array(4 + codeHash.length);
  new DataView(key.buffer).setUint32(0, version);
  key.set(codeHash, 4);
  return key;
}

/** What runs contracts in this thread: the engine, and where its programs come from. */
export class ContractMachine {
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
      programOf: (codeHash) => this.program(codeHash, state, observer?.variant),
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /**
   * Checks code that is to be put on the chain and makes its program.
   * @returns the program with what it was made of, where that was not at hand already; or why the code is refused
   */
  admit(code: Uint8Array): AdmittedProgram | ModuleRefused {
    const hash = this.crypto.sha256(code);
    const loaded = this.#engine.find(hash);
    if (loaded !== undefined) return { hash, program: loaded };
    try {
      const prepared = this.#engine.prepare(code);
      const key = preparedKey(hash, this.#engine.preparedVersion);
      return { hash, program: this.#engine.load(hash, prepared), prepared: { key, bytes: prepared } };
    } catch (error) {
      if (error instanceof ModuleRefused) return error;
      throw error;
    }
  }

  /** The program of code that is on the chain. */
  program(codeHash: Uint8Array, state: WorldState, variant: PrepareVariant = 'plain'): Program {
    const loaded = this.#engine.find(codeHash, variant);
    if (loaded !== undefined) return loaded;
    // Only plain code is worth keeping: the other is for traces.
    const kept =
      variant === 'plain' ? this.#prepared(preparedKey(codeHash, this.#engine.preparedVersion)) : undefined;
    return this.#engine.load(codeHash, kept ?? this.#prepare(codeHash, state, variant), variant);
  }

  #prepare(codeHash: Uint8Array, state: WorldState, variant: PrepareVariant): Uint8Array {
    const code = state.code(codeHash);
    if (code === undefined) {
      throw new Error(`code ${Buffer.from(codeHash).toString('hex')} is named by an account but not stored`);
    }
    return this.#engine.prepare(code, variant);
  }
}

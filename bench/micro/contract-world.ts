import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Frame } from '../../src/vm/engine.js';
import { createHostCrypto } from '../../src/vm/host-crypto.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { assemble } from '../../test/support/contracts/wasm-assembler.js';
import { address, VmWorld } from '../../test/support/worlds/vm-world.js';

/** A world whose slots all hold one value, so that it costs next to nothing beside the engine. */
class ConstantWorld extends VmWorld {
  readonly #value = new Uint8Array(16).fill(5);

  override readStorage(): Uint8Array {
    return this.#value;
  }

  override writeStorage(): number {
    return this.#value.length;
  }
}

/** @param pages of memory; 0 for none, and thus no data */
export interface ContractOptions {
  readonly pages?: number;
  readonly imports?: readonly string[];
  readonly isView?: boolean;
}

/** Contracts on a world in memory, called without a node around them. */
export class ContractCalls {
  readonly #world: ConstantWorld;

  private constructor(world: ConstantWorld) {
    this.#world = world;
  }

  static async open(): Promise<ContractCalls> {
    const crypto = createHostCrypto(await loadCrypto('auto'), await loadBls('auto'));
    return new ContractCalls(new ConstantWorld(crypto, LIMITS));
  }

  /** Puts a contract at the address that is stored at the beginning of each contract's memory. */
  deployOther(code: string): void {
    this.#world.deploy(OTHER, moduleOf(code, {}));
  }

  /** Returns a function that calls a new contract once. */
  calling(code: string, options: ContractOptions = {}): () => void {
    const program = this.#world.deploy(address(1), moduleOf(code, options));
    const frame: Frame = {
      purpose: 'call',
      contract: address(1),
      caller: address(3),
      origin: address(3),
      value: 0n,
      input: new Uint8Array(36),
      gas: 1_000_000_000n,
      isView: options.isView ?? true,
      depth: 0,
    };
    return () => {
      const { status } = this.#world.engine.call(program, frame, this.#world);
      if (status !== 'success') throw new Error(`the contract ended with ${status}`);
    };
  }
}

const OTHER = address(2);

/**
 * Returns the same contract as a bare function: an instance without metering.
 * @param hostFunction serves every import
 */
export function bareCall(
  code: string,
  options: ContractOptions = {},
  hostFunction: () => number = () => 0,
): () => unknown {
  const module = new WebAssembly.Module(Uint8Array.from(moduleOf(code, options)));
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = hostFunction;
  }
  const { invoke } = new WebAssembly.Instance(module, imports).exports;
  if (typeof invoke !== 'function') throw new TypeError('the contract exports no function invoke');
  return () => invoke();
}

function moduleOf(code: string, { pages = 1, imports = [] }: ContractOptions): Uint8Array {
  return assemble({
    imports,
    memory: [pages],
    data: pages === 0 ? [] : [{ at: 0, bytes: OTHER }],
    functions: [{ name: 'invoke', type: '>i', locals: 'ij', code }],
  });
}

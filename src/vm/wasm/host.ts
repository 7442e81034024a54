import { EngineError } from '../errors.js';
import type { HostCrypto } from '../host-crypto.js';
import type { Activation } from './activation.js';
import { bindHostFunctions, HOST_MODULE } from './host-interface.js';
import type { EngineLimits } from './limits.js';
import { OBSERVER_IMPORTS } from './metered-interface.js';
import { functionLabel } from './traps.js';

/**
 * The host interface as instances import it. All instances of a thread share one set of functions, which serve the
 * running frame: execution is synchronous, so there is only one at a time.
 *
 * A host function refuses by throwing a `HostTrap` or `RevertSignal` through the contract, which cannot catch it; the
 * engine handles it at the frame's entry.
 */
export class Host {
  readonly imports: WebAssembly.Imports;
  #active: Activation | undefined;

  constructor(crypto: HostCrypto, limits: EngineLimits) {
    this.imports = {
      [HOST_MODULE]: bindHostFunctions({ active: () => this.#expectActive(), crypto, limits }),
      [OBSERVER_IMPORTS.module]: {
        [OBSERVER_IMPORTS.enter]: (index: number, gas: bigint): void => {
          const { observer, program } = this.#expectActive();
          observer?.functionEntered?.(functionLabel(index, program.names), gas);
        },
        [OBSERVER_IMPORTS.leave]: (index: number, gas: bigint): void => {
          const { observer, program } = this.#expectActive();
          observer?.functionLeft?.(functionLabel(index, program.names), gas);
        },
      },
    };
  }

  /** The running frame, if any. */
  get active(): Activation | undefined {
    return this.#active;
  }

  /**
   * Makes a frame the active one for host functions. When it has ended, pass its parent, or undefined if it has none.
   */
  activate(activation: Activation | undefined): void {
    this.#active = activation;
  }

  #expectActive(): Activation {
    if (this.#active === undefined) {
      throw new EngineError('unexpected_host_behaviour', 'a host function was called outside of any call');
    }
    return this.#active;
  }
}

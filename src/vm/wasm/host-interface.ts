import { I32, I64 } from '../../wasm/opcodes.js';
import { EngineError } from '../errors.js';
import type { HostCrypto } from '../host-crypto.js';
import type { Activation } from './activation.js';
import type { EngineLimits } from './engine-limits.js';
import { BLOCK_FUNCTIONS, EVENT_FUNCTIONS, LOG_FUNCTIONS } from './host-functions/block.js';
import { CALL_FUNCTIONS } from './host-functions/calls.js';
import { CRYPTO_FUNCTIONS } from './host-functions/crypto.js';
import {
  type AnyHostFunction,
  type HostPrice,
  type HostServices,
  priceOf,
  type ValueType,
} from './host-functions/declaration.js';
import { FRAME_FUNCTIONS } from './host-functions/frame.js';
import { STORAGE_FUNCTIONS } from './host-functions/storage.js';
import { OBSERVER_IMPORTS } from './metered-interface.js';
import { functionLabel } from './traps.js';

/** The module name under which contracts import host functions. */
export const HOST_MODULE = 'heddle';

/** The host interface: each function with its types, price and implementation. */
const DECLARATIONS = {
  ...STORAGE_FUNCTIONS,
  ...FRAME_FUNCTIONS,
  ...CALL_FUNCTIONS,
  ...EVENT_FUNCTIONS,
  ...CRYPTO_FUNCTIONS,
  ...BLOCK_FUNCTIONS,
  ...LOG_FUNCTIONS,
} satisfies Record<string, AnyHostFunction>;

export type HostFunctionName = keyof typeof DECLARATIONS;

/** A host function as a contract imports it. */
export interface HostFunction {
  readonly name: HostFunctionName;
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly price: HostPrice;
}

function entries(): readonly (readonly [HostFunctionName, AnyHostFunction])[] {
  return (Object.keys(DECLARATIONS) as HostFunctionName[]).map((name) => [name, DECLARATIONS[name]]);
}

function codeOf(type: ValueType): number {
  return type === 'i32' ? I32 : I64;
}

/** The whole host interface by name. */
export const HOST_FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map(
  entries().map(([name, { params, result, price }]) => [
    name,
    { name, params: params.map(codeOf), results: result === undefined ? [] : [codeOf(result)], price },
  ]),
);

/** Returns a host function that a validated module imports. */
export function hostFunction(name: string): HostFunction {
  const host = HOST_FUNCTIONS.get(name);
  if (host === undefined) throw new TypeError(`${name} is not in the host interface`);
  return host;
}

/**
 * The host interface as instances import it. All instances of a thread share one set of functions, which serve the
 * running frame: execution is synchronous, so there is only one at a time.
 *
 * A host function refuses by throwing a `HostTrap` or `RevertSignal` through the contract, which cannot catch it; the
 * engine handles it at the frame's entry.
 */
export class Host {
  readonly imports: WebAssembly.Imports;
  /** The running frame, which host functions serve. When it has ended, set its parent, or undefined if it has none. */
  active: Activation | undefined;

  constructor(crypto: HostCrypto, limits: EngineLimits) {
    this.imports = {
      [HOST_MODULE]: boundFunctions({ active: () => this.#expectActive(), crypto, limits }),
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

  #expectActive(): Activation {
    if (this.active === undefined) {
      throw new EngineError('unexpected_host_behaviour', 'a host function was called outside of any call');
    }
    return this.active;
  }
}

function boundFunctions(services: HostServices): WebAssembly.ModuleImports {
  const functions: Record<string, WebAssembly.ImportedFunction> = {};
  for (const [name, { price, bind }] of entries()) {
    functions[name] = bind({
      ...services,
      chargeStored: (call: Activation, bytes) => {
        if (bytes > 0) call.charge(BigInt(bytes * (price.perStored ?? 0)));
      },
      report: ({ observer }: Activation, args, shown, result, stored = 0) => {
        const units = typeof result === 'object' && 'length' in result ? result.length : 0;
        const operation = { name, gas: BigInt(priceOf(price, args, units, stored)), args: shown };
        observer?.hostOperation?.(result === undefined ? operation : { ...operation, result });
      },
    });
  }
  return functions;
}

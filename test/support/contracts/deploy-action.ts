import type { Action } from '../../../src/generated/ledger.js';

export interface DeployOptions {
  readonly input?: Uint8Array | undefined;
  readonly idl?: string | undefined;
  /** 0 if absent. */
  readonly value?: bigint | undefined;
  /** The address that may replace the code; none if absent. */
  readonly admin?: Uint8Array | undefined;
}

/** A deployment of WebAssembly. */
export function deployAction(code: Uint8Array, { input, idl, value, admin }: DeployOptions = {}): Action {
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      code,
      ...(idl === undefined ? {} : { idl }),
      abi_version: 1,
      upgrade_policy: admin === undefined ? { type: 'immutable' } : { type: 'admin', value: admin },
      input: input ?? new Uint8Array(0),
      value: value ?? 0n,
    },
  };
}

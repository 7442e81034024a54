import { I32, I64 } from '../../wasm/opcodes.js';
import { HOST_GAS, type HostPrice } from './schedule.js';

/** The module name under which contracts import the host's functions. */
export const HOST_MODULE = 'heddle';

export type HostFunctionName = keyof typeof HOST_GAS;

/** A function of the host as a contract imports it. */
export interface HostFunction {
  readonly name: HostFunctionName;
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly price: HostPrice;
}

/** Types of the host functions: parameters, colon, results; `i` is an i32, `j` an i64. */
const TYPES: Readonly<Record<HostFunctionName, string>> = {
  storage_read: 'iii:i',
  storage_write: 'iii:',
  storage_remove: 'i:i',
  storage_exists: 'i:i',
  input_size: ':i',
  input_read: 'iii:i',
  set_output: 'ii:',
  revert: 'ii:',
  caller: 'i:',
  origin: 'i:',
  self: 'i:',
  value: 'i:',
  balance: 'ii:',
  transfer: 'ii:i',
  call: 'iijii:i',
  view: 'ijii:i',
  returned_size: ':i',
  returned_read: 'iii:i',
  emit: 'iiii:',
  sha256: 'iii:',
  blake3: 'iii:',
  keccak256: 'iii:',
  ed25519_verify: 'iiii:i',
  secp256k1_recover: 'iiii:i',
  bls_verify: 'iiii:i',
  block_height: ':j',
  block_timestamp_ms: ':j',
  chain_id: ':j',
  gas_left: ':j',
  log: 'ii:',
};

function functionsByName(): ReadonlyMap<string, HostFunction> {
  const functions = new Map<string, HostFunction>();
  const codes = (letters: string): number[] => [...letters].map((letter) => (letter === 'i' ? I32 : I64));
  for (const name of Object.keys(TYPES) as HostFunctionName[]) {
    const [params = '', results = ''] = TYPES[name].split(':');
    functions.set(name, { name, params: codes(params), results: codes(results), price: HOST_GAS[name] });
  }
  return functions;
}

/** The whole host interface by name. */
export const HOST_FUNCTIONS = functionsByName();

/** A function of the host that a validated module imports. */
export function hostFunction(name: string): HostFunction {
  const host = HOST_FUNCTIONS.get(name);
  if (host === undefined) throw new TypeError(`${name} is not in the host interface`);
  return host;
}

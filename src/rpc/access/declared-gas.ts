import { CALL_KINDS } from '../../execution/views/batched-calls.js';
import { encodedGasLimit } from '../../ledger/encoded-gas-limit.js';
import { JsonSource } from '../json/json-text.js';

/** The methods that run contracts for their caller: a token's limits of gas and time hold for them. */
export const LIMITED_METHODS: ReadonlySet<string> = new Set([...CALL_KINDS, 'tx_build_simulate']);

/** Longer parameters are not read here, because parsing them would take too long. */
const MAX_READ_LENGTH = 64 * 1024;

/**
 * The gas that a call of a method may use in one run, by the gas limits in its parameters. Workers check the
 * parameters; here, invalid ones count as absent. Further runs, such as those that search for a gas estimate, are
 * counted as they happen.
 * @param params not decoded yet
 * @param defaultGas gas limit of an execution that declares none
 * @returns gas; infinite if unknown
 */
export function declaredGas(method: string, params: unknown, defaultGas: number): number {
  const value = unwrapped(parsed(params));
  if (!isObject(value)) return Number.POSITIVE_INFINITY;
  switch (method) {
    case 'view_call':
    case 'chain_traceCall':
    case 'tx_build_simulate':
      return gasLimitOf(value, defaultGas);
    case 'tx_simulate':
    case 'tx_simulate_access':
    case 'tx_simulate_trace':
      return bringsCode(value) ? Number.POSITIVE_INFINITY : transactionGas(value, defaultGas);
    case 'tx_simulate_pipeline':
      if (bringsCode(value)) return Number.POSITIVE_INFINITY;
      return sum(value['steps'], (step) => stepGas(step, defaultGas));
    case 'chain_simulateBundle':
      if (bringsCode(value)) return Number.POSITIVE_INFINITY;
      return sum(value['transactions'], (encoded) => encodedGas(encoded, defaultGas));
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function parsed(params: unknown): unknown {
  if (!(params instanceof JsonSource)) return params;
  if (params.parsed !== undefined) return params.parsed;
  return params.text.length <= MAX_READ_LENGTH ? JSON.parse(params.text) : undefined;
}

/** The parameters of a method whose only parameter, `args`, may be given by name. */
function unwrapped(value: unknown): unknown {
  const isWrapped = isObject(value) && Object.hasOwn(value, 'args') && Object.keys(value).length === 1;
  return isWrapped ? value['args'] : value;
}

function transactionGas({ transaction, build, encoded }: JsonObject, defaultGas: number): number {
  if (isObject(transaction)) return gasLimitOf(transaction, defaultGas);
  return isObject(build) ? gasLimitOf(build, defaultGas) : encodedGas(encoded, defaultGas);
}

function encodedGas(encoded: unknown, defaultGas: number): number {
  return (typeof encoded === 'string' ? encodedGasLimit(encoded) : undefined) ?? defaultGas;
}

function stepGas(step: unknown, defaultGas: number): number {
  if (!isObject(step) || !isObject(step['value'])) return 0;
  if (bringsCode(step['value'])) return Number.POSITIVE_INFINITY;
  return step['type'] === 'view'
    ? gasLimitOf(step['value'], defaultGas)
    : transactionGas(step['value'], defaultGas);
}

/** True if overrides contain code: its check and compilation use gas beside that of the execution. */
function bringsCode({ overrides }: JsonObject): boolean {
  return (
    Array.isArray(overrides) && overrides.some((entry) => isObject(entry) && entry['code'] !== undefined)
  );
}

function gasLimitOf({ gas_limit: given }: JsonObject, defaultGas: number): number {
  const gas = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN;
  return gas >= 0 ? gas : defaultGas;
}

function sum(list: unknown, gasOf: (entry: unknown) => number): number {
  return Array.isArray(list) ? list.reduce((total: number, entry) => total + gasOf(entry), 0) : 0;
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { benchArguments } from '../support/bench-arguments.js';
import type { TransferLoadOptions } from './transfer-load.js';

/** The name of the way in which transfers are sent. */
export function requestKind({ batch }: Pick<TransferLoadOptions, 'batch'>): string {
  return batch > 0 ? `batches of ${batch}` : 'single requests';
}

/** The shared command line of the transfer benchmarks; `--node-flag=--x` (repeatable) is passed to the node. */
export function transferOptions(
  defaultTransfers: number,
): TransferLoadOptions & { readonly transfers: number } {
  const values = benchArguments({
    transfers: { type: 'string', default: String(defaultTransfers) },
    accounts: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '100' },
    'in-flight': { type: 'string', default: '1' },
    batch: { type: 'string', default: '0' },
    signers: { type: 'string', default: '2' },
    'gas-limit': { type: 'string', default: '25000' },
    'node-flag': { type: 'string', multiple: true, default: [] },
  });
  const number = (
    name: 'transfers' | 'accounts' | 'connections' | 'in-flight' | 'batch' | 'signers' | 'gas-limit',
  ): number => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 0)
      throw new Error(`--${name}: expected a count, got ${values[name]}`);
    return value;
  };
  const accounts = number('accounts');
  return {
    accounts,
    connections: number('connections'),
    inFlight: number('in-flight'),
    batch: number('batch'),
    signers: number('signers'),
    gasLimit: BigInt(number('gas-limit')),
    nodeFlags: values['node-flag'],
    // Whole rounds over the accounts, so that every account sends equally often.
    transfers: Math.max(1, Math.round(number('transfers') / accounts)) * accounts,
  };
}

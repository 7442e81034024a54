import { toHex } from '../../idl/hex.js';
import { codeGas } from '../../ledger/gas.js';
import type { VerifiedTransaction } from '../../ledger/verified-transaction.js';
import { type AccessKeys, accountAccess, READ, WRITTEN } from './access-keys.js';

/** What a transaction did when it was tried. */
export interface Prediction {
  readonly accesses: AccessKeys;
  readonly gas: number;
}

/** What is expected of transactions. It may be wrong: that costs time and nothing else. */
export interface Predictions {
  of(transaction: VerifiedTransaction): Prediction | undefined;
}

/** A call of which nothing is known: a few storage operations. */
const UNKNOWN_CALL_GAS = 100_000;

/** What can be said of a transaction that was not tried. */
export function plainExpectation({ sender, signed }: VerifiedTransaction): Prediction {
  const { action, gas_limit } = signed.transaction;
  const most = Number(gas_limit);
  switch (action.type) {
    case 'transfer':
      return { accesses: new Uint32Array(0), gas: 0 };
    case 'call':
      return expected([contractRead(action.value.contract)], UNKNOWN_CALL_GAS, most);
    case 'batch': {
      const reads = action.value.map(({ contract }) => contractRead(contract));
      return expected(reads, UNKNOWN_CALL_GAS * reads.length, most);
    }
    case 'deploy':
      return expected(
        [accountAccess('deployments', sender, WRITTEN)],
        Number(codeGas(action.value.code)),
        most,
      );
    case 'upgrade': {
      const written = accountAccess('contract', toHex(action.value.contract), WRITTEN);
      return expected([written], Number(codeGas(action.value.code)), most);
    }
  }
}

function contractRead(contract: Uint8Array): number {
  return accountAccess('contract', toHex(contract), READ);
}

function expected(keys: readonly number[], gas: number, most: number): Prediction {
  return { accesses: Uint32Array.from(keys), gas: Math.min(gas, most) };
}

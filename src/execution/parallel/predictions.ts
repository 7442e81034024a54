import { toHex } from '../../idl/hex.js';
import { codeGas, GAS, intrinsicGas, typicalCompileGas } from '../../ledger/gas.js';
import {
  type CandidateAction,
  needsEngine,
  type TransactionEnvelope,
} from '../../ledger/transaction-envelope.js';
import { type AccessKeys, accountAccess, READ, WRITTEN } from './access-keys.js';

/** What a transaction did when it was tried. */
export interface Prediction {
  readonly accesses: AccessKeys;
  readonly gas: number;
}

/** What is expected of transactions. It may be wrong: that costs time and nothing else. */
export interface Predictions {
  of(transaction: TransactionEnvelope): Prediction | undefined;
}

/** A call of which nothing is known: a few storage operations. */
const UNKNOWN_CALL_GAS = 100_000n;

/** A try may use so much gas, some 10 ms; what runs on is predicted by how far it came. */
export const MAX_PREDICTED_GAS = 20_000_000n;

/** What can be said of a transaction that was not tried. */
export function defaultPrediction(transaction: TransactionEnvelope): Prediction {
  const { action, gas_limit: most } = transaction.signed.transaction;
  const gas = Math.min(Number(plainGas(action)), Number(most));
  return { accesses: plainAccesses(transaction), gas };
}

/**
 * What a transaction is expected to use of a block's gas: of a transfer exactly what it does, but for an account that it may
 * open, and of a sealed one what its inclusion does; of the others what they used when they were tried, or what they are known to use at least.
 */
export function expectedGas(transaction: TransactionEnvelope, predictions: Predictions): bigint {
  const { transaction: content } = transaction.signed;
  const { action, nonce, gas_limit: most } = content;
  let gas = intrinsicGas(content);
  if (!needsEngine(transaction.signed)) {
    if (nonce === 0n) gas += GAS.lane_open;
  } else {
    const predicted = predictions.of(transaction);
    if (predicted === undefined) gas += plainGas(action);
    else if (BigInt(predicted.gas) > gas) gas = BigInt(predicted.gas);
    // It would have run on.
    if (predicted !== undefined && gas >= MAX_PREDICTED_GAS) return most;
  }
  if (gas > most) return most;
  return gas;
}

/** What an action is taken to use beside what the transaction costs by itself. */
function plainGas(action: CandidateAction): bigint {
  switch (action.type) {
    case 'transfer':
    case 'sealed':
      return 0n;
    case 'call':
      return UNKNOWN_CALL_GAS;
    case 'batch':
      return UNKNOWN_CALL_GAS * BigInt(action.value.length);
    case 'deploy':
    case 'upgrade':
      return codeGas(action.value.code) + typicalCompileGas(action);
  }
}

function plainAccesses({ sender, signed }: TransactionEnvelope): AccessKeys {
  const { action } = signed.transaction;
  switch (action.type) {
    case 'transfer':
    case 'sealed':
      return new Uint32Array(0);
    case 'call':
      return Uint32Array.of(contractRead(action.value.contract));
    case 'batch':
      return Uint32Array.from(action.value, ({ contract }) => contractRead(contract));
    case 'deploy':
      return Uint32Array.of(accountAccess('deployments', sender, WRITTEN));
    case 'upgrade':
      return Uint32Array.of(accountAccess('contract', toHex(action.value.contract), WRITTEN));
  }
}

function contractRead(contract: Uint8Array): number {
  return accountAccess('contract', toHex(contract), READ);
}

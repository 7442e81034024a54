import { bigMin } from '../../base/big-ints.js';
import { toHex } from '../../idl/hex.js';
import { codeGas, GAS, intrinsicGas, typicalCompileGas } from '../../ledger/gas.js';
import {
  type CandidateAction,
  needsEngine,
  type TransactionEnvelope,
} from '../../ledger/transaction-envelope.js';
import { type AccessKeys, accountAccess, READ, WRITTEN } from './access-keys.js';

/** Accesses and gas of a transaction when it was tried. */
export interface Prediction {
  readonly accesses: AccessKeys;
  readonly gas: number;
}

/** Predicted behavior of transactions. A wrong prediction costs time, not correctness. */
export interface Predictions {
  of(transaction: TransactionEnvelope): Prediction | undefined;
}

/** Default gas for an unknown call: a few storage operations. */
const UNKNOWN_CALL_GAS = 100_000n;

/** Gas limit of a try, some 10 ms; a longer transaction is predicted by its behavior up to that point. */
export const MAX_PREDICTED_GAS = 20_000_000n;

export function defaultPrediction(transaction: TransactionEnvelope): Prediction {
  const { action, gas_limit: most } = transaction.signed.transaction;
  const gas = Math.min(Number(plainGas(action)), Number(most));
  return { accesses: plainAccesses(transaction), gas };
}

/**
 * Returns the gas of a block that a transaction is expected to use: exact for transfers, except for opening an
 * account, and for envelopes; for others, the gas of their try, or a known minimum.
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
    // The try was cut off.
    if (predicted !== undefined && gas >= MAX_PREDICTED_GAS) return most;
  }
  return bigMin(gas, most);
}

/** Returns the default gas of an action, beyond the transaction's intrinsic gas. */
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
      return codeGas(action.value) + typicalCompileGas(action);
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

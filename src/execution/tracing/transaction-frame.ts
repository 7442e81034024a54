import { contractAddress } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { addressedInterfaces } from '../../ledger/queries/action-interfaces.js';
import { actionValue } from '../../ledger/queries/tx-summary.js';
import type { Candidate } from '../../ledger/transaction-envelope.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import type { StateSource } from '../state-source.js';
import type { StateInterfaces } from '../views/state-interfaces.js';
import type { FrameEnd, FrameStart } from './call-tree.js';
import type { InterfaceLookup } from './call-tree-json.js';

const NO_BYTES = new Uint8Array(0);

/**
 * Returns the outermost frame of a transaction. Its gas is the total gas of the transaction, including the intrinsic
 * gas. A deployment is addressed to the new contract, a batch and an envelope to the sender.
 * @param before the state before the transaction
 */
export function transactionFrame(
  { sender, action, gas_limit }: Candidate,
  before: StateSource,
  crypto: Pick<Crypto, 'sha256'>,
): FrameStart {
  const frame = (to: Uint8Array, input: Uint8Array): FrameStart => ({
    kind: action.type,
    from: sender,
    value: actionValue(action),
    gasLimit: gas_limit,
    to,
    input,
  });
  switch (action.type) {
    case 'transfer':
      return frame(action.value.to, NO_BYTES);
    case 'call':
    case 'upgrade':
      return frame(action.value.contract, action.value.input);
    case 'deploy': {
      const { deploy_index } = before.account(toHex(sender)).record;
      return frame(contractAddress(crypto, sender, deploy_index), action.value.input);
    }
    case 'batch':
    case 'sealed':
      return frame(sender, NO_BYTES);
  }
}

export function transactionEnd({ outcome, gasUsed, output, message, trap }: TransactionOutcome): FrameEnd {
  return {
    outcome,
    gasUsed,
    output,
    ...(message === undefined ? {} : { message }),
    ...(trap === undefined ? {} : { trap }),
  };
}

export function transactionInterfaces(
  { action }: Candidate,
  abiOf: InterfaceLookup,
  interfaces: StateInterfaces,
): { readonly rootAbis: readonly ContractAbi[]; readonly rootAbi?: ContractAbi } {
  const rootAbis = addressedInterfaces(action, abiOf, (idl) => interfaces.compileUnchecked(idl));
  const [rootAbi] = action.type === 'deploy' || action.type === 'upgrade' ? rootAbis : [];
  return { rootAbis, ...(rootAbi === undefined ? {} : { rootAbi }) };
}

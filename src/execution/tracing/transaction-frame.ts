import { defined } from '../../base/defined.js';
import { contractAddress } from '../../crypto/address.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { actionValue } from '../../ledger/action-facts.js';
import { controlInput, DEV_CONTROLS_ADDRESS } from '../../ledger/dev-controls.js';
import { addressedInterfaces } from '../../ledger/queries/action-interfaces.js';
import type { Candidate } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { TransactionOutcome } from '../execute-transaction.js';
import type { StateSource } from '../state-source.js';
import type { StateInterfaces } from '../views/state-interfaces.js';
import type { FrameEnd, FrameStart } from './call-tree.js';
import type { InterfaceLookup } from './call-tree-json.js';

const NO_BYTES = new Uint8Array(0);

/**
 * Returns the outermost frame of a transaction, with all its gas. A deployment is addressed to the new contract, a
 * batch and an envelope to the sender. A development control is shown as a batch of the calls that it makes.
 */
export function transactionFrame(
  transaction: Candidate,
  before: StateSource,
  crypto: Sha256,
  env: BlockEnvironment,
): FrameStart {
  const { sender, action, gas_limit } = transaction;
  const frame = (to: Uint8Array, input: Uint8Array): FrameStart => ({
    kind: action.type,
    from: sender,
    value: actionValue(action),
    gasLimit: gas_limit,
    to,
    input,
  });
  const control = controlInput(transaction, env);
  if (control !== undefined) return { ...frame(DEV_CONTROLS_ADDRESS, control), kind: 'batch' };
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
  return { outcome, gasUsed, output, ...defined({ message, trap }) };
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../base/defined.js';
import { errorMessage } from '../base/errors.js';
import { CallFailedError } from '../client/call-failed-error.js';
import { type ContractArguments, encodeCall, parseInterface } from '../client/contract-interface.js';
import type { Client } from '../client/rpc-client.js';
import type { Signer } from '../client/signers.js';
import { packageRoot } from '../config/package-info.js';
import type { Action } from '../generated/ledger.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { LoadError } from './load-error.js';
import type { WorkItem } from './workload.js';

/** Added to the measured gas because a call may have to open another lane or slot. */
const GAS_MARGIN = 40_000n;

export interface CallBy {
  readonly client: Client;
  readonly signer: Signer;
  readonly signal: AbortSignal;
}

export class ExampleContract {
  readonly address: Uint8Array;
  readonly #abi: ContractAbi;
  readonly #gas = new Map<string, bigint>();

  private constructor(address: Uint8Array, abi: ContractAbi) {
    this.address = address;
    this.#abi = abi;
  }

  /** @throws LoadError if the package lacks the contract; CallFailedError, RpcCallError, ClientError */
  static async deploy(
    name: 'token' | 'amm',
    init: ContractArguments,
    { client, signer, signal }: CallBy,
  ): Promise<ExampleContract> {
    const { code, idl } = readExample(name);
    const { contract } = await client.sender(signer).deploy({ code, idl, init, signal });
    return new ExampleContract(contract.address, parseInterface(idl));
  }

  /** Returns a call for the load. {@link call} must have measured the method's gas before. */
  item(method: string, args: ContractArguments): WorkItem {
    const gasLimit = this.#gas.get(method);
    if (gasLimit === undefined) throw new RangeError(`${method} was never measured`);
    return { action: this.#action(method, args), gasLimit };
  }

  /**
   * Calls the method in a transaction, waits for success and measures its gas.
   * @throws CallFailedError, RpcCallError, ClientError
   */
  async call(method: string, args: ContractArguments, { client, signer, signal }: CallBy): Promise<void> {
    const known = this.#gas.get(method);
    const { hash } = await client
      .sender(signer)
      .send(this.#action(method, args), defined({ signal, gasLimit: known }));
    const receipt = await client.waitForReceipt(hash, { signal });
    if (receipt.status.type !== 'success') throw new CallFailedError(method, receipt.status);
    const used = (receipt.gas_used * 3n) / 2n + GAS_MARGIN;
    if (known === undefined || used > known) this.#gas.set(method, used);
  }

  #action(method: string, args: ContractArguments): Action {
    const input = encodeCall(this.#abi, method, args);
    return { type: 'call', value: { contract: this.address, input, value: 0n } };
  }
}

function readExample(name: string): { readonly code: Uint8Array; readonly idl: string } {
  const folder = join(packageRoot(), 'contracts', name);
  try {
    return {
      code: readFileSync(join(folder, `${name}.wasm`)),
      idl: readFileSync(join(folder, `${name}.idl`), 'utf8'),
    };
  } catch (error) {
    const problem = `the example contract ${name} cannot be read: ${errorMessage(error)}`;
    throw new LoadError('setup_failed', problem, { cause: error });
  }
}

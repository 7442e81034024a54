import {
  formatAddress,
  formatHash,
  type IncludedTransaction,
  type SignedDetails,
} from '../../../client/client.js';
import type { Receipt } from '../../../generated/node-rpc-v1.js';
import { statusText } from '../../outcome-text.js';
import {
  CONTRACT_NAME,
  type DeploymentFolder,
  type OpenRun,
  type RecordedTransaction,
} from './deployment-folder.js';
import type { EarlierTransaction } from './earlier-transactions.js';
import type { Step } from './step.js';

/** Longest text of a failure, which a contract may have written. */
const MAX_ERROR = 500;

/** Writes a broadcast to its file while it goes on. */
export class RunJournal {
  readonly #folder: DeploymentFolder;
  readonly run: OpenRun;
  /** The transaction that is on its way. */
  #open: { readonly step: Step; readonly recorded: RecordedTransaction } | undefined;

  constructor(folder: DeploymentFolder, run: OpenRun) {
    this.#folder = folder;
    this.run = run;
  }

  /** Continues an interrupted run: notes what became of its transactions. */
  resume(earlier: readonly EarlierTransaction[]): void {
    const { record } = this.run;
    record.state = 'running';
    for (const { recorded, receipt, nonce } of earlier) {
      if (receipt !== undefined) this.#settle(recorded, receipt);
      else if (nonce === undefined) recorded.state = 'dropped';
    }
    this.#save();
  }

  /** Called before each submission, so twice if the node refuses a transaction and the sender signs it again. */
  signed(step: Step, { hashHex, nonce }: SignedDetails): void {
    const recorded = signedTransaction(step, hashHex, nonce);
    const { transactions } = this.run.record;
    // The node refused the first one, and the sender signed again.
    if (this.#open?.step === step) transactions.pop();
    transactions.push(recorded);
    this.#open = { step, recorded };
    this.#save();
  }

  /** Called once the transaction is in a block, whether it succeeded there or not. */
  included(step: Step, { receipt }: IncludedTransaction): void {
    if (this.#open?.step !== step)
      throw new TypeError('the included transaction is not the one that the script signed');
    this.#settle(this.#open.recorded, receipt);
    this.#open = undefined;
    this.#save();
  }

  end(state: 'complete' | 'failed'): void {
    this.run.record.state = state;
    this.#save();
  }

  #settle(recorded: RecordedTransaction, receipt: Receipt): void {
    if (recorded.state === 'included') return;
    const { status, height, gas_used, fee, contract, tx_hash } = receipt;
    Object.assign(recorded, {
      state: status.type === 'success' ? 'included' : 'failed',
      height: Number(height),
      gas_used: Number(gas_used),
      fee: `${fee}`,
      ...(contract !== undefined && { contract: formatAddress(contract) }),
      ...(status.type !== 'success' && { error: statusText(status).slice(0, MAX_ERROR) }),
    });
    const { name, code_hash: code } = recorded;
    if (status.type !== 'success' || contract === undefined || code === undefined) return;
    // A deployment that the script gave no name has that of its interface.
    if (name === undefined || !CONTRACT_NAME.test(name)) return;
    const { script, run } = this.run.record;
    this.#folder.addDeployed(name, {
      address: formatAddress(contract),
      code_hash: code,
      tx_hash: formatHash(tx_hash),
      height: Number(height),
      script,
      run,
    });
  }

  #save(): void {
    this.#folder.save(this.run);
  }
}

function signedTransaction(step: Step, hash: string, nonce: bigint): RecordedTransaction {
  const { what, type, sender, lane, actionHash, codeHash, idlHash, value, ...others } = step;
  return {
    what,
    type,
    sender,
    lane,
    nonce: Number(nonce),
    hash,
    action_hash: actionHash,
    state: 'signed',
    ...others,
    value: value > 0n ? `${value}` : undefined,
    code_hash: codeHash,
    idl_hash: idlHash,
  };
}

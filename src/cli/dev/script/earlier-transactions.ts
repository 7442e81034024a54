import { sameBytes } from '../../../base/same-bytes.js';
import {
  formatHash,
  type IncludedTransaction,
  parseAddress,
  parseHash,
  type ReadClient,
} from '../../../client/client.js';
import { readLaneNonces } from '../../../client/lane-nonces.js';
import { includedTransaction } from '../../../client/send-options.js';
import type { Receipt } from '../../../generated/node-rpc-v1.js';
import { toHex } from '../../../idl/hex.js';
import { CliError } from '../../cli-error.js';
import type { RecordedTransaction } from './deployment-folder.js';
import type { Step } from './step.js';

/** What became of a transaction of an interrupted run. */
export interface EarlierTransaction {
  readonly recorded: RecordedTransaction;
  /** Its receipt, if it is in a block. */
  readonly receipt?: Receipt;
  /**
   * Its nonce, if it may still come into a block. The action must be sent again with this nonce: of two transactions with one
   * nonce, a chain includes at most one. Without nonce and receipt, another transaction has taken its nonce.
   */
  readonly nonce?: bigint;
}

/** How a step continues what an interrupted run began. */
export type Continuation = { readonly sent: IncludedTransaction } | { readonly nonce: bigint };

/** The transactions of an interrupted run. Each takes the place of one transaction of a pass with the same action. */
export class EarlierTransactions {
  readonly #left: { readonly recorded: RecordedTransaction; readonly continuation: Continuation }[] = [];

  constructor(all: readonly EarlierTransaction[] = []) {
    const nonces = new Set<string>();
    for (const { recorded, receipt, nonce } of all) {
      const { sender, lane } = recorded;
      const key = `${sender}/${lane}/${recorded.nonce}`;
      if (receipt?.status.type === 'success') {
        this.#left.push({ recorded, continuation: { sent: included(receipt) } });
      } else if (nonce !== undefined && !nonces.has(key)) {
        nonces.add(key);
        this.#left.push({ recorded, continuation: { nonce } });
      }
    }
  }

  /** Removes and returns that of the step's action by the same account in the same lane; undefined if there is none. */
  take({ sender, lane, actionHash }: Step): Continuation | undefined {
    const at = this.#left.findIndex(
      ({ recorded }) =>
        recorded.action_hash === actionHash && recorded.sender === sender && recorded.lane === lane,
    );
    return at === -1 ? undefined : this.#left.splice(at, 1)[0]?.continuation;
  }

  /** Those on chain that the pass has not asked for. */
  get unused(): readonly RecordedTransaction[] {
    return this.#left.flatMap(({ recorded, continuation }) => ('sent' in continuation ? [recorded] : []));
  }
}

/** What became of each, once none is in the pool. @throws CliError if a receipt contradicts the record */
export async function earlierTransactions(
  client: ReadClient,
  recorded: readonly RecordedTransaction[],
): Promise<readonly EarlierTransaction[]> {
  const found: EarlierTransaction[] = [];
  for (const each of recorded) {
    // The action of one that failed or never came is sent like any other.
    if (each.state === 'included' || each.state === 'signed') found.push(await settled(client, each));
  }
  return found;
}

async function settled(client: ReadClient, recorded: RecordedTransaction): Promise<EarlierTransaction> {
  const hash = parseHash(recorded.hash);
  const receipt = await receiptOf(client, hash);
  if (receipt !== undefined) {
    expectSame(recorded, receipt, hash);
    return { recorded, receipt };
  }
  const { lane } = recorded;
  const { next } = await readLaneNonces(client, parseAddress(recorded.sender), lane);
  const nonce = BigInt(recorded.nonce);
  return next === nonce ? { recorded, nonce } : { recorded };
}

/** The receipt of a transaction, once it is in a block if it is in the pool; undefined if the node has neither. */
async function receiptOf(client: ReadClient, hash: Uint8Array): Promise<Receipt | undefined> {
  const { receipt } = await client.tx_receipt({ tx_hash: hash });
  if (receipt !== undefined) return receipt;
  const { status } = await client.tx_by_hash({ tx_hash: hash });
  return status.type === 'pending' || status.type === 'included' ? client.waitForReceipt(hash) : undefined;
}

function expectSame(recorded: RecordedTransaction, receipt: Receipt, hash: Uint8Array): void {
  const { sender, lane, nonce, contract } = receipt;
  const isSame =
    sameBytes(receipt.tx_hash, hash) &&
    sameBytes(sender, parseAddress(recorded.sender)) &&
    lane === recorded.lane &&
    Number(nonce) === recorded.nonce;
  const wasDeployed = recorded.type === 'deploy' && recorded.contract !== undefined;
  const isSameContract =
    !wasDeployed || (contract !== undefined && sameBytes(contract, parseAddress(recorded.contract ?? '')));
  if (isSame && isSameContract) return;
  const message = `the node's receipt of ${formatHash(hash)} contradicts the record: it has another hash, sender, nonce or contract`;
  throw new CliError(message);
}

function included(receipt: Receipt): IncludedTransaction {
  const { nonce, tx_hash: hash } = receipt;
  return includedTransaction({ hash, hashHex: toHex(hash), nonce }, receipt);
}

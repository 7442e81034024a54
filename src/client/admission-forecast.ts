import type { Account } from '../generated/node-rpc-v1.js';
import { MAX_TRANSACTION_BYTES } from '../ledger/constants.js';
import { GAS } from '../ledger/gas.js';
import type { Draft, Header, LaneOptions } from './draft.js';

/** Gas of a payload that is below every usual limit on the size of a transaction. */
const SMALL_PAYLOAD_GAS = GAS.payload_byte * BigInt(MAX_TRANSACTION_BYTES / 8);

/**
 * Foresees whether the node takes a transaction. A refused one leaves a gap before those sent after it, so only a certain
 * one may be followed by others before its answer.
 */
export class AdmissionForecast {
  readonly #options: LaneOptions;
  /** What the account could still spend if all that was sent since the last look cost its maximum. */
  #spare = 0n;
  /** Maximum cost of the transactions without an answer. */
  #unanswered = 0n;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** True if the node takes the transaction, unless another lane or program spends the account's balance. */
  async isCertain(draft: Omit<Draft, 'sign'>, header: Omit<Header, 'nonce'>): Promise<boolean> {
    const { client, facts, signer } = this.#options;
    const { options, neededGas } = draft;
    const { gas_limit: gasLimit, max_fee: maxFee, priority_fee: priorityFee } = header;
    if (draft.isUncertain || maxFee < priorityFee || maxFee < (await facts.fees()).minFee) return false;
    if (gasLimit < neededGas || neededGas > SMALL_PAYLOAD_GAS) return false;
    // A node that does not tell the gas limit of a block may refuse it.
    if (options.gasLimit !== undefined && gasLimit > (await facts.gasLimit().catch(() => 0n))) return false;
    const cost = maximumCost(draft, header);
    if (cost > this.#spare) this.#look(await client.account({ address: signer.address }));
    return cost <= this.#spare;
  }

  /** Counts a transaction on its way to the node. */
  sent(cost: bigint): void {
    this.#spare -= cost;
    this.#unanswered += cost;
  }

  /** @param taken false if the node refused the transaction, which then costs nothing */
  answered(cost: bigint, taken: boolean): void {
    this.#unanswered -= cost;
    if (!taken) this.#spare += cost;
  }

  /** The cost of pending transactions is unknown, so they leave nothing to spare. */
  #look({ balance, lanes }: Account): void {
    const isIdle = lanes.every(({ pending }) => pending === 0);
    this.#spare = (isIdle ? balance : 0n) - this.#unanswered;
  }
}

/** The most that a transaction may cost its sender. */
export function maximumCost({ value }: Omit<Draft, 'sign'>, header: Omit<Header, 'nonce'>): bigint {
  return header.gas_limit * header.max_fee + value;
}

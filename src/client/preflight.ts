import type { Action } from '../generated/ledger.js';
import type { TxSimulateResult } from '../generated/node-rpc-v1.js';
import { MIN_BLOCK_GAS } from '../ledger/constants.js';
import { defaultGasLimit } from '../ledger/gas.js';
import { ampleLimits } from './ample-limits.js';
import { CallFailedError } from './call-failed-error.js';
import { callOptions } from './call-options.js';
import type { LaneOptions } from './draft.js';
import { RpcCallError } from './rpc-call-error.js';
import type { SendOptions, SimulateOptions } from './send-options.js';

/** Errors of nodes that do not simulate for this caller, or not now. The transaction may succeed all the same. */
const NOT_SIMULATED: readonly string[] = [
  ...['unauthorized', 'forbidden', 'payment_required', 'rate_limited', 'limit_exceeded'],
  ...['overloaded', 'not_ready', 'timeout'],
];

/** @throws the error, unless it only means that the node does not tell this caller, or not now */
export function unlessNotTold(error: unknown): undefined {
  if (!(error instanceof RpcCallError) || !NOT_SIMULATED.includes(error.kind)) throw error;
}

const NAMES: Readonly<Record<Action['type'], string>> = {
  transfer: 'the transfer',
  deploy: 'the deployment',
  call: 'the call',
  upgrade: 'the upgrade',
  batch: 'the batch',
};

/** Simulates the actions of one account's lane before they are sent. */
export class Preflight {
  readonly #options: LaneOptions;
  /** Resolves once all earlier actions are checked. */
  #earlier: Promise<void> = Promise.resolve();
  #inFlight = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Simulates an action on the latest state. @throws RpcCallError, ClientError */
  simulate(action: Action, options: SimulateOptions): Promise<TxSimulateResult> {
    const { client, signer, lane } = this.#options;
    const { gasLimit, maxFee, priorityFee, validUntil, signal } = options;
    const build = {
      sender: signer.address,
      lane,
      action,
      ...(gasLimit !== undefined && { gas_limit: gasLimit }),
      ...(maxFee !== undefined && { max_fee: maxFee }),
      ...(priorityFee !== undefined && { priority_fee: priorityFee }),
      ...(validUntil !== undefined && { valid_until: validUntil }),
    };
    return client.call('tx_simulate', { build }, callOptions(signal));
  }

  /**
   * Checks an action if its options ask for it, and runs `send`. Actions are checked side by side and sent in the order of
   * the calls, so that their nonces follow that order.
   * @param send receives the gas limit, undefined for the default
   * @throws CallFailedError if the action would fail; the errors of `send`
   */
  async run<T>(
    action: Action,
    options: SendOptions,
    send: (gasLimit: bigint | undefined) => Promise<T>,
  ): Promise<T> {
    const earlier = this.#earlier;
    this.#inFlight++;
    try {
      const checked = options.preflight === true ? this.#check(action, options) : undefined;
      if (checked !== undefined) {
        this.#earlier = Promise.allSettled([earlier, checked]).then(() => undefined);
      }
      await earlier;
      return await send(await checked);
    } finally {
      this.#inFlight--;
    }
  }

  /** @returns the gas limit for an action; undefined for the default */
  async #check(action: Action, options: SendOptions): Promise<bigint | undefined> {
    const isAlone = this.#inFlight === 1;
    const simulation = await this.simulate(action, options).catch(unlessNotTold);
    if (simulation === undefined) return undefined;
    const { status, gas_estimate: estimate } = simulation;
    if (status.type !== 'success') {
      // Pending transactions, such as an approval, may be all that it lacks.
      if (!isAlone || (await this.#hasPending())) return undefined;
      throw new CallFailedError(NAMES[action.type], status, { simulation });
    }
    const limit = await this.#limitFor(action, estimate);
    const usual = defaultGasLimit(action);
    return isAlone || limit > usual ? limit : usual;
  }

  async #limitFor(action: Action, estimate: bigint): Promise<bigint> {
    // The default is all that a transfer can need.
    if (action.type === 'transfer') return defaultGasLimit(action);
    const [ample = estimate] = ampleLimits([estimate], undefined);
    if (ample <= MIN_BLOCK_GAS) return ample;
    const blockGas = await this.#options.facts.gasLimit().catch(unlessNotTold);
    const [limit = estimate] = ampleLimits([estimate], blockGas);
    return limit;
  }

  async #hasPending(): Promise<boolean> {
    const { client, signer } = this.#options;
    const { lanes } = await client.account({ address: signer.address });
    return lanes.some(({ pending }) => pending > 0);
  }
}

import type { Transaction } from '../generated/ledger.js';
import type { BundleSimulateResult, Receipt } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { ampleLimits } from './ample-limits.js';
import type { BundleStep } from './bundle-items.js';
import { CallFailedError } from './call-failed-error.js';
import { type Abortable, callOptions } from './call-options.js';
import type { ChainInfo } from './chain-info.js';
import { checkBigints } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import type { Header } from './draft.js';
import { DEFAULT_WAIT_MS } from './inclusion-watcher.js';
import { unlessNotTold } from './preflight.js';
import type { ReadClient } from './read-client.js';
import { RpcCallError } from './rpc-call-error.js';
import type { Hashed, WaitFor } from './send-options.js';
import type { Sender } from './sender.js';
import { type EncodedTransaction, signTransaction } from './sign-transaction.js';
import { isStale, MAX_RENEWALS } from './submitter.js';

export interface BundleOptions extends Abortable {
  /** Event to wait for; default `included`. */
  readonly wait?: WaitFor;
  /** Maximum wait in milliseconds; default 60,000. */
  readonly waitMs?: number;
  /** Last height at which the bundle may be included; default: the node's, about 100 blocks ahead. */
  readonly maxHeight?: bigint;
  /** Simulate first, refuse a bundle that would fail, and take gas limits from the estimates; default true. */
  readonly preflight?: boolean;
}

/** A transaction of a bundle that the node has accepted. */
export interface BundledTransaction extends Hashed {
  /** 20 bytes. */
  readonly sender: Uint8Array;
  readonly lane: number;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Undefined if `wait` is `none`. */
  readonly receipt?: Receipt;
}

/** A bundle that the node has accepted. */
export interface SentBundle extends Hashed {
  /** In the order of the bundle. */
  readonly transactions: readonly BundledTransaction[];
}

/** A bundle that a block includes. */
export interface IncludedBundle extends SentBundle {
  readonly transactions: readonly (BundledTransaction & { readonly receipt: Receipt })[];
}

export interface BundleParts {
  readonly client: ReadClient;
  readonly facts: ChainInfo;
  readonly steps: () => Promise<readonly BundleStep[]>;
}

interface Signed extends EncodedTransaction {
  readonly step: BundleStep;
  readonly header: Header;
}

/**
 * Transactions of one or more accounts that a block includes completely, in order and consecutively, or not at all.
 * Created by `client.bundle`.
 */
export class Bundle {
  readonly #parts: BundleParts;

  constructor(parts: BundleParts) {
    this.#parts = parts;
  }

  /**
   * Runs the transactions one after the other on the last block, without sending them.
   * @throws ClientError `bad_argument`, `bad_address`; RpcCallError
   *
   * @example
   * const item = { sender: alice, to: bob.address, amount: 5n };
   * const { atomic_success } = await client.bundle([item, item]).simulate();
   * `${atomic_success}`; // 'true'
   */
  async simulate(options: Abortable = {}): Promise<BundleSimulateResult> {
    return this.#simulate(await this.#steps(), options);
  }

  /**
   * Signs the transactions with the senders' next nonces, sends them, and waits for their receipts or as specified by
   * `wait`.
   * @throws CallFailedError with the reason of the first transaction that would fail: nothing was sent; ClientError
   *   `dropped` if the bundle left the pool, `not_included` after the timeout; RpcCallError if the node rejects it
   *
   * @example
   * const { transactions } = await client
   *   .bundle([
   *     { sender: alice, to: bob.address, amount: 5n },
   *     { sender: alice, contract: token, method: 'transfer', args: { to: bob.address, amount: 1n } },
   *   ])
   *   .send();
   * transactions.length; // 2
   */
  send(options: BundleOptions & { readonly wait: 'none' }): Promise<SentBundle>;
  send(options?: BundleOptions & { readonly wait?: 'included' | 'finalized' }): Promise<IncludedBundle>;
  send(options?: BundleOptions): Promise<SentBundle>;
  async send(options: BundleOptions = {}): Promise<SentBundle> {
    const { wait = 'included', waitMs = DEFAULT_WAIT_MS } = options;
    checkBigints(options);
    const deadlineMs = Date.now() + waitMs;
    const steps = await this.#steps();
    const limits = options.preflight === false ? undefined : await this.#preflight(steps, options);
    const { signed, hash: bundleHash } = await this.#submitUntilAccepted(steps, limits, options);
    const receipts = await this.#wait(signed, wait, deadlineMs, options);
    const transactions = signed.map(({ header, hash, hashHex }, i): BundledTransaction => {
      const receipt = receipts[i];
      const { sender, lane, nonce, gas_limit: gasLimit } = header;
      return { hash, hashHex, sender, lane, nonce, gasLimit, ...(receipt !== undefined && { receipt }) };
    });
    return { hash: bundleHash, hashHex: toHex(bundleHash), transactions };
  }

  async #steps(): Promise<readonly BundleStep[]> {
    const steps = await this.#parts.steps();
    if (steps.length === 0) throw new ClientError('bad_argument', 'a bundle needs at least one transaction');
    return steps;
  }

  async #simulate(steps: readonly BundleStep[], { signal }: Abortable): Promise<BundleSimulateResult> {
    const chain_id = await this.#parts.facts.chainId();
    const blockGas = await this.#parts.facts.gasLimit();
    // The nonces of unsigned transactions do not count, and their gas limits share one block.
    const share = blockGas / BigInt(steps.length);
    const transactions = steps.map(({ sender, action, options, defaultGasLimit }) => {
      const gas = options.gasLimit ?? (defaultGasLimit < share ? defaultGasLimit : share);
      const fees = { max_fee: 0n, priority_fee: 0n };
      const { address } = sender.signer;
      const header = { chain_id, sender: address, lane: sender.lane, nonce: 0n, gas_limit: gas };
      return ledger.Transaction.encode({ ...header, ...fees, action });
    });
    return this.#parts.client.call('chain_simulateBundle', { transactions }, callOptions(signal));
  }

  /** The gas limits; undefined for the defaults, if the node does not tell. @throws CallFailedError */
  async #preflight(
    steps: readonly BundleStep[],
    options: BundleOptions,
  ): Promise<readonly bigint[] | undefined> {
    const simulation = await this.#simulate(steps, options).catch(unlessNotTold);
    if (simulation === undefined) return undefined;
    const estimates = steps.map(({ action, label, options: { gasLimit }, defaultGasLimit }, i) => {
      const result = simulation.results[i];
      if (result === undefined)
        throw new ClientError('bad_answer', 'chain_simulateBundle: results are missing');
      if (result.status.type !== 'success') {
        const place = `transaction ${i + 1} of ${steps.length}`;
        throw new CallFailedError(`${place} (${label})`, result.status, { simulation: result });
      }
      // The default is all that a transfer can need.
      const fixed = gasLimit ?? (action.type === 'transfer' ? defaultGasLimit : undefined);
      return fixed === undefined ? { estimate: result.gas_estimate } : { fixed };
    });
    // A bundle may have half of a block's gas.
    const most = (await this.#parts.facts.gasLimit()) / 2n;
    const rest = estimates.reduce((left, { fixed = 0n }) => left - fixed, most);
    const ample = ampleLimits(
      estimates.flatMap(({ estimate }) => estimate ?? []),
      rest,
    );
    return estimates.map(({ fixed }) => fixed ?? ample.shift() ?? 0n);
  }

  /** Signs and submits, and repeats with current data if nonces or fees were stale. */
  async #submitUntilAccepted(
    steps: readonly BundleStep[],
    limits: readonly bigint[] | undefined,
    options: BundleOptions,
  ): Promise<{ readonly signed: readonly Signed[]; readonly hash: Uint8Array }> {
    for (let renewals = 0; ; renewals++) {
      const signed = await this.#sign(steps, limits);
      try {
        const hash = await this.#submit(signed, options);
        for (const [{ submitter }, nonces] of noncesBySender(signed)) submitter.settle(nonces);
        return { signed, hash };
      } catch (error) {
        for (const [{ submitter }, nonces] of noncesBySender(signed)) submitter.giveBack(nonces, error);
        const reason = error instanceof RpcCallError ? error.reason : undefined;
        if (renewals >= MAX_RENEWALS || reason === undefined) throw error;
        const isCheap = reason === 'fee_too_low' && steps.every((step) => step.options.maxFee === undefined);
        if (!isStale(reason) && !isCheap) throw error;
        if (isCheap) this.#parts.facts.invalidateFees();
      }
    }
  }

  async #sign(
    steps: readonly BundleStep[],
    limits: readonly bigint[] | undefined,
  ): Promise<readonly Signed[]> {
    const headers = new Map<BundleStep, Header>();
    const reserved: [sender: Sender, nonces: bigint[]][] = [];
    try {
      for (const sender of new Set(steps.map((step) => step.sender))) {
        const own = steps.flatMap((step, i) =>
          step.sender === sender ? [{ step, limit: limits?.[i] }] : [],
        );
        const drafts = own.map(({ step, limit }) => ({
          options: step.options,
          gasLimit: limit ?? step.defaultGasLimit,
        }));
        const filled = await sender.submitter.reserve(drafts);
        reserved.push([sender, filled.map(({ nonce }) => nonce)]);
        for (const [i, header] of filled.entries()) headers.set(own[i]?.step as BundleStep, header);
      }
      return await Promise.all(
        steps.map(async (step) => {
          const header = headers.get(step) as Header;
          const transaction: Transaction = { ...header, action: step.action };
          return { ...(await signTransaction(transaction, step.sender.signer)), step, header };
        }),
      );
    } catch (error) {
      for (const [{ submitter }, nonces] of reserved) submitter.giveBack(nonces, error);
      throw error;
    }
  }

  /** @returns the bundle's hash */
  async #submit(signed: readonly Signed[], { maxHeight, signal }: BundleOptions): Promise<Uint8Array> {
    const { bundle_hash, tx_hashes } = await this.#parts.client.call(
      'tx_submit_bundle',
      {
        transactions: signed.map(({ encoded }) => encoded),
        ...(maxHeight !== undefined && { max_height: maxHeight }),
      },
      callOptions(signal),
    );
    if (tx_hashes.length !== signed.length) {
      const reason = `tx_submit_bundle: expected ${signed.length} hashes, got ${tx_hashes.length}`;
      throw new ClientError('bad_answer', reason);
    }
    return bundle_hash;
  }

  async #wait(
    signed: readonly Signed[],
    wait: WaitFor,
    deadlineMs: number,
    { signal }: BundleOptions,
  ): Promise<readonly Receipt[]> {
    if (wait === 'none') return [];
    try {
      return await Promise.all(
        signed.map(({ hash }) =>
          this.#parts.client.waitForReceipt(hash, {
            finalized: wait === 'finalized',
            timeoutMs: Math.max(0, deadlineMs - Date.now()),
            ...callOptions(signal),
          }),
        ),
      );
    } catch (error) {
      for (const { step } of signed) step.sender.submitter.invalidateNonces();
      throw error;
    }
  }
}

function noncesBySender(signed: readonly Signed[]): ReadonlyMap<Sender, readonly bigint[]> {
  const nonces = new Map<Sender, bigint[]>();
  for (const { step, header } of signed) {
    const own = nonces.get(step.sender) ?? [];
    own.push(header.nonce);
    nonces.set(step.sender, own);
  }
  return nonces;
}

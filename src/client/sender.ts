import { sameBytes } from '../base/same-bytes.js';
import type { Action } from '../generated/ledger.js';
import type { Receipt, TxSimulateResult, TxSubmitResult, Wait } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { actionValue } from '../ledger/action-facts.js';
import { ledger } from '../ledger/codecs.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import { defaultGasLimit, defaultSealedGasLimit, intrinsicGas, sealedGas } from '../ledger/gas.js';
import { slotsForGas } from '../ledger/opening-slots.js';
import { type ActionLike, actionBytes } from './action-bytes.js';
import { addressBytes } from './address-text.js';
import { CallFailedError } from './call-failed-error.js';
import { type Abortable, type CallOptions, callOptions } from './call-options.js';
import type { ChainInfo } from './chain-info.js';
import { checkBigints } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import { Contract, type Deployment } from './contract.js';
import { deployAction } from './contract-actions.js';
import type { Draft, LaneOptions, SubmitOptions } from './draft.js';
import { DEFAULT_WAIT_MS, type WaitOptions } from './inclusion-watcher.js';
import { Preflight } from './preflight.js';
import type { ReadClient } from './read-client.js';
import type { RpcCallError } from './rpc-call-error.js';
import type { OpenedTransaction, SealedTransaction, SealOptions } from './seal-options.js';
import { sealTransaction } from './seal-transaction.js';
import {
  type DeployOptions,
  type IncludedTransaction,
  includedTransaction,
  type SendOptions,
  type SentTransaction,
  type SimulateOptions,
  type TransferOptions,
  type WaitFor,
} from './send-options.js';
import { signTransaction } from './sign-transaction.js';
import type { Signer } from './signers.js';
import { Submitter } from './submitter.js';

type Waiting = { readonly wait: 'included' | 'finalized' };
type OpenedWaiting = { readonly wait: 'opened' | 'finalized' };

/** Maximum submissions that wait for inclusion at the node, which is fastest; further ones are polled in batches. */
const MAX_WAITING_AT_NODE = 16;

/** Maximum wait before the node responds, in milliseconds. */
const MAX_NODE_WAIT_MS = 60_000;

/** Bytes that the payload's cipher adds to the plaintext. */
const PAYLOAD_TAG_BYTES = 16;

/**
 * Sends transactions of one account in one lane. Any number may be in flight: each gets the next nonce, in call
 * order. A rejected transaction's nonce goes to the next transaction, so that no gap remains: the later ones wait for the
 * answer to one that the node may reject for its amount, limits, fees, size or `validUntil`. If the local nonces are stale,
 * the sender reads them from the node again and signs the transaction again.
 */
export class Sender {
  readonly signer: Signer;
  readonly lane: number;
  readonly #client: ReadClient;
  readonly #facts: ChainInfo;
  /** The lane's nonces, which bundles share. */
  readonly submitter: Submitter;
  readonly #preflight: Preflight;
  #waitingAtNode = 0;

  constructor(options: LaneOptions) {
    this.signer = options.signer;
    this.lane = options.lane;
    this.#client = options.client;
    this.#facts = options.facts;
    this.submitter = new Submitter(options);
    this.#preflight = new Preflight(options);
  }

  /**
   * Transfers native balance.
   * @throws RpcCallError kind `transaction_rejected` with its `reason`; ClientError
   *
   * @example
   * const { hashHex } = await alice.transfer({ to: bob.address, amount: parseAmount('1e18') });
   */
  transfer(options: TransferOptions & Waiting): Promise<IncludedTransaction>;
  transfer(options: TransferOptions): Promise<SentTransaction>;
  async transfer(options: TransferOptions): Promise<SentTransaction> {
    checkBigints(options);
    const to = addressBytes(options.to, 'to');
    return this.send({ type: 'transfer', value: { to, amount: options.amount } }, options);
  }

  /**
   * Deploys a contract, runs its `init`, and waits until the transaction is included.
   * @throws CallFailedError if the deployment fails, or would fail (see `preflight`); ClientError `bad_argument` naming an invalid argument of `init`;
   *   RpcCallError
   *
   * @example
   * const owner = alice.signer.address;
   * const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000_000n, owner, minter: owner };
   * const { contract } = await alice.deploy({ code, idl, init });
   */
  async deploy(options: DeployOptions): Promise<Deployment> {
    const { idl, wait = 'included', preflight = true } = options;
    const sent = await this.send(deployAction(options), { ...options, wait, preflight });
    const { status, contract: address } = sent.receipt;
    if (status.type !== 'success' || address === undefined) {
      throw new CallFailedError('deployment', status, { sent });
    }
    const contract = new Contract(this.#client, address, { sender: this, ...(idl !== undefined && { idl }) });
    return { ...sent, contract };
  }

  /**
   * Simulates an action on the latest state, without signing or sending anything.
   * @returns status, gas, result, events and state changes; a failed action does not throw
   * @throws RpcCallError; ClientError
   *
   * @example
   * const action = { type: 'transfer', value: { to: bob.address, amount: 5n } };
   * const { status, gas_estimate } = await alice.simulate(action);
   */
  async simulate(action: ActionLike, options: SimulateOptions = {}): Promise<TxSimulateResult> {
    checkBigints(options);
    return this.#preflight.simulate(actionBytes(action), options);
  }

  /**
   * Sends any action.
   * @throws RpcCallError kind `transaction_rejected` with its `reason`; ClientError; with `preflight`, CallFailedError if
   *   the action would fail
   *
   * @example
   * const action = { type: 'transfer', value: { to: bob.address, amount: 5n } };
   * const { receipt } = await alice.send(action, { wait: 'finalized' });
   */
  send(action: ActionLike, options: SendOptions & Waiting): Promise<IncludedTransaction>;
  send(action: ActionLike, options?: SendOptions): Promise<SentTransaction>;
  async send(given: ActionLike, options: SendOptions = {}): Promise<SentTransaction> {
    checkBigints(options);
    const action = actionBytes(given);
    const wait = options.wait ?? 'none';
    const deadlineMs = Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
    const { transaction, answer } = await this.#preflight.run(action, options, (gasLimit) =>
      this.submitter.submit(() => this.#draft(action, options, { wait, gasLimit })),
    );
    const { hash, hashHex, nonce } = transaction;
    if (wait === 'none') {
      return {
        hash,
        hashHex,
        nonce,
        status: answer.status ?? (await this.submitter.statusOf(hash, options)),
      };
    }
    const { receipt: answered } = answer;
    const receipt =
      answered !== undefined && (wait === 'included' || answered.finalized)
        ? answered
        : await this.#waitFor(hash, { finalized: wait === 'finalized' }, options, deadlineMs);
    return includedTransaction(transaction, receipt);
  }

  /**
   * Sends any action sealed: it is unreadable until its position is fixed, and executed once its height's key is known.
   * @returns once the node accepts the envelope, or as specified by `wait`
   * @throws RpcCallError kind `transaction_rejected` with its `reason`: after `expired`, or `pool_full` at every lower
   *   height, anyone who kept the envelope can read it once the key of its height is known, so seal the action again only
   *   if that does no harm; ClientError, `bad_key` if the node's group key differs from the given one, `left_out` if
   *   no block included the envelope: it becomes readable with the key of its height
   *
   * @example
   * const action = { type: 'transfer', value: { to: bob.address, amount: 5n } };
   * const { receipt } = await alice.seal(action, { wait: 'opened' });
   */
  seal(action: ActionLike, options: SealOptions & OpenedWaiting): Promise<OpenedTransaction>;
  seal(action: ActionLike, options?: SealOptions): Promise<SealedTransaction>;
  async seal(given: ActionLike, options: SealOptions = {}): Promise<SealedTransaction> {
    checkBigints(options);
    const action = actionBytes(given);
    const wait = options.wait ?? 'none';
    const deadlineMs = Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
    let opensAt = 0n;
    // Anyone who keeps a refused envelope can read it once its height's key is known. The action must be executed by
    // then, so the height never rises.
    const draft = async (refusal: RpcCallError | undefined) => {
      const place = { at: options.opensAt };
      const again = refusal !== undefined && lacksRoom(refusal) ? { below: opensAt } : { at: opensAt };
      const drafted = await this.#sealedDraft(action, options, refusal === undefined ? place : again);
      if (drafted === undefined) throw refusal;
      opensAt = drafted.opensAt;
      return drafted;
    };
    const { transaction, answer } = await this.submitter.submit(draft);
    const { hash, hashHex, nonce } = transaction;
    const sent = { hash, hashHex, nonce, opensAt };
    if (wait === 'none') {
      return { ...sent, status: answer.status ?? (await this.submitter.statusOf(hash, options)) };
    }
    const first = await this.#waitFor(hash, {}, options, deadlineMs).catch((error: unknown) => {
      throw isDropped(error) ? leftOut(error, opensAt) : error;
    });
    const status = await this.submitter.statusOf(hash, options);
    const inclusion = first.height < opensAt ? { inclusion: first } : {};
    if (wait === 'included') return { ...sent, status, ...inclusion };
    const opened = { above: opensAt, finalized: wait === 'finalized' };
    const isThere = first.height > opensAt && (wait === 'opened' || first.finalized);
    const receipt = isThere ? first : await this.#waitFor(hash, opened, options, deadlineMs);
    return { ...sent, status, ...inclusion, receipt };
  }

  #draft(
    action: Action,
    options: SendOptions,
    { wait, gasLimit = defaultGasLimit(action) }: { wait: WaitFor; gasLimit: bigint | undefined },
  ): Draft {
    const { validUntil } = options;
    return {
      options,
      gasLimit,
      neededGas: intrinsicGas({ action }),
      value: actionValue(action),
      isUncertain: validUntil !== undefined,
      sign: async (header) => {
        const until = validUntil !== undefined && { valid_until: validUntil };
        const transaction = { ...header, ...until, action };
        const { hash, hashHex, encoded } = await signTransaction(transaction, this.signer);
        const submit = ({ answersAtOnce, ...call }: SubmitOptions) =>
          this.#submit(encoded, { ...options, wait: answersAtOnce ? 'none' : wait }, call);
        return { hash, hashHex, nonce: header.nonce, submit };
      },
    };
  }

  async #sealedDraft(
    action: Action,
    options: SealOptions,
    { at, below }: { readonly at?: bigint | undefined; readonly below?: bigint },
  ): Promise<(Draft & { readonly opensAt: bigint }) | undefined> {
    const groupPublicKey = await this.#facts.groupKey();
    const { groupPublicKey: known } = options;
    if (known !== undefined && !sameBytes(known, groupPublicKey)) {
      const keys = `expected the group key ${toHex(known)}, got ${toHex(groupPublicKey)} from the node`;
      throw new ClientError('bad_key', `${keys}: nothing was sealed`);
    }
    const payload = ledger.Action.encode(action).length + PAYLOAD_TAG_BYTES;
    const gasLimit = options.gasLimit ?? defaultSealedGasLimit(action, payload);
    const slots = slotsForGas(gasLimit - sealedGas(payload), await this.#facts.gasLimit());
    const place = await this.#facts.openingPlace(slots, at, below);
    if (place === undefined) return undefined;
    const { opensAt, maxSlotPrice } = place;
    const maxSealFee = options.maxSealFee ?? atMostU128(BigInt(slots) * maxSlotPrice);
    return {
      options,
      opensAt,
      gasLimit,
      neededGas: sealedGas(payload),
      value: maxSealFee,
      // Others may take its height's slots, and its height may come too close.
      isUncertain: true,
      // A default opening height may be replaced by a lower one.
      isOutdated: (refusal) => options.opensAt === undefined && lacksRoom(refusal),
      sign: async (common) => {
        const header = { ...common, max_seal_fee: maxSealFee, opens_at: opensAt };
        const sealing = { header, action, groupPublicKey };
        const { hash, hashHex, encoded } = await sealTransaction(sealing, this.signer);
        const submit = async ({ answersAtOnce: _always, ...call }: SubmitOptions) => {
          await this.#client.call('tx_submit_sealed', { envelope: encoded }, call);
          return {};
        };
        return { hash, hashHex, nonce: header.nonce, submit };
      },
    };
  }

  async #waitFor(
    hash: Uint8Array,
    until: Pick<WaitOptions, 'finalized' | 'above'>,
    { signal }: Abortable,
    deadlineMs: number,
  ): Promise<Receipt> {
    try {
      return await this.#client.waitForReceipt(hash, {
        ...until,
        timeoutMs: Math.max(0, deadlineMs - Date.now()),
        ...callOptions(signal),
      });
    } catch (error) {
      this.submitter.invalidateNonces();
      throw error;
    }
  }

  /** Lets the node wait for inclusion if requested, up to a maximum number of such requests. */
  async #submit(encoded: Uint8Array, options: SendOptions, call: CallOptions): Promise<TxSubmitResult> {
    const wait: Wait = { type: options.wait ?? 'none' };
    if (wait.type === 'none' || this.#waitingAtNode >= MAX_WAITING_AT_NODE) {
      return this.#client.call('tx_submit', { encoded }, call);
    }
    const waitMs = Math.min(options.waitMs ?? DEFAULT_WAIT_MS, MAX_NODE_WAIT_MS);
    this.#waitingAtNode++;
    try {
      return await this.#client.call('tx_submit', { encoded, wait, timeout_ms: waitMs }, call);
    } finally {
      this.#waitingAtNode--;
    }
  }
}

/** True if a rejection says that the opening height has too few slots left. Others with this reason name no slots. */
function lacksRoom({ reason, data }: RpcCallError): boolean {
  return reason === 'pool_full' && typeof data['slots'] === 'number';
}

function isDropped(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === 'dropped';
}

function leftOut(error: ClientError, opensAt: bigint): ClientError {
  const { message, txHash } = error;
  return new ClientError(
    'left_out',
    `${message}. The envelope is in no block: once the key of height ${opensAt} is known, everyone who has the envelope can read it`,
    { cause: error, ...(txHash !== undefined && { txHash }) },
  );
}

function atMostU128(amount: bigint): bigint {
  return amount < MAX_BALANCE ? amount : MAX_BALANCE;
}

import { defined } from '../../../base/defined.js';
import type { ActionLike } from '../../../client/action-bytes.js';
import type { Bundle } from '../../../client/bundle.js';
import { CallFailedError } from '../../../client/call-failed-error.js';
import type { CallOptions, MethodName } from '../../../client/call-options.js';
import { ChainInfo } from '../../../client/chain-info.js';
import { ClientError } from '../../../client/client-error.js';
import { type ConnectOptions, connectionParts } from '../../../client/connection.js';
import { Contract } from '../../../client/contract.js';
import { deployAction } from '../../../client/contract-actions.js';
import type { LaneOptions } from '../../../client/draft.js';
import { Client } from '../../../client/rpc-client.js';
import type { OpenedTransaction } from '../../../client/seal-options.js';
import type { DeployOptions, IncludedTransaction, SendOptions } from '../../../client/send-options.js';
import { Sender } from '../../../client/sender.js';
import type { Signer } from '../../../client/signers.js';
import type { NodeRpcV1Methods } from '../../../generated/node-rpc-v1.js';
import type { TextOrBytes } from '../../../idl/codecs/text-json-writer.js';
import { toHex } from '../../../idl/hex.js';
import type { ScriptPass } from './script-pass.js';

/** Defaults from the command's options; a script may override them for a transaction. */
export type SendDefaults = Pick<SendOptions, 'maxFee' | 'priorityFee' | 'waitMs' | 'signal'>;

export interface ScriptSending {
  readonly pass: ScriptPass;
  /** The id that is signed for; undefined for that of any node. */
  readonly chainId: bigint | undefined;
  readonly defaults: SendDefaults;
}

/** A sender whose transactions a pass over a script checks, records and waits for. */
export class ScriptSender extends Sender {
  readonly #sending: ScriptSending;
  readonly #parts: LaneOptions;

  constructor(parts: LaneOptions, sending: ScriptSending) {
    super(parts);
    this.#parts = parts;
    this.#sending = sending;
  }

  /** @throws CallFailedError if the transaction fails, also in its block; the errors of {@link Sender.send} */
  override send(action: ActionLike, options: SendOptions = {}): Promise<IncludedTransaction> {
    return this.#perform(action, options);
  }

  /** Deploys a contract under a name. @throws the errors of {@link Sender.deploy} */
  async deployNamed(name: string, options: DeployOptions): Promise<Contract> {
    const { idl } = options;
    const { receipt } = await this.#perform(deployAction(options), options, name);
    if (receipt.contract === undefined) throw new CallFailedError(`deploy ${name}`, receipt.status);
    return new Contract(this.#parts.client, receipt.contract, defined({ sender: this, idl }));
  }

  override seal(): Promise<OpenedTransaction> {
    return Promise.reject(
      new ClientError(
        'bad_argument',
        'a script cannot send sealed transactions: its dry run could not open them',
      ),
    );
  }

  /** A node could tell another id than a person has confirmed, to get transactions for another chain. */
  async #expectChain(): Promise<void> {
    const { chainId: expected } = this.#sending;
    const chainId = await this.#parts.facts.chainId();
    if (expected === undefined || chainId === expected) return;
    throw new ClientError('bad_answer', `expected a node of chain ${expected}, got chain ${chainId}`);
  }

  #perform(action: ActionLike, given: SendOptions, name?: string): Promise<IncludedTransaction> {
    const { pass, defaults } = this.#sending;
    return pass.perform({
      address: this.signer.address,
      lane: this.lane,
      action,
      name,
      options: { ...defaults, ...given },
      send: async (options) => {
        await this.#expectChain();
        const sent = await super.send(action, options);
        // A chosen nonce is outside of the sequence.
        if (options.nonce !== undefined) this.submitter.invalidateNonces();
        return sent;
      },
    });
  }
}

/** Methods that put transactions into the pool past the senders. */
const SUBMITTING: readonly MethodName[] = ['tx_submit', 'tx_submit_sealed', 'tx_submit_bundle'];

/** The client that a script gets. It has no way to send a transaction that the dry run does not show and no record has. */
export class ScriptClient extends Client {
  /** The connection of the senders. */
  readonly #plain: Client;
  readonly #facts: ChainInfo;
  readonly #sending: ScriptSending;
  readonly #senders = new Map<string, ScriptSender>();

  constructor(url: string, options: ConnectOptions, sending: ScriptSending) {
    super(connectionParts(url, options));
    this.#plain = new Client(connectionParts(url, options));
    this.#facts = new ChainInfo(this.#plain);
    this.#sending = sending;
  }

  override sender(signer: Signer, { lane = 0 }: { readonly lane?: number } = {}): ScriptSender {
    const key = `${toHex(signer.address)}/${lane}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const parts = { client: this.#plain, facts: this.#facts, signer, lane };
    const sender = new ScriptSender(parts, this.#sending);
    this.#senders.set(key, sender);
    return sender;
  }

  override bundle(): Bundle {
    throw new ClientError(
      'bad_argument',
      'a script cannot send bundles: send a batch or single transactions',
    );
  }

  override call<M extends MethodName>(
    method: M,
    params: TextOrBytes<NodeRpcV1Methods[M]['params']>,
    options: CallOptions = {},
  ): Promise<NodeRpcV1Methods[M]['result']> {
    if (!SUBMITTING.includes(method)) return super.call(method, params, options);
    const message = `a script cannot call ${method}: send with sender, deploy or a contract, which a dry run can show`;
    return Promise.reject(new ClientError('bad_argument', message));
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#plain.close()]);
  }
}

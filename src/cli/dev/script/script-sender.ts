import type { ActionLike } from '../../../client/action-bytes.js';
import { CallFailedError } from '../../../client/call-failed-error.js';
import { ClientError } from '../../../client/client-error.js';
import { Contract } from '../../../client/contract.js';
import { deployAction } from '../../../client/contract-actions.js';
import type { OpenedTransaction } from '../../../client/seal-options.js';
import type { DeployOptions, IncludedTransaction, SendOptions } from '../../../client/send-options.js';
import { Sender } from '../../../client/sender.js';
import type { SubmitterOptions } from '../../../client/submitter.js';
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
  readonly #parts: SubmitterOptions;

  constructor(parts: SubmitterOptions, sending: ScriptSending) {
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
    return new Contract(this.#parts.client, receipt.contract, {
      sender: this,
      ...(idl !== undefined && { idl }),
    });
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
    throw new ClientError('bad_answer', `the node is of chain ${chainId} now, expected ${expected}`);
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

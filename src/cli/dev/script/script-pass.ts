import pLimit from 'p-limit';
import { actionBytes } from '../../../client/action-bytes.js';
import {
  type ActionLike,
  CallFailedError,
  formatAddress,
  type IncludedTransaction,
  type SendOptions,
} from '../../../client/client.js';
import type { Receipt } from '../../../generated/node-rpc-v1.js';
import { CliError } from '../../cli-error.js';
import type { EarlierTransactions } from './earlier-transactions.js';
import type { RunJournal } from './run-journal.js';
import { intentOf, type Step, type StepReader } from './step.js';

/** A step that is in a block. */
export interface PerformedStep {
  readonly step: Step;
  readonly receipt: Receipt;
  /** True if an earlier, interrupted run sent it. */
  readonly isEarlier: boolean;
}

export interface ScriptPassOptions {
  readonly reader: StepReader;
  readonly earlier: EarlierTransactions;
  /** Where the pass writes what becomes of its transactions. */
  readonly journal?: RunJournal;
  /** The steps that may be sent, in this order; undefined for any. */
  readonly plan?: readonly Step[];
  readonly onPerformed: (performed: PerformedStep, number: number) => void;
}

type Send = (
  options: SendOptions & { readonly wait: 'included' | 'finalized' },
) => Promise<IncludedTransaction>;

export interface Request {
  readonly address: Uint8Array;
  readonly lane: number;
  readonly action: ActionLike;
  readonly options: SendOptions;
  /** The name of a deployment, if the script gave one. */
  readonly name?: string | undefined;
  readonly send: Send;
}

/**
 * One pass over a script, with its transactions one after another:
 *
 * 1. A transaction that an interrupted run has put on chain is not sent again; its receipt is returned.
 * 2. With a plan, one that the plan does not have in its place is not sent.
 * 3. Each waits until it is included, so that at most one of a pass is on its way.
 * 4. One that fails throws, and those that were asked for before the failure, side by side with it, are not sent.
 */
export class ScriptPass {
  readonly performed: PerformedStep[] = [];
  /** The steps that the script wanted to send, also those that failed. */
  readonly asked: Step[] = [];
  readonly #options: ScriptPassOptions;
  readonly #oneByOne = pLimit(1);
  #failures = 0;
  readonly #askedAt = new WeakMap<Error, string>();

  constructor(options: ScriptPassOptions) {
    this.#options = options;
  }

  /** @throws CallFailedError if the transaction fails or would fail; CliError if the plan does not have it; the errors of `send` */
  perform(request: Request): Promise<IncludedTransaction> {
    const failures = this.#failures;
    // Taken now: the stack of a failure begins in the queue.
    const { stack = '' } = new Error();
    return this.#oneByOne(async () => {
      if (this.#failures > failures) throw new CliError('not sent, because an earlier transaction failed');
      try {
        return await this.#perform(request);
      } catch (error) {
        this.#failures++;
        if (error instanceof Error) this.#askedAt.set(error, stack);
        throw error;
      }
    });
  }

  /** The stack at which the script asked for the transaction that failed with an error; empty for other errors. */
  askedAt(error: unknown): string {
    return error instanceof Error ? (this.#askedAt.get(error) ?? '') : '';
  }

  /** Tells the name that an earlier run gave a contract. */
  named(contract: string, name: string): void {
    this.#options.reader.named(contract, name);
  }

  /** Resolves once all transactions are done that the script did not wait for. */
  async idle(): Promise<void> {
    await this.#oneByOne(() => undefined);
  }

  async #perform(request: Request): Promise<IncludedTransaction> {
    const { address, lane, options, name, send } = request;
    const { reader, earlier, journal } = this.#options;
    const step = await reader.read(actionBytes(request.action), { address, lane }, name);
    const before = earlier.take(step);
    if (before !== undefined && 'sent' in before) {
      this.#add({ step, receipt: before.sent.receipt, isEarlier: true });
      return before.sent;
    }
    this.#expectPlanned(step);
    const nonce = options.nonce ?? before?.nonce;
    const sent = await send({
      ...options,
      wait: options.wait === 'finalized' ? 'finalized' : 'included',
      preflight: options.preflight ?? true,
      ...(nonce !== undefined && { nonce }),
      onSigned: (transaction) => {
        options.onSigned?.(transaction);
        journal?.signed(step, transaction);
      },
    });
    journal?.included(step, sent);
    const { status } = sent.receipt;
    if (status.type !== 'success') throw new CallFailedError(step.what, status, { sent });
    this.#add({ step, receipt: sent.receipt, isEarlier: false });
    return sent;
  }

  #expectPlanned(step: Step): void {
    const { plan } = this.#options;
    const place = this.asked.push(step) - 1;
    if (plan === undefined) return;
    const planned = plan[place];
    if (planned !== undefined && intentOf(planned) === intentOf(step)) return;
    const instead = planned === undefined ? 'nothing more' : planned.what;
    throw new CliError(
      `this step differs from the dry run, so it was not sent: ${step.what}; the dry run had ${instead}`,
    );
  }

  #add(performed: PerformedStep): void {
    const { step, receipt } = performed;
    if (step.type === 'deploy' && step.name !== undefined && receipt.contract !== undefined) {
      this.named(formatAddress(receipt.contract), step.name);
    }
    this.performed.push(performed);
    this.#options.onPerformed(performed, this.performed.length);
  }
}

import type { ExecStatus, TxSimulateResult } from '../generated/node-rpc-v1.js';
import { decodedText, isDecoded } from '../idl/decoded-text.js';
import type { IncludedTransaction } from './send-options.js';

/** Evidence of a failure: the included transaction, or its simulation if it was not sent; neither for a view call. */
export interface FailedCall {
  readonly sent?: IncludedTransaction;
  readonly simulation?: TxSimulateResult;
}

/** Thrown when a view call or a deployment fails, and when a simulation shows that a transaction would fail. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';
  /** Name of the failed operation, such as `Token.transfer`. */
  readonly what: string;
  /** Reason for the failure, including a revert's message and data. */
  readonly status: ExecStatus;
  /** The included transaction; undefined if there is none. */
  readonly sent: IncludedTransaction | undefined;
  /** The simulation that failed, after which nothing was sent; undefined if there is none. */
  readonly simulation: TxSimulateResult | undefined;

  /** @param what name of the failed operation, such as `Token.transfer` */
  constructor(what: string, status: ExecStatus, { sent, simulation }: FailedCall = {}) {
    const included = sent === undefined ? '' : ` (transaction ${sent.hashHex})`;
    const where = simulation === undefined ? included : ' (in a simulation; nothing was sent)';
    super(`${what}: ${describeStatus(status)}${where}`);
    this.what = what;
    this.status = status;
    this.sent = sent;
    this.simulation = simulation;
  }
}

/**
 * Describes a call's or transaction's status in one line.
 *
 * @example
 * describeStatus({ type: 'out_of_gas' }); // 'out of gas'
 */
export function describeStatus(status: ExecStatus): string {
  switch (status.type) {
    case 'success':
      return 'success';
    case 'out_of_gas':
      return 'out of gas';
    case 'invalid':
      return `invalid: ${status.value}`;
    case 'trapped':
      return `trapped: ${status.value.message} (${status.value.kind})`;
    case 'reverted': {
      const { message, error, data } = status.value;
      const parts = [
        ...(message === undefined ? [] : [message]),
        ...(error === undefined ? [] : [isDecoded(error) ? decodedText(error) : JSON.stringify(error)]),
      ];
      if (parts.length > 0) return `reverted: ${parts.join(': ')}`;
      return data.length === 0 ? 'reverted' : `reverted with ${data.length} bytes of data`;
    }
  }
}

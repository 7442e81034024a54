import type { ExecStatus } from '../generated/node-rpc-v1.js';

/** A contract's code ran and did not succeed. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';
  /** How it ended: what a revert says and carries is in here. */
  readonly status: ExecStatus;

  /** @param what was done, such as `Token.transfer` */
  constructor(what: string, status: ExecStatus) {
    super(`${what}: ${describeStatus(status)}`);
    this.status = status;
  }
}

/** One line on how a call or transaction ended. */
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
        ...(error === undefined ? [] : [describeError(error)]),
      ];
      if (parts.length > 0) return `reverted: ${parts.join(': ')}`;
      return data.length === 0 ? 'reverted' : `reverted with ${data.length} bytes of data`;
    }
  }
}

function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return JSON.stringify(error);
  const { name, args } = error as { readonly name?: unknown; readonly args?: unknown };
  return typeof name === 'string' ? `${name} ${JSON.stringify(args)}` : JSON.stringify(error);
}

/** An error response of the node: `{code, message, data: {kind, retryable, …}}`. */
export class RpcCallError extends Error {
  override readonly name = 'RpcCallError';
  readonly method: string;
  /** JSON-RPC error code, such as -32010. */
  readonly code: number;
  /** The code's symbolic name, such as `transaction_rejected`. */
  readonly kind: string;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  /** The error's data: `reason` of a rejected transaction, `limit` and `given`, `retry_after_ms`, … */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(method: string, error: { code: number; message: string; data: Record<string, unknown> }) {
    super(error.message);
    this.method = method;
    this.code = error.code;
    this.data = error.data;
    this.kind = typeof error.data['kind'] === 'string' ? error.data['kind'] : 'unknown';
    this.retryable = error.data['retryable'] === true;
  }

  /** The rejection reason if the kind is `transaction_rejected`. */
  get reason(): string | undefined {
    const { reason } = this.data as { reason?: unknown };
    return this.kind === 'transaction_rejected' && typeof reason === 'string' ? reason : undefined;
  }

  /** Delay requested by the node before the next attempt, in milliseconds. */
  get retryAfterMs(): number | undefined {
    const { retry_after_ms: ms } = this.data as { retry_after_ms?: unknown };
    return typeof ms === 'number' && ms >= 0 ? ms : undefined;
  }
}

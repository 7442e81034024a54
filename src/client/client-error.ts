/** Failures on the client's side of a call. The node's rejections are {@link RpcCallError}s. */
export type ClientErrorCode =
  /** The text is not an http or https URL. */
  | 'bad_url'
  /** The connection to the node failed, or broke before the response was complete. */
  | 'unreachable'
  /** No response within the timeout. */
  | 'timeout'
  /** The client has been closed. */
  | 'closed'
  /** The response does not follow the protocol. */
  | 'bad_answer'
  /** An argument has the wrong type. */
  | 'bad_argument'
  /** The text is not an interface of exactly one contract, or the contract has none. */
  | 'bad_interface'
  /** The text is not an address. */
  | 'bad_address'
  /** The text is not a hash. */
  | 'bad_hash'
  /** The text is not an amount. */
  | 'bad_amount'
  /** A private key has the wrong length or is outside its group. */
  | 'bad_key'
  /** The node accepted the transaction, but it was not included in time. It may still be. */
  | 'not_included'
  /** The transaction left the pool without being included. */
  | 'dropped'
  /**
   * A sealed transaction left the pool without being included. Once the key of its opening height is known, everyone
   * who has the envelope can read it.
   */
  | 'left_out'
  /** The node knows no transaction with this hash, neither in a block nor in its pool. */
  | 'unknown_transaction';

/** Thrown by the client. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The transaction's hash as 64 hex digits, for `not_included`, `dropped`, `left_out` and `unknown_transaction`. */
  declare readonly txHash?: string;

  constructor(
    code: ClientErrorCode,
    message: string,
    details: ErrorOptions & { readonly txHash?: string } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.txHash !== undefined) this.txHash = details.txHash;
  }
}

/** What can go wrong on the client's side of a call; what the node refuses is an {@link RpcCallError}. */
export type ClientErrorCode =
  /** A text that is no http or https URL. */
  | 'bad_url'
  /** No connection to the node, or it broke before the whole answer came. */
  | 'unreachable'
  /** No answer within the time set. */
  | 'timeout'
  /** The client has been closed. */
  | 'closed'
  /** Something answered that does not speak this protocol. */
  | 'bad_answer'
  /** An argument that is not of its type. */
  | 'bad_argument'
  /** A text that is no interface of exactly one contract, or no interface at all. */
  | 'bad_interface'
  /** A text that is no address. */
  | 'bad_address'
  /** A text that is no amount. */
  | 'bad_amount'
  /** A private key of the wrong length or outside its group. */
  | 'bad_key'
  /** A transaction was taken, but was not in a block within the time waited. It may still come. */
  | 'not_included'
  /** A transaction was taken and left the pool again without being included. */
  | 'dropped'
  /** The node knows no transaction of that hash: it has it in no block and in no pool. */
  | 'unknown_transaction';

/** Thrown by the client. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** For `not_included`, `dropped` and `unknown_transaction`: the transaction's hash, 64 hex digits. */
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

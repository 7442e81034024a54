import { CodedError } from '../../base/errors.js';

/** Failures of a source. */
export type SourceErrorCode =
  /** The connection failed or broke. */
  | 'unreachable'
  /** No complete response in time. */
  | 'timeout'
  /** The source refused, temporarily or permanently; `kind` says why. */
  | 'refused'
  /** Not a valid response: not JSON-RPC, of the wrong type, or too long. */
  | 'bad_answer'
  /** A hash, a root or a signature disproves the response, or it does not match the request. */
  | 'lied';

/** Thrown when a source does not provide the requested data. */
export class SourceError extends CodedError<SourceErrorCode> {
  override readonly name = 'SourceError';
  /** Kind of the JSON-RPC error, such as `not_ready`, for `refused`. */
  readonly kind: string | undefined;
  /** `data` of the JSON-RPC error, for `refused`. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: SourceErrorCode,
    message: string,
    details: ErrorOptions & { readonly kind?: string; readonly data?: SourceError['data'] } = {},
  ) {
    super(code, message, details);
    this.kind = details.kind;
    this.data = details.data ?? {};
  }

  /** True if no honest node would behave this way. */
  get isLie(): boolean {
    return this.code === 'bad_answer' || this.code === 'lied';
  }
}

/** Error for a response that fails verification. */
export function lied(message: string): SourceError {
  return new SourceError('lied', message);
}

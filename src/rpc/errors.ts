/**
 * RPC errors. {@link RPC_ERRORS} is the single table of error kinds, with their JSON-RPC codes, HTTP statuses and
 * whether a retry may succeed; `domain-errors.ts` maps every other error class to one of them.
 */

import type { Tier } from '../idl/manifest.js';
import type { ReasonName } from '../mempool/errors.js';

/** A value with a JSON form. A bigint is written as a JSON integer. */
export type DetailValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly DetailValue[]
  | { readonly [name: string]: DetailValue | undefined };

/** Fields of `data` by error kind, in addition to `kind` and `retryable`. */
export interface RpcErrorDetails {
  /** Position of the error in the body, in UTF-16 code units, if known. */
  parse_error: { readonly position?: number };
  /** The faulty member of the request object, if any. */
  invalid_request: { readonly member?: string; readonly suggestion?: string; readonly allow?: string };
  method_not_found: { readonly method: string; readonly suggestion?: string };
  /** `path` locates the faulty member, such as `params.steps[3].view.contract`. */
  invalid_params: { readonly path?: string; readonly expected?: string; readonly got?: string };
  /** `reason` is set if the operator of the node must act. */
  internal_error: { readonly error_id: string; readonly reason?: 'damaged_store' };
  unauthorized: { readonly required?: Tier };
  forbidden: { readonly required?: Tier; readonly tier?: Tier; readonly host?: string };
  payment_required: { readonly price: number; readonly left: number };
  rate_limited: { readonly retry_after_ms: number };
  /** `subject` names the limit, as in the manifest's `limits` if listed there. */
  limit_exceeded: {
    readonly subject?: string;
    readonly limit: number | bigint;
    readonly given?: number | bigint;
  };
  ambiguous_method: { readonly candidates: readonly string[] };
  transaction_rejected: {
    readonly reason: ReasonName;
    readonly [detail: string]: DetailValue | undefined;
  };
  not_found: { readonly [detail: string]: DetailValue | undefined };
  state_unavailable: {
    readonly oldest?: number | bigint;
    readonly newest?: number | bigint;
    /** Height of the block whose state was asked for, perhaps by the block's hash. */
    readonly height?: bigint;
  };
  not_ready: { readonly reasons?: readonly string[] };
  timeout: { readonly limit_ms?: number };
  overloaded: { readonly retry_after_ms: number };
}

export type RpcErrorKind = keyof RpcErrorDetails;

export interface RpcErrorRow {
  readonly code: number;
  /** HTTP status for a single request with this error; a batch is always 200. */
  readonly httpStatus: number;
  /** True if a retry may succeed. */
  readonly retryable: boolean;
}

export const RPC_ERRORS: { readonly [K in RpcErrorKind]: RpcErrorRow } = {
  parse_error: { code: -32700, httpStatus: 400, retryable: false },
  invalid_request: { code: -32600, httpStatus: 400, retryable: false },
  method_not_found: { code: -32601, httpStatus: 200, retryable: false },
  invalid_params: { code: -32602, httpStatus: 200, retryable: false },
  internal_error: { code: -32603, httpStatus: 200, retryable: false },
  unauthorized: { code: -32001, httpStatus: 401, retryable: false },
  forbidden: { code: -32002, httpStatus: 403, retryable: false },
  payment_required: { code: -32003, httpStatus: 402, retryable: false },
  rate_limited: { code: -32004, httpStatus: 429, retryable: true },
  limit_exceeded: { code: -32005, httpStatus: 200, retryable: false },
  ambiguous_method: { code: -32006, httpStatus: 200, retryable: false },
  transaction_rejected: { code: -32010, httpStatus: 200, retryable: false },
  not_found: { code: -32011, httpStatus: 200, retryable: false },
  state_unavailable: { code: -32012, httpStatus: 200, retryable: false },
  not_ready: { code: -32013, httpStatus: 503, retryable: true },
  timeout: { code: -32014, httpStatus: 200, retryable: false },
  overloaded: { code: -32015, httpStatus: 503, retryable: true },
};

/** HTTP statuses of calls by GET, for the kinds that JSON-RPC answers with 200. */
const GET_STATUSES: { readonly [K in RpcErrorKind]?: number } = {
  method_not_found: 404,
  invalid_params: 400,
  internal_error: 500,
  limit_exceeded: 400,
  ambiguous_method: 400,
  transaction_rejected: 400,
  not_found: 404,
  state_unavailable: 404,
  timeout: 504,
};

/** The meaning of each kind, as the published interface describes it. */
export const RPC_ERROR_MEANINGS: { readonly [K in RpcErrorKind]: string } = {
  parse_error: 'The request body is not JSON.',
  invalid_request: 'The request is not a JSON-RPC request, or not a valid HTTP request for this path.',
  method_not_found: 'There is no such method; `suggestion` has a similar name.',
  invalid_params: 'A parameter has the wrong form or value; `path` locates it.',
  internal_error: 'The node failed; its log has the details under `error_id`.',
  unauthorized: 'The method needs a token, or the token is not valid.',
  forbidden: "The token's tier does not include the method.",
  payment_required: "The token's compute units are used up.",
  rate_limited: 'The caller exceeds its rate; a retry may succeed after `retry_after_ms`.',
  limit_exceeded: 'A range, page, body or result exceeds the limit named by `subject`.',
  ambiguous_method:
    'Several interfaces have a method of this name; `candidates` lists their qualified names.',
  transaction_rejected: 'The pool rejects the transaction or bundle, for this `reason`.',
  not_found: 'Something that the call needs does not exist, such as a block, a checkpoint or a contract.',
  state_unavailable:
    "The height's state was pruned or does not exist yet; `oldest` and `newest` give the range.",
  not_ready: 'The node cannot answer yet, for these `reasons`.',
  timeout: 'Execution exceeded its wall-clock limit.',
  overloaded: 'The node is overloaded; a retry may succeed after `retry_after_ms`.',
};

export interface RpcErrorOptions extends ErrorOptions {
  readonly retryable?: boolean;
}

/** An error answer. Handlers throw it where no domain error applies. */
export class RpcError<K extends RpcErrorKind = RpcErrorKind> extends Error {
  override readonly name = 'RpcError';
  readonly kind: K;
  readonly details: RpcErrorDetails[K];
  readonly retryable: boolean;
  #json: string | undefined;

  /** @param message human-readable: what was expected, what was received, what to do */
  constructor(kind: K, message: string, details: RpcErrorDetails[K], options?: RpcErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.details = details;
    this.retryable = options?.retryable ?? RPC_ERRORS[kind].retryable;
  }

  get code(): number {
    return RPC_ERRORS[this.kind].code;
  }

  get httpStatus(): number {
    return RPC_ERRORS[this.kind].httpStatus;
  }

  /** HTTP status for a call by GET. Never 200, which means a result. */
  get getStatus(): number {
    return GET_STATUSES[this.kind] ?? this.httpStatus;
  }

  get httpHeaders(): readonly (readonly [name: string, value: string])[] {
    if (this.kind === 'unauthorized') return [['www-authenticate', 'Bearer realm="heddle"']];
    const seconds = this.retryAfterSeconds;
    return seconds === undefined ? [] : [['retry-after', String(seconds)]];
  }

  /** Whole seconds for `Retry-After`, or undefined if a retry does not help. */
  get retryAfterSeconds(): number | undefined {
    if (!RPC_ERRORS[this.kind].retryable) return undefined;
    const { retry_after_ms: waitMs } = this.details as { readonly retry_after_ms?: unknown };
    return typeof waitMs === 'number' ? Math.max(1, Math.ceil(waitMs / 1000)) : 1;
  }

  /** The error object of the answer, `{"code":…,"message":…,"data":{"kind":…,"retryable":…,…}}`, as JSON text. */
  toJsonText(): string {
    if (this.#json === undefined) {
      const { kind, retryable, details, code, message } = this;
      const data = JSON.stringify({ kind, retryable, ...details }, bigintAsInteger);
      this.#json = `{"code":${code},"message":${JSON.stringify(message)},"data":${data}}`;
    }
    return this.#json;
  }
}

/** The error for a parameter that decodes but makes no sense for the call. @param path such as `params.to_height` */
export function invalidParams(path: string, expected: string, got: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', `${path}: expected ${expected}, got ${got}`, { path, expected, got });
}

/**
 * The error for a request that exceeds a limit.
 * @param subject the limit's name, as in the manifest's `limits` if listed there; in `data.subject`
 * @param name the caller's term for the limited value, such as `params.addresses`; in the message
 * @param advice what to do instead
 */
export function limitExceeded(
  subject: string,
  limit: number | bigint,
  given?: number | bigint,
  name: string = subject,
  advice?: string,
): RpcError<'limit_exceeded'> {
  const came = given === undefined ? '' : `, got ${given}`;
  const hint = advice === undefined ? '' : `; ${advice}`;
  return new RpcError('limit_exceeded', `${name}: at most ${limit}${came}${hint}`, {
    subject,
    limit,
    ...(given === undefined ? {} : { given }),
  });
}

/** Details hold heights and limits, far below 2^53; larger bigints become strings to keep all digits. */
function bigintAsInteger(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Why this node can follow no further; somebody has to look. */
export type FollowErrorCode =
  /** A source serves another certified chain than the one that is kept here. */
  | 'other_chain'
  /** Executing a certified block gives something else than its header says. */
  | 'diverged';

/** The end of following: the node stops rather than mix chains or serve what it cannot account for. */
export class FollowError extends Error {
  override readonly name = 'FollowError';

  constructor(
    readonly code: FollowErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** What went wrong with a source. */
export type SourceErrorCode =
  /** No connection, or a broken one. */
  | 'unreachable'
  /** No whole answer in time. */
  | 'timeout'
  /** It answered that it cannot, for now or for good: `kind` says which. */
  | 'refused'
  /** What it sent is no answer: not JSON-RPC, not of the type, or longer than any right answer. */
  | 'bad_answer'
  /** What it sent is disproved by a hash, a root or a signature, or is not what was asked for. */
  | 'lied';

/** A source that did not give what was asked of it. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The kind of the JSON-RPC error, such as `not_ready`, for `refused`. */
  readonly kind: string | undefined;
  /** `data` of the JSON-RPC error, for `refused`. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: SourceErrorCode,
    message: string,
    details: {
      readonly kind?: string;
      readonly data?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.data = details.data ?? {};
  }

  /** Whether no honest node would have done it. */
  get isLie(): boolean {
    return this.code === 'bad_answer' || this.code === 'lied';
  }
}

/** What a source sent does not fit what it must be. */
export function lied(message: string): SourceError {
  return new SourceError('lied', message);
}

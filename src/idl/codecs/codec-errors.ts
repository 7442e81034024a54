/** Levels of a recursive type that codecs follow: far beyond real use, far below what the stack holds. */
export const MAX_RECURSION = 128;

/** Why a value or its binary form was refused. */
export type BorshErrorCode =
  /** Encoding: the value is not of the type. */
  | 'wrong_value'
  /** Decoding: the input ends before the value does, or a length says that it will. */
  | 'out_of_input'
  /** Decoding: the value ends before the input does. */
  | 'trailing_bytes'
  /** Decoding: a bool or the flag of an option is neither 0 nor 1. */
  | 'bad_flag'
  | 'unknown_variant'
  /** Decoding: a string is not UTF-8. */
  | 'bad_utf8'
  /** Longer than `@max` allows. */
  | 'too_long'
  /** More levels of a recursive type than the limit. */
  | 'too_deep'
  /** The type holds `json`. */
  | 'no_binary_form';

/** A value that cannot be encoded, or bytes that are no encoding. */
export class BorshError extends Error {
  override readonly name = 'BorshError';
  readonly code: BorshErrorCode;
  /** From the type's name to the place: `SignedTransaction.transaction.action.call.contract`. */
  readonly path: string;
  /** What is wrong, without the place. */
  readonly reason: string;
  /** Decoding: bytes from the start of the input. */
  readonly offset?: number;

  constructor(code: BorshErrorCode, path: string, reason: string, offset?: number) {
    super(offset === undefined ? `${path}: ${reason}` : `${path} at byte ${offset}: ${reason}`);
    this.code = code;
    this.path = path;
    this.reason = reason;
    if (offset !== undefined) this.offset = offset;
  }
}

export type JsonDecodeErrorCode = 'wrong_value' | 'missing' | 'unknown_member' | 'too_long' | 'too_deep';

/** A JSON value that is not of its type. */
export class JsonDecodeError extends Error {
  override readonly name = 'JsonDecodeError';
  readonly code: JsonDecodeErrorCode;
  /** To the offending member: `params.steps[3].view.contract`. */
  readonly path: string;
  readonly expected: string;
  /** A short description of what came. */
  readonly got: string;

  constructor(code: JsonDecodeErrorCode, path: string, expected: string, got: string) {
    super(`${path}: expected ${expected}, got ${got}`);
    this.code = code;
    this.path = path;
    this.expected = expected;
    this.got = got;
  }
}

/** A value that is not of its type, such as a negative u64. */
export class JsonEncodeError extends Error {
  override readonly name = 'JsonEncodeError';
  /** From the type's name to the place. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;

  constructor(path: string, expected: string, got: string) {
    super(`${path}: expected ${expected}, got ${got}`);
    this.path = path;
    this.expected = expected;
    this.got = got;
  }
}

const SHOWN_LENGTH = 60;

/** A short text that tells a person what a value is; never longer than a line. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return value.length <= SHOWN_LENGTH
        ? JSON.stringify(value)
        : `${JSON.stringify(value.slice(0, SHOWN_LENGTH))}… (${value.length} characters)`;
    case 'bigint':
      return `${value}`.slice(0, SHOWN_LENGTH);
    case 'number':
    case 'boolean':
      return `${value}`;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value))
        return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`;
      if (value instanceof Uint8Array) return `${value.length} bytes`;
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** A path, a member name in it, and an index below that where it is not −1. */
export function joinPath(path: string, member: string, index: number): string {
  return index < 0 ? path + member : `${path}${member}[${index}]`;
}

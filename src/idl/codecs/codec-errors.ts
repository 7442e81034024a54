/** Maximum nesting of a recursive type in codecs: far beyond real use, far below the stack's capacity. */
export const MAX_RECURSION = 128;

/** Why a value or its binary form was rejected. */
export type BorshErrorCode =
  /** Encoding: the value does not match the type. */
  | 'wrong_value'
  /** Decoding: the input ends before the value does, or a length exceeds the input. */
  | 'out_of_input'
  /** Decoding: the value ends before the input does. */
  | 'trailing_bytes'
  /** Decoding: a bool or an option flag is neither 0 nor 1. */
  | 'bad_flag'
  | 'unknown_variant'
  /** Decoding: a string is not UTF-8. */
  | 'bad_utf8'
  /** Longer than `@max` allows. */
  | 'too_long'
  /** Nested more deeply than the limit for recursive types. */
  | 'too_deep'
  /** The type contains `json`. */
  | 'no_binary_form';

/** Thrown for a value that cannot be encoded, or bytes that are not a valid encoding. */
export class BorshError extends Error {
  override readonly name = 'BorshError';
  readonly code: BorshErrorCode;
  /** Path from the type's name: `SignedTransaction.transaction.action.call.contract`. */
  readonly path: string;
  /** The problem, without the place. */
  readonly reason: string;
  /** Decoding: offset in the input, in bytes. */
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

/** Thrown when a JSON value does not match its type. */
export class JsonDecodeError extends Error {
  override readonly name = 'JsonDecodeError';
  readonly code: JsonDecodeErrorCode;
  /** Path to the offending member: `params.steps[3].view.contract`. */
  readonly path: string;
  readonly expected: string;
  /** A short description of the actual value. */
  readonly got: string;

  constructor(code: JsonDecodeErrorCode, path: string, expected: string, got: string) {
    super(`${path}: expected ${expected}, got ${got}`);
    this.code = code;
    this.path = path;
    this.expected = expected;
    this.got = got;
  }
}

/** Thrown when a value does not match its type, such as a negative u64. */
export class JsonEncodeError extends Error {
  override readonly name = 'JsonEncodeError';
  /** Path from the type's name. */
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

/** A short description of a value for error messages; never longer than a line. */
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

/** What a value of a 64- or 128-bit integer type has to be, for error messages; a number is the common mistake. */
export function wideInteger(type: string, value: unknown): string {
  if (typeof value !== 'number') return type;
  return `${type}, a bigint such as ${Number.isSafeInteger(value) && value >= 0 ? value : 5}n`;
}

/** Joins a path, a member name and an index; −1 means no index. */
export function joinPath(path: string, member: string, index: number): string {
  return index < 0 ? path + member : `${path}${member}[${index}]`;
}

import { RpcError } from '../errors.js';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** The error for a text that is not JSON, with the position of the problem. */
export function notJson(text: string, position: number, problem: string): RpcError<'parse_error'> {
  const found = position < text.length ? JSON.stringify(text.charAt(position)) : 'the end of the body';
  return new RpcError(
    'parse_error',
    `the body is not JSON: ${problem} at position ${position}, got ${found}`,
    { position },
  );
}

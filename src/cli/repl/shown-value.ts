import { inspect } from 'node:util';
import { shownText } from '../../base/shown-text.js';
import { ClientError, RpcCallError } from '../../client/client.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { CliError } from '../cli-error.js';

const MAX_BYTES = 256;
const MAX_DEPTH = 12;

/** Bytes that are printed as hex digits, as the console's user would write them. */
class HexBytes {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  [inspect.custom](_depth: number, options: { stylize(text: string, style: string): string }): string {
    const { length } = this.#bytes;
    const shown = toPrefixedHex(this.#bytes.subarray(0, MAX_BYTES));
    return options.stylize(length > MAX_BYTES ? `${shown}… (${length} bytes)` : shown, 'string');
  }
}

/** The colours and styles that `inspect` sets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: every style begins with one
const STYLES = /(\u001b\[(?:1|[2-4]\d|90)m)/;

/** Text for a value: bytes as `0x…`, integers with `_` between thousands. */
export function showValue(value: unknown, colors: boolean): string {
  const text = inspect(withHexBytes(value, MAX_DEPTH), { colors, depth: 6, numericSeparator: true });
  if (!colors) return shownText(text);
  return text
    .split(STYLES)
    .map((part, place) => (place % 2 === 1 ? part : shownText(part)))
    .join('');
}

/** Text for an error, without the stack, which `_error` in the console has. */
export function showError(error: Error): string {
  const kind = error instanceof RpcCallError ? ` (${error.reason ?? error.kind})` : '';
  const code = error instanceof ClientError ? ` (${error.code})` : '';
  const name = error instanceof CliError ? 'Error' : error.name;
  return shownText(`${name}: ${error.message}${kind}${code}`);
}

/** Replaces bytes in plain objects and lists; everything else, also a deeper value, stays as it is. */
function withHexBytes(value: unknown, depth: number): unknown {
  if (value instanceof Uint8Array) return new HexBytes(value);
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withHexBytes(item, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withHexBytes(member, depth - 1)]);
  return Object.fromEntries(members);
}

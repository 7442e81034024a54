import { isUtf8 } from 'node:buffer';
import { RpcError } from './errors.js';

const REPLACEMENT = '\ufffd';

/**
 * The text of a request body.
 * @throws RpcError parse_error where the bytes are not UTF-8
 */
export function bodyText(body: Uint8Array): string {
  const buffer = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = buffer.toString();
  // Bad bytes decode to U+FFFD, which may also have been sent as such: only then the bytes are looked at again.
  if (text.includes(REPLACEMENT) && !isUtf8(buffer)) {
    const what =
      buffer[0] === 0x1f && buffer[1] === 0x8b ? 'compressed by gzip; send it as it is' : 'not UTF-8';
    throw new RpcError('parse_error', `the body is ${what}`, {});
  }
  return text;
}

import { answerTooLong } from './domain-errors.js';
import type { MethodDeclaration } from './rpc-interface.js';

/**
 * The JSON text of a result.
 * @throws RpcError limit_exceeded where it has more bytes than an answer may
 */
export function encodedResult(
  declaration: MethodDeclaration,
  result: unknown,
  maxAnswerBytes: number,
): string {
  const text = declaration.encodeResult(result);
  if (text.length * 3 > maxAnswerBytes && Buffer.byteLength(text) > maxAnswerBytes) {
    throw answerTooLong(maxAnswerBytes, Buffer.byteLength(text));
  }
  return text;
}

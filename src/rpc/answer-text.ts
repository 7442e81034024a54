import { answerTooLong } from './domain-errors.js';
import type { MethodDeclaration } from './rpc-interface.js';

/**
 * Encodes a result as JSON text.
 * @throws RpcError limit_exceeded if it is longer than an answer may be
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

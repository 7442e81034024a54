/**
 * The same text in one piece: V8 keeps a concatenation as a tree of its parts, and every answer that contains it would
 * walk the tree again. For texts that are kept and sent many times.
 */
export function flatText(text: string): string {
  return Buffer.from(text).toString();
}

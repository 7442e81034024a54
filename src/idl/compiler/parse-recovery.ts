/** Resumes parsing after a mistake, at the next member or item, so that one mistake hides no others. */
import type { TokenCursor } from './token-cursor.js';

export const ITEM_KEYWORDS: ReadonlySet<string> = new Set([
  'interface',
  'contract',
  'struct',
  'enum',
  'type',
]);

/** Skips to the next item: `struct Name` at the start of a line, possibly after doc lines. */
export function skipToItem(cursor: TokenCursor): void {
  while (cursor.token.kind !== 'end') {
    if (cursor.token.startsLine) {
      let at = cursor.at;
      while (cursor.peek(at)?.kind === 'doc') at++;
      const keyword = cursor.peek(at);
      const follows = cursor.peek(at + 1)?.kind === 'word';
      if (keyword?.kind === 'word' && keyword.startsLine && follows && ITEM_KEYWORDS.has(keyword.text))
        return;
      cursor.at = Math.max(at, cursor.at + 1);
    } else {
      cursor.at++;
    }
  }
}

/** Skips the rest of an invalid member. @returns false if the enclosing braces seem to have ended */
export function skipToMember(cursor: TokenCursor, memberStart: number): boolean {
  if (isItemHead(cursor, memberStart)) {
    cursor.at = memberStart;
    return false;
  }
  let depth = 0;
  for (let at = memberStart; at < cursor.at; at++) {
    const token = cursor.peek(at);
    if (token?.kind !== 'punctuation') continue;
    if (token.text === '{') depth++;
    else if (token.text === '}') depth--;
  }
  let moved = cursor.at > memberStart;
  for (;;) {
    const token = cursor.token;
    if (token.kind === 'end') return false;
    if (isItemHead(cursor, cursor.at)) return false;
    if (depth <= 0 && token.startsLine && moved) return true;
    if (token.kind === 'punctuation') {
      if (token.text === '{') depth++;
      else if (token.text === '}') {
        if (depth <= 0) return true;
        depth--;
        if (depth === 0) {
          cursor.at++;
          return true;
        }
      } else if ((token.text === ';' || token.text === ',') && depth <= 0) {
        cursor.at++;
        return true;
      }
    }
    cursor.at++;
    moved = true;
  }
}

/** Matches `struct Name {` or `type Name =` at the start of a line; no member has that form. */
function isItemHead(cursor: TokenCursor, at: number): boolean {
  const keyword = cursor.peek(at);
  const mark = cursor.peek(at + 2);
  if (keyword?.kind !== 'word' || !keyword.startsLine || !ITEM_KEYWORDS.has(keyword.text)) return false;
  return cursor.peek(at + 1)?.kind === 'word' && mark?.text === (keyword.text === 'type' ? '=' : '{');
}

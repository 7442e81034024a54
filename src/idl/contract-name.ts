const LINE_FEED = 10;
const QUOTE = 34;
const SLASH = 47;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * The name of the one contract that an interface text declares; undefined for none or several. The text may be
 * anything: this reads it once, without compiling it, so that a name can be had for each text of a block.
 */
export function contractNameOf(text: string): string | undefined {
  let name: string | undefined;
  let depth = 0;
  /** Whether the last token was the word `contract` outside of braces. */
  let isNext = false;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === SLASH && text.charCodeAt(at + 1) === SLASH) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      continue;
    }
    if (isWordPart(code)) {
      const start = at;
      while (isWordPart(text.charCodeAt(at))) at++;
      if (depth !== 0) continue;
      if (!isNext) {
        isNext = at - start === 'contract'.length && text.startsWith('contract', start);
        continue;
      }
      if (name !== undefined) return undefined;
      name = text.slice(start, at);
      isNext = false;
      continue;
    }
    // Neither white space nor a comment.
    if (code > 32) isNext = false;
    if (code === OPEN) depth++;
    else if (code === CLOSE) depth--;
    at = code === QUOTE ? endOfString(text, at) : at + 1;
  }
  return name;
}

function isWordPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57)
  );
}

/** Strings end with their line. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) return at;
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

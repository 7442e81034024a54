/**
 * Untrusted text from the chain. The pages show it as text only; these functions shorten it and make its invisible
 * characters visible.
 */

/**
 * Control characters, invisible characters, and characters that change the direction of text. They can make one name
 * look like another.
 */
const DISGUISED = /(?![\t\n])[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Replaces these characters with escapes, such as `\u202e`. */
export function undisguised(text: string): string {
  return text.replace(DISGUISED, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  });
}

export interface Excerpt {
  readonly text: string;
  /** Number of characters that are left out. */
  readonly left: number;
}

/** The beginning of an untrusted text, {@link undisguised}. @param max number of characters */
export function excerpt(text: string, max: number): Excerpt {
  if (text.length <= max) return { text: undisguised(text), left: 0 };
  // Does not cut a surrogate pair in half.
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return { text: undisguised(text.slice(0, end)), left: text.length - end };
}

/** A name from the chain in one line. */
export function shortName(name: string, max = 64): string {
  const { text, left } = excerpt(name.replace(/\s+/g, ' '), max);
  return left === 0 ? text : `${text}…`;
}

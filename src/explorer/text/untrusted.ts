import { shownText } from '../../base/shown-text.js';

/** The beginning of an untrusted text from the chain, with its invisible characters as escapes. */
export interface Excerpt {
  readonly text: string;
  /** Number of characters that are left out. */
  readonly left: number;
}

/** @param max number of characters */
export function excerpt(text: string, max: number): Excerpt {
  if (text.length <= max) return { text: shownText(text), left: 0 };
  // Does not cut a surrogate pair in half.
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return { text: shownText(text.slice(0, end)), left: text.length - end };
}

/** A name from the chain in one line. */
export function shortName(name: string, max = 64): string {
  const { text, left } = excerpt(name.replace(/\s+/g, ' '), max);
  return left === 0 ? text : `${text}…`;
}

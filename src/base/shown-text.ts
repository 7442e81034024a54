/* Text from others, such as a node or a contract, as a terminal or page may show it. */

/**
 * Characters that control a terminal, reorder its text or break its lines, and invisible ones, which make one name look
 * like another.
 */
const DISGUISED = /[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
const DISGUISED_BUT_LINES = new RegExp(`(?!\\r?\\n|\\t)${DISGUISED.source}`, 'gu');

/**
 * Text of any number of lines. Those characters become escapes as in JSON, such as `\u001b`, so that JSON keeps its
 * meaning; line ends and tabs stay.
 */
export function shownText(text: string): string {
  return text.replace(DISGUISED_BUT_LINES, escaped);
}

/** Text of one line: like {@link shownText}, but line ends and tabs become escapes, too, so that no row can be forged. */
export function shownLine(text: string): string {
  return text.replace(DISGUISED, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

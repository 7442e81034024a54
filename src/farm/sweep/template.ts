import type { Place } from './place.js';

/** Maximum depth of arrays and objects. */
const MAX_DEPTH = 64;

/**
 * Checks that parsed JSON has the numbers of its text, and that functions may recurse into it.
 * @throws SweepError
 */
export function checkJsonValue(value: unknown, place: Place, depth = 0): void {
  if (typeof value === 'number') {
    // Fractions are rounded too, but to the number that they stand for.
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
    throw place.wrong(`expected a number from ${least} to ${most}, or a string of digits, got ${value}`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH)
    throw place.wrong(`expected at most ${MAX_DEPTH} nested arrays and objects, got more`);
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) {
    if (typeof member === 'number' || typeof member === 'object')
      checkJsonValue(member, place.at(key), depth + 1);
  }
}

/** A value as JSON text without line separators: some readers of lines end a line at U+2028 and U+2029. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (separator) =>
    separator === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

export interface Reference {
  readonly name: string;
  readonly column: string | undefined;
  /** True if the reference is a whole string, which the value replaces with its JSON type. */
  readonly isWhole: boolean;
  readonly place: Place;
}

/** JSON text, or a reference inside it. */
export type TemplatePart = string | Reference;

/** A parameter's name. Names like numbers would change their order in a JSON object. */
const NAME = '[A-Za-z][A-Za-z0-9_]*';

export const PARAMETER_NAME = new RegExp(`^${NAME}$`);

/** An escaped brace, a reference, or the beginning of a malformed reference. */
const MARKS = new RegExp(String.raw`(\$\$\{)|\$\{(${NAME})(?:\.([^}]+))?\}|(\$\{[^}]*\}?)`, 'g');

/** Converts a JSON value to JSON text with references. @throws SweepError about a malformed reference */
export function templateParts(value: unknown, place: Place): TemplatePart[] {
  if (typeof value === 'string') return textParts(value, place);
  if (Array.isArray(value)) {
    const elements = value.map((element, index) => templateParts(element, place.at(index)));
    return ['[', ...joined(elements), ']'];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, member]) => {
      if (key.includes('${')) throw place.wrong(`expected no reference in the name of a member, got ${key}`);
      return [`${jsonText(key)}:`, ...templateParts(member, place.at(key))];
    });
    return ['{', ...joined(entries), '}'];
  }
  return [jsonText(value)];
}

function joined(lists: readonly (readonly TemplatePart[])[]): TemplatePart[] {
  return lists.flatMap((list, index) => (index === 0 ? list : [',', ...list]));
}

function textParts(text: string, place: Place): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [mark, escaped, name, column, malformed] = match;
    if (malformed !== undefined) {
      throw place.unexpected(
        `\${name}, \${name.column}, or $\${ for the characters \${ themselves`,
        malformed,
      );
    }
    parts.push(inString(text.slice(end, match.index)));
    if (escaped !== undefined) parts.push('${');
    else if (name !== undefined) parts.push({ name, column, isWhole: mark === text, place });
    end = match.index + mark.length;
  }
  const [first, second] = parts;
  if (typeof second === 'object' && second.isWhole && first === '') return [second];
  return ['"', ...parts, inString(text.slice(end)), '"'];
}

/** Characters as they are written inside a JSON string. */
function inString(text: string): string {
  return jsonText(text).slice(1, -1);
}

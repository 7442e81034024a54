import { jsonText } from './json-value.js';
import type { Place } from './place.js';

/** A `${name}` or `${name.column}` in a template. */
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

/**
 * Converts a JSON value to JSON text with references.
 * @throws SweepError about a malformed reference
 */
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

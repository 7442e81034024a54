import type { JsonValue } from './json-value.js';

/** Longer values are truncated. */
const MAX_VALUE = 80;

/** Describes a decoded event, error or call on one line: `TooLate(id: 2, at: 1700)`. */
export function decodedText({ name, args }: { readonly name: string; readonly args: unknown }): string {
  return `${name}${membersText(args)}`;
}

/** Lists the members of an object, such as a call's arguments, on one line. */
export function membersText(members: unknown): string {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return '(…)';
  const shown = Object.entries(members).map(([name, value]) => `${name}: ${cut(textOf(value))}`);
  return `(${shown.join(', ')})`;
}

/** Whether a value is a decoded event or error: an object with a name and arguments. */
export function isDecoded(value: unknown): value is { readonly name: string; readonly args: JsonValue } {
  if (typeof value !== 'object' || value === null) return false;
  return 'name' in value && typeof value.name === 'string' && 'args' in value;
}

/** Truncates a long value. */
export function cut(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' && /^[0-9a-zA-Z_]+$/.test(value) ? value : JSON.stringify(value);
}

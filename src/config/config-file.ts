import { readFileSync } from 'node:fs';
import { errorMessage, hasCode } from '../base/errors.js';
import { ConfigError } from './config-error.js';

/**
 * Reads a JSON file with a single object.
 * @param source option or variable that named the file, for messages
 * @throws {ConfigError} if it cannot be read, is not JSON (with line and column), or is not an object
 */
export function readJsonObject(path: string, source?: string): Record<string, unknown> {
  const fail = (reason: string, cause?: unknown): ConfigError =>
    new ConfigError(`${path}: ${reason}${source === undefined ? '' : ` (named by ${source})`}`, { cause });

  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw fail(describeReadError(error), error);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw fail(`not valid JSON: ${describeSyntaxError(error, content)}`, error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const got = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
    throw fail(`expected a JSON object, got ${got}`);
  }
  return Object.fromEntries(Object.entries(value));
}

function describeReadError(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'no such file';
  if (hasCode(error, 'EACCES')) return 'no permission to read it';
  if (hasCode(error, 'EISDIR')) return 'it is a directory, expected a file';
  if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'not valid UTF-8 text';
  return errorMessage(error);
}

/** The engine's message on one line; a position in it becomes line and column. Some messages have no position. */
function describeSyntaxError(error: unknown, content: string): string {
  const message = errorMessage(error).replace(/\s+/g, ' ');
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return message;
  const before = content.slice(0, Number(position)).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `${message.replace(/ in JSON at position.*| at position.*/s, '')} (line ${before.length}, column ${column})`;
}

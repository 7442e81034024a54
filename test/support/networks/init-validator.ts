import assert from 'node:assert/strict';
import { heddle } from '../nodes/command-line.js';

/** Makes a validator's directory by `heddle init`. @returns it, and the public line that the command printed */
export async function initValidator(
  home: string,
  endpoint: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly home: string; readonly line: string }> {
  const made = await heddle(['init', home, '--endpoint', endpoint, ...flags], env);
  assert.equal(made.code, 0, made.err);
  return { home, line: made.out.trim() };
}

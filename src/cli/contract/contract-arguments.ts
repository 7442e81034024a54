import { errorMessage } from '../../base/errors.js';
import { ClientError, formatAddress, formatHash, parseAmount } from '../../client/client.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, Manifest, TypeReference } from '../../idl/manifest.js';
import { CliError } from '../cli-error.js';
import { addressOf, hashOf } from '../values.js';

/** The syntax of arguments, for help texts. */
export const ARGUMENTS_HELP = [
  'Arguments go by name (to=0x… amount=1e18), by position (0x… 1e18), or as one JSON object or array. dev:0, dev:1 …',
  'stand for the addresses of the development accounts. Lists, structs and enums are written in JSON. If the contract',
  'has a view decimals, an amount, value or supply with a decimal point (1.5) counts its units instead of the smallest.',
].join('\n');

/**
 * Parses a function's arguments into JSON values, which the interface then checks.
 * @throws CliError `usage`
 */
export function readArguments(
  words: readonly string[],
  params: readonly FieldDefinition[],
  manifest: Manifest,
): readonly JsonValue[] | { readonly [name: string]: JsonValue } | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  if (words.length === 1 && /^\s*[[{]/.test(first) && !isJsonParameter(params, manifest)) {
    return jsonArguments(first);
  }
  const named = words.map((word) => /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word));
  if (named.every((match) => match !== null)) {
    const entries = named.map(([, name = '', text = '']): [string, JsonValue] => {
      const param = params.find((each) => each.name === name);
      return [name, param === undefined ? text : readValue(text, param.type, manifest)];
    });
    return Object.fromEntries(entries);
  }
  if (named.some((match) => match !== null && params.some(({ name }) => name === match[1]))) {
    throw new CliError('usage', 'give all arguments by name (name=value), or all by position');
  }
  return words.map((text, i) => readValue(text, params[i]?.type ?? 'string', manifest));
}

/** Whether there is exactly one parameter, and it is written as a JSON object or array. */
function isJsonParameter(params: readonly FieldDefinition[], manifest: Manifest): boolean {
  const [only] = params;
  return params.length === 1 && only !== undefined && kindOf(only.type, manifest) === 'json';
}

function jsonArguments(text: string): readonly JsonValue[] | { readonly [name: string]: JsonValue } {
  try {
    return parseExactly(text) as ReturnType<typeof jsonArguments>;
  } catch (error) {
    const reason = errorMessage(error);
    throw new CliError('usage', `arguments: expected a JSON object or array: ${reason}`, { cause: error });
  }
}

/**
 * Parses a value by its type. Text that does not parse stays text: the interface refuses it with the argument's name.
 */
function readValue(text: string, type: TypeReference, manifest: Manifest): JsonValue {
  const [address, hash] = [addressOf(text), hashOf(text)];
  switch (kindOf(type, manifest)) {
    case 'text':
      return text;
    case 'address':
      return address === undefined ? text : formatAddress(address);
    case 'hash':
      return hash === undefined ? text : formatHash(hash);
    case 'amount':
      return readAmount(text);
    case 'plain':
    case 'json':
      return readJson(text);
  }
}

function readAmount(text: string): JsonValue {
  if (!/^\d[\d_,]*(\.\d+)?([eE]\+?\d+)?$/.test(text)) return readJson(text);
  let value: bigint;
  try {
    value = parseAmount(text);
  } catch (error) {
    if (error instanceof ClientError) return text;
    throw error;
  }
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `${value}`;
}

function readJson(text: string): JsonValue {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Matches strings, and numbers outside of strings, in JSON. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON without rounding integers beyond 2^53: such integers become text, which interfaces accept for every
 * integer type.
 */
function parseExactly(text: string): JsonValue {
  // Parsed unchanged first, so that syntax errors report the right position.
  const value: JsonValue = JSON.parse(text);
  const exact = text.replace(STRINGS_AND_NUMBERS, (part) =>
    /^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part,
  );
  return exact === text ? value : JSON.parse(exact);
}

type Kind = 'text' | 'address' | 'hash' | 'amount' | 'plain' | 'json';

/** The notation for values of a type. */
function kindOf(type: TypeReference, manifest: Manifest): Kind {
  const plain = plainType(type, manifest);
  if (plain === undefined) return 'json';
  if (plain === 'address' || plain === 'hash') return plain;
  if (plain === 'string' || /^bytes\d*$/.test(plain)) return 'text';
  if (/^u\d+$/.test(plain)) return 'amount';
  return plain === 'bool' || /^i\d+$/.test(plain) ? 'plain' : 'json';
}

/** The name of a type without aliases and options; undefined for lists and the like. */
export function plainType(type: TypeReference, manifest: Manifest): string | undefined {
  if (typeof type !== 'string') return 'option' in type ? plainType(type.option, manifest) : undefined;
  const alias = manifest.aliases.find(({ name }) => name === type);
  return alias === undefined ? type : plainType(alias.type, manifest);
}

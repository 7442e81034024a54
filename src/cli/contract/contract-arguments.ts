import type { Command } from 'commander';
import { errorMessage } from '../../base/errors.js';
import { ClientError, formatAddress, formatHash, parseAmount } from '../../client/client.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, Manifest, TypeReference } from '../../idl/manifest.js';
import { isRecord, type MapLeaf, mapFields, mapLeaves } from '../../idl/map-leaves.js';
import { TypeTable } from '../../idl/type-table.js';
import { CliError } from '../cli-error.js';
import { addressOf, hashOf } from '../values.js';

/** The syntax of arguments, for help texts. */
export const ARGUMENTS_HELP = [
  'Arguments go by name (to=0x… amount=1e18), by position (0x… 1e18), or as one JSON object or array. dev:0, dev:1 …',
  'stand for the addresses of the development accounts, also in JSON. Lists, structs and enums are written in JSON; a',
  'variant without a value is its name alone (choice=yes). A text is taken as it is; one that begins with -- or with the',
  'name of an option follows -- after all options. If the contract has a view decimals, an amount, value or supply with a',
  'decimal point (1.5) counts its units instead of the smallest.',
].join('\n');

/** Adds the arguments of a contract's function to a command. They may begin with a dash, such as -x, as options may not. */
export function addFunctionArguments(command: Command, description: string): Command {
  const parse = command.parseOptions.bind(command);
  const parseWords: Command['parseOptions'] = (args) => {
    const { operands, unknown } = parse(args);
    const [first, ...rest] = unknown;
    if (first === undefined || first.startsWith('--') || first === '-h') return { operands, unknown };
    const after = parseWords(rest);
    return { operands: [...operands, first, ...after.operands], unknown: after.unknown };
  };
  command.parseOptions = parseWords;
  return command.argument('[ARGS...]', description);
}

/** A function's arguments as JSON values, by name or by position. */
export type JsonArguments = readonly JsonValue[] | { readonly [name: string]: JsonValue };

/**
 * Parses a function's arguments into JSON values, which the interface then checks.
 * @throws CliError `usage`
 */
export function readArguments(
  words: readonly string[],
  params: readonly FieldDefinition[],
  manifest: Manifest,
): JsonArguments | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  if (words.length === 1 && /^\s*[[{]/.test(first) && !takesBrackets(params, manifest)) {
    return jsonArguments(first, params, manifest);
  }
  return withAddresses(wordArguments(words, params, manifest), params, manifest);
}

function wordArguments(
  words: readonly string[],
  params: readonly FieldDefinition[],
  manifest: Manifest,
): JsonArguments {
  const named = words.map((word, place) => namedArgument(word, place, params, manifest));
  if (named.every((each) => each !== undefined)) {
    const entries = named.map(({ name, text }): [string, JsonValue] => {
      const param = params.find((each) => each.name === name);
      return [name, param === undefined ? text : readValue(text, param.type, manifest)];
    });
    return Object.fromEntries(entries);
  }
  if (named.some((each) => params.some(({ name }) => name === each?.name))) {
    throw new CliError('usage', 'give all arguments by name (name=value), or all by position');
  }
  return words.map((text, i) => readValue(text, params[i]?.type ?? 'string', manifest));
}

/**
 * The name and the value of an argument given by name.
 * @returns undefined for one by position, such as a text with =, unless that begins with the name of a parameter
 */
export function namedArgument(
  word: string,
  place: number,
  params: readonly FieldDefinition[],
  manifest: Manifest,
): { readonly name: string; readonly text: string } | undefined {
  const [, name, text = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word) ?? [];
  if (name === undefined) return undefined;
  const isText = kindOfParameter(params[place], manifest) === 'text';
  return isText && params.every((each) => each.name !== name) ? undefined : { name, text };
}

/** Whether there is exactly one parameter, and its values may begin with a bracket. */
function takesBrackets(params: readonly FieldDefinition[], manifest: Manifest): boolean {
  return params.length === 1 && ['json', 'text'].includes(kindOfParameter(params[0], manifest) ?? '');
}

/** @throws CliError `usage` if the text is not JSON */
export function jsonArguments(
  text: string,
  params: readonly FieldDefinition[],
  manifest: Manifest,
): JsonArguments {
  let parsed: JsonArguments;
  try {
    parsed = parseExactly(text) as JsonArguments;
  } catch (error) {
    const reason = errorMessage(error);
    throw new CliError('usage', `arguments: expected a JSON object or array: ${reason}`, { cause: error });
  }
  return withAddresses(parsed, params, manifest);
}

/** Writes addresses and hashes as interfaces read them, wherever the types have some: `dev:4` becomes `0x…`. */
function withAddresses(
  args: JsonArguments,
  params: readonly FieldDefinition[],
  manifest: Manifest,
): JsonArguments {
  const types = new TypeTable(manifest);
  const leaf: MapLeaf = (type, value) => {
    if (type.kind !== 'primitive' || typeof value !== 'string') return value;
    const [address, hash] = [addressOf(value), hashOf(value)];
    if (type.name === 'address' && address !== undefined) return formatAddress(address);
    return type.name === 'hash' && hash !== undefined ? formatHash(hash) : value;
  };
  const mapped = isRecord(args)
    ? mapFields(types, params, args, 'args', leaf)
    : args.map((value, i) => {
        const type = params[i]?.type;
        return type === undefined || value === null ? value : mapLeaves(types, type, value, 'args', leaf);
      });
  return mapped as JsonArguments;
}

/**
 * Parses a value by its type. Text that does not parse stays text: the interface refuses it with the argument's name.
 */
function readValue(text: string, type: TypeReference, manifest: Manifest): JsonValue {
  switch (kindOf(type, manifest)) {
    case 'text':
    case 'address':
    case 'hash':
      return text;
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

function kindOfParameter(param: FieldDefinition | undefined, manifest: Manifest): Kind | undefined {
  return param === undefined ? undefined : kindOf(param.type, manifest);
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

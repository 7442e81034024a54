import { errorMessage } from '../../base/errors.js';
import {
  type Notation,
  notationOf,
  parseExactly,
  spellAddresses,
  valueOfWord,
} from '../../client/value-words.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, Manifest } from '../../idl/manifest.js';
import { isRecord, mapFields, mapLeaves } from '../../idl/map-leaves.js';
import { TypeTable } from '../../idl/type-table.js';
import { UsageError } from '../cli-error.js';
import { addressOf } from '../values.js';

/** The syntax of arguments, for help texts. */
export const ARGUMENTS_HELP = [
  'Arguments go by name (to=0x… amount=1e18), by position (0x… 1e18), or as one JSON object or array. dev:0, dev:1 …',
  'stand for the addresses of the development accounts, also in JSON. Lists, structs and enums are written in JSON; a',
  'variant without a value is its name alone (choice=yes). A text is taken as it is; one that begins with -- or with the',
  'name of an option follows -- after all options. If the contract has a view decimals, an amount, value or supply with a',
  'decimal point (1.5) counts its units instead of the smallest.',
].join('\n');

/** A function's arguments as JSON values, by name or by position. */
export type JsonArguments = readonly JsonValue[] | { readonly [name: string]: JsonValue };

/**
 * Parses a function's arguments into JSON values, which the interface then checks.
 * @throws UsageError
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
      return [name, param === undefined ? text : valueOfWord(text, param.type, manifest)];
    });
    return Object.fromEntries(entries);
  }
  if (named.some((each) => params.some(({ name }) => name === each?.name))) {
    throw new UsageError('give all arguments by name (name=value), or all by position');
  }
  return words.map((text, i) => valueOfWord(text, params[i]?.type ?? 'string', manifest));
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

/** @throws UsageError if the text is not JSON */
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
    throw new UsageError(`arguments: expected a JSON object or array: ${reason}`, { cause: error });
  }
  return withAddresses(parsed, params, manifest);
}

/** Writes addresses and hashes as interfaces read them, wherever the types have some. */
function withAddresses(
  args: JsonArguments,
  params: readonly FieldDefinition[],
  manifest: Manifest,
): JsonArguments {
  const types = new TypeTable(manifest);
  const leaf = spellAddresses(addressOf);
  const mapped = isRecord(args)
    ? mapFields(types, params, args, 'args', leaf)
    : args.map((value, i) => {
        const type = params[i]?.type;
        return type === undefined || value === null ? value : mapLeaves(types, type, value, 'args', leaf);
      });
  return mapped as JsonArguments;
}

function kindOfParameter(param: FieldDefinition | undefined, manifest: Manifest): Notation | undefined {
  return param === undefined ? undefined : notationOf(param.type, manifest);
}

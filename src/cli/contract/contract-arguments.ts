import { defined } from '../../base/defined.js';
import { errorMessage } from '../../base/errors.js';
import {
  CallFailedError,
  type Client,
  type ContractViewOptions,
  formatAddress,
  formatAmount,
} from '../../client/client.js';
import { tokenDecimals, tokenSymbol } from '../../client/token-answers.js';
import {
  type Notation,
  notationOf,
  parseExactly,
  plainType,
  spellAddresses,
  valueOfWord,
} from '../../client/value-words.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, Manifest } from '../../idl/manifest.js';
import { isRecord, mapFields, mapLeaves } from '../../idl/map-leaves.js';
import { TypeTable } from '../../idl/type-table.js';
import type { CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { blockAt } from '../connection-options.js';
import type { Console } from '../console.js';
import type { Lines } from '../sending-options.js';
import { addressOf, toAmount } from '../values.js';
import { findFunction, type OpenContract, openContract } from './contract-handle.js';

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

/** Parses a function's arguments into JSON values, which the interface then checks. @throws UsageError */
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

/** An argument by name; text with = may be one by position, unless it begins with a parameter's name. */
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
    throw new UsageError(`arguments: expected a JSON object or array: ${errorMessage(error)}`, {
      cause: error,
    });
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

type At = Pick<ContractViewOptions, 'at'>;

/** Names of parameters that may be given in the contract's own unit. */
const AMOUNTS: readonly string[] = ['amount', 'value', 'supply'];

/**
 * Rewrites amounts with a decimal point, such as 1.5, from the unit of the contract's `decimals` to the smallest, and
 * says so. Other arguments stay as they are, as do all of a contract without a view `decimals`.
 * @param words arguments as given, by name or by position
 * @throws UsageError for more fraction digits than decimals
 */
async function inSmallestUnit(
  words: readonly string[],
  params: readonly FieldDefinition[],
  opened: OpenContract,
  { console, at }: { readonly console: Console } & At,
): Promise<readonly string[]> {
  const amounts = words.map((word, i) => pointedAmount(word, i, params, opened.manifest));
  if (amounts.every((amount) => amount === undefined)) return words;
  const decimals = await decimalsOf(opened, defined({ at }));
  if (decimals === undefined) return words;
  return words.map((word, i) => {
    const found = amounts[i];
    if (found === undefined) return word;
    const { name, text } = found;
    const value = toAmount(text, decimals, name);
    console.err(
      `note: ${name}: ${text} is ${value} in units of 10^-${decimals}, from the contract's decimals\n`,
    );
    return `${word.slice(0, word.length - text.length)}${value}`;
  });
}

/** The amount with a decimal point in an argument, and its parameter's name. */
function pointedAmount(
  word: string,
  index: number,
  params: readonly FieldDefinition[],
  manifest: Manifest,
): { readonly name: string; readonly text: string } | undefined {
  const given = namedArgument(word, index, params, manifest);
  const param = given === undefined ? params[index] : params.find(({ name }) => name === given.name);
  const text = given?.text ?? word;
  if (param === undefined || !AMOUNTS.includes(param.name) || !/^\d[\d_,]*\.\d+$/.test(text))
    return undefined;
  return /^u(?:64|128|256)$/.test(plainType(param.type, manifest) ?? '')
    ? { name: param.name, text }
    : undefined;
}

/** The decimals of a token's unit, 0 to 38; undefined if its interface has no such view, or it answers anything else. */
export async function decimalsOf(opened: OpenContract, at: At): Promise<number | undefined> {
  return tokenDecimals(await answerOf(opened, 'decimals', /^u\d+$/, at));
}

/** A token's symbol; undefined if its interface has no such view, or it answers no short word. */
export async function symbolOf(opened: OpenContract, at: At): Promise<string | undefined> {
  return tokenSymbol(await answerOf(opened, 'symbol', /^string$/, at));
}

/** The answer of a view without arguments; null if the interface has none with such a result, or it fails. */
async function answerOf(
  { contract, manifest, handle }: OpenContract,
  name: string,
  type: RegExp,
  at: At,
): Promise<JsonValue> {
  const found = contract.functions.find((each) => each.name === name);
  if (found?.kind !== 'view' || found.params.length > 0 || found.returns === undefined) return null;
  if (!type.test(plainType(found.returns, manifest) ?? '')) return null;
  try {
    return await handle.view(name, undefined, at);
  } catch (error) {
    if (error instanceof CallFailedError) return null;
    throw error;
  }
}

export interface GivenCall {
  readonly contract: Uint8Array;
  readonly method: string;
  readonly words: readonly string[];
}

/** Opens the contract of a call, and reads its arguments. @throws UsageError; the errors of {@link openContract} */
export async function openCall(
  client: Client,
  { contract, method, words }: GivenCall,
  { idl, at }: { readonly idl?: string; readonly at?: bigint },
  { console, workingDirectory }: CommandContext,
): Promise<{ readonly opened: OpenContract; readonly args: JsonArguments | undefined }> {
  const opened = await openContract(client, contract, defined({ idlFile: idl, workingDirectory }));
  const { params } = findFunction(opened, method);
  const given = await inSmallestUnit(words, params, opened, { console, ...blockAt(at) });
  return { opened, args: readArguments(given, params, opened.manifest) };
}

/** Lines that describe a call of a contract with an amount. */
export function callLines({ handle, contract }: OpenContract, method: string, amount: bigint): Lines {
  return [
    ['contract', `${formatAddress(handle.address)} (${contract.name})`],
    ['method', method],
    ...(amount > 0n ? [['amount', formatAmount(amount)] as const] : []),
  ];
}

import { errorMessage } from '../../base/errors.js';
import { CallFailedError, type ContractViewOptions, parseAmount } from '../../client/client.js';
import { tokenDecimals, tokenSymbol } from '../../client/token-answers.js';
import { plainType } from '../../client/value-words.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, Manifest } from '../../idl/manifest.js';
import { UsageError } from '../cli-error.js';
import type { Console } from '../console.js';
import { namedArgument } from './contract-arguments.js';
import type { OpenContract } from './contract-handle.js';

type At = Pick<ContractViewOptions, 'at'>;

/** Names of parameters that may be given in the contract's own unit. */
const AMOUNTS: readonly string[] = ['amount', 'value', 'supply'];

/**
 * Rewrites amounts with a decimal point, such as 1.5, from the unit of the contract's `decimals` to the smallest, and
 * says so. Other arguments stay as they are, as do all of a contract without a view `decimals`.
 * @param words arguments as given, by name or by position
 * @throws UsageError for more fraction digits than decimals
 */
export async function inSmallestUnit(
  words: readonly string[],
  params: readonly FieldDefinition[],
  opened: OpenContract,
  { console, at }: { readonly console: Console } & At,
): Promise<readonly string[]> {
  const amounts = words.map((word, i) => pointedAmount(word, i, params, opened.manifest));
  if (amounts.every((amount) => amount === undefined)) return words;
  const decimals = await decimalsOf(opened, { ...(at !== undefined && { at }) });
  if (decimals === undefined) return words;
  return words.map((word, i) => {
    const found = amounts[i];
    if (found === undefined) return word;
    const { name, text } = found;
    const value = scaled(name, text, decimals);
    console.err(
      `note: ${name}: ${text} is ${value} in units of 10^-${decimals}, from the contract's decimals\n`,
    );
    return `${word.slice(0, word.length - text.length)}${value}`;
  });
}

function scaled(name: string, text: string, decimals: number): bigint {
  try {
    return parseAmount(text, decimals);
  } catch (error) {
    throw new UsageError(`${name}: ${errorMessage(error)}`, { cause: error });
  }
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

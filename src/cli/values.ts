import { InvalidArgumentError } from 'commander';
import { errorMessage } from '../base/errors.js';
import { addressOfText, bytesOfText, hashOfText } from '../client/address-words.js';
import { MAX_DECIMALS, parseAmount } from '../client/client.js';
import type { BlockRef } from '../generated/node-rpc-v1.js';
import { UsageError } from './cli-error.js';
import { devSigner } from './dev-signer.js';
import { height, integerBetween } from './option-parsers.js';

const SLOT_BYTES = 32;
const MAX_U64 = (1n << 64n) - 1n;
const MAX_U32 = 4_294_967_295;
const MAX_SHOWN = 80;

/** Reads an address like {@link addressOfText}, with the development accounts of this command. */
export function addressOf(text: string): Uint8Array | undefined {
  return addressOfText(text, (index) => devSigner(index).address);
}

/** Parses an address as {@link addressOf} reads it. @throws InvalidArgumentError */
export function address(text: string): Uint8Array {
  const bytes = addressOf(text);
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError(
    `expected an address (40 hex digits, or a development account such as dev:0), got ${shown(text)}`,
  );
}

/** Like {@link address}, see {@link named}. */
export function toAddress(text: string, name: string): Uint8Array {
  return named(address, text, name);
}

/** Parses text like an option or argument with this name. @throws UsageError */
export function named<T>(parse: (text: string) => T, text: string, name: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${name}: ${errorMessage(error)}`);
  }
}

/** Parses a hash as {@link hashOfText} reads it. @throws InvalidArgumentError */
export function hash(text: string): Uint8Array {
  const bytes = hashOfText(text);
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError(`expected a hash (64 hex digits), got ${shown(text)}`);
}

/** Parses a block's height, hash or name. @throws InvalidArgumentError */
export function blockRef(text: string): BlockRef {
  if (text === 'latest' || text === 'finalized') return { type: text };
  if (/^\d{1,16}$/.test(text)) return { type: 'height', value: height(text) };
  const value = hashOfText(text);
  if (value !== undefined) return { type: 'hash', value };
  throw new InvalidArgumentError(
    `expected a height, a hash (64 hex digits), latest or finalized, got ${shown(text)}`,
  );
}

/**
 * Parses a storage slot: 64 hex digits of any case with or without `0x`, or the number of a field for the slot of that
 * cell in contracts that use the SDK.
 * @throws InvalidArgumentError
 */
export function slot(text: string): Uint8Array {
  const bytes = bytesOfText(text, SLOT_BYTES);
  if (bytes !== undefined) return bytes;
  const field = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (field <= MAX_U32) return slotOfField(field);
  throw new InvalidArgumentError(
    `expected a slot (64 hex digits, or the number of a field), got ${shown(text)}`,
  );
}

/** See `contracts/sdk/storage.ts`: a length of 0 for the key of a cell, the field, little-endian, and zeros. */
function slotOfField(field: number): Uint8Array {
  const bytes = new Uint8Array(SLOT_BYTES);
  new DataView(bytes.buffer).setUint32(1, field, true);
  return bytes;
}

/** Parses an amount in the smallest unit. @throws InvalidArgumentError */
export function amount(text: string): bigint {
  try {
    return parseAmount(text);
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}

/** Parses an amount in units of 10^decimals. @param name of the option, for the message @throws UsageError */
export function toAmount(text: string, places: number | undefined, name: string): bigint {
  return named((given) => parseAmount(given, places), text, name);
}

export const decimals = integerBetween(0, MAX_DECIMALS);

/** Parses `length` bytes of hexadecimal, with or without `0x`. @throws InvalidArgumentError */
export function hexBytes(text: string, length: number): Uint8Array {
  const bytes = bytesOfText(text, length);
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError(`expected ${length} bytes in hexadecimal digits, got ${shown(text)}`);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of a duration such as 500ms, 90s, 45m, 12h or 30d; NaN for other texts. */
export function durationMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,12})(ms|[smhd])$/.exec(text) ?? [];
  return Number(count) * (UNITS_MS[unit] ?? Number.NaN);
}

export function u64(text: string): bigint {
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_U64) return BigInt(text);
  throw new InvalidArgumentError(`expected an integer from 0 to ${MAX_U64}, got ${JSON.stringify(text)}`);
}

export const u32 = integerBetween(0, MAX_U32);

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

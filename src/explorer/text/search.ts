import { addressOfText, devIndex } from '../../client/address-words.js';
import { toHex } from '../../idl/hex.js';

export type Query =
  | { readonly kind: 'height'; readonly height: bigint }
  /** The hash of a transaction or a block. */
  | { readonly kind: 'hash'; readonly hex: string }
  | { readonly kind: 'address'; readonly hex: string }
  | { readonly kind: 'validator'; readonly index: number }
  /** The first letters of a contract's name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unclear'; readonly message: string };

const MAX_HEIGHT = (1n << 64n) - 1n;
/** Maximum length of a query: a hash with prefix, and some space around it. */
const MAX_LENGTH = 200;
/** Hex digits of this length are more likely a part of a hash or an address than a name. */
const MIN_CUT_HEX = 20;

/**
 * Reads a block height, a hash, an address, `dev:3` for a development account, `validator 2`, or the name of a contract.
 * Heights may have grouped digits; `0x` is optional for hashes.
 */
export function parseQuery(text: string): Query {
  const trimmed = text.length > MAX_LENGTH ? '' : text.trim();
  if (trimmed === '' && text.length <= MAX_LENGTH) {
    return {
      kind: 'unclear',
      message: 'Enter a block height, a hash, an address or the name of a contract.',
    };
  }
  if (/^\d[\d,_ ]{0,30}$/.test(trimmed)) {
    const height = BigInt(trimmed.replace(/[,_ ]/g, ''));
    if (height <= MAX_HEIGHT) return { kind: 'height', height };
  }
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(trimmed)?.[1]?.toLowerCase();
  if (hex?.length === 64) return { kind: 'hash', hex };
  if (hex?.length === 40) return { kind: 'address', hex };
  const account = devIndex(trimmed) === undefined ? undefined : addressOfText(trimmed);
  if (account !== undefined) return { kind: 'address', hex: toHex(account) };
  const index = /^validator[ :]?(\d{1,5})$/i.exec(trimmed)?.[1];
  if (index !== undefined) return { kind: 'validator', index: Number(index) };
  const isCutHex = hex !== undefined && hex.length >= MIN_CUT_HEX;
  if (!isCutHex && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(trimmed)) return { kind: 'name', name: trimmed };
  const got = hex === undefined ? '' : ` This has ${hex.length} hex digits.`;
  return {
    kind: 'unclear',
    message: `Enter a block height, a hash of 64 hex digits, an address of 40 hex digits or the name of a contract.${got}`,
  };
}

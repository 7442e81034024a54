import * as v from 'valibot';
import { readAmount } from '../base/amount-text.js';
import { isHostEntry, isNetwork } from './host.js';
import type { OptionKind } from './option.js';

/** How an option's values are described: after "expected" in messages, and in help. */
type Words = Pick<OptionKind<unknown>, 'expected' | 'placeholder'>;

/** An integer between inclusive bounds; `unit` names the counted things. */
export function integer(min: number, max: number, unit?: string, placeholder = 'N'): OptionKind<number> {
  return {
    schema: v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max)),
    fromText: (value) => (/^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : value),
    expected: `an integer${unit === undefined ? '' : ` number of ${unit}`} from ${min} to ${max}`,
    placeholder,
  };
}

/** A port, where 0 stands for a free one. */
export const PORT = integer(0, 65_535, undefined, 'PORT');

export function bytes(min: number, max: number): OptionKind<number> {
  return integer(min, max, 'bytes', 'BYTES');
}

export function milliseconds(min: number, max: number): OptionKind<number> {
  return integer(min, max, 'milliseconds', 'MS');
}

const MIB = 1_048_576;

/** A number of mebibytes, converted to bytes. */
export function mebibytes(min: number): OptionKind<number> {
  const kind = integer(min, MIB, 'MiB', 'MIB');
  const toBytes = v.transform((count: number) => count * MIB);
  return { ...kind, schema: v.pipe(kind.schema, toBytes) };
}

/** An integer that may exceed 2^53, as digits or with an exponent. */
export function largeInteger(min: bigint, max: bigint, words: Words): OptionKind<bigint> {
  const schema = v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
    v.transform((value) => readAmount(String(value), 0)),
    v.bigint(),
    v.minValue(min),
    v.maxValue(max),
  );
  return { schema, fromText: asIs, ...words };
}

/** A switch, off by default: a flag without a value, `true` or `false` elsewhere. */
export const SWITCH: OptionKind<boolean> = {
  schema: v.boolean(),
  fromText: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  expected: 'true or false',
  placeholder: '',
  isSwitch: true,
};

export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  placeholder = values.join('|'),
): OptionKind<T> {
  return { schema: v.picklist(values), fromText: asIs, expected: `one of ${values.join(', ')}`, placeholder };
}

type Accept = (value: string) => boolean;

/** A text that `accept` returns true for. */
export function text(accept: Accept, words: Words): OptionKind<string> {
  return { schema: v.pipe(v.string(), v.check(accept)), fromText: asIs, ...words };
}

export const LISTEN_HOST = text((value) => /^[^\s/]+$/.test(value), {
  expected: 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
  placeholder: 'HOST',
});

const isPath: Accept = (value) => value !== '' && !value.includes('\0');

export function path(placeholder: 'DIR' | 'FILE'): OptionKind<string> {
  const what = placeholder === 'DIR' ? 'directory' : 'file';
  return { ...text(isPath, { expected: `the path of a ${what}`, placeholder }), path: true };
}

const STRINGS = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value): readonly string[] => [value].flat()),
);

/** A list of texts: a repeated flag, a comma-separated variable, an array (or a single string) in the config file. */
function texts(accept: Accept, words: Words): OptionKind<readonly string[]> {
  const areAccepted = v.check((values: readonly string[]) => values.every(accept));
  return { schema: v.pipe(STRINGS, areAccepted), fromText: parts, repeatable: true, ...words };
}

/** A list of texts: repeated or separated by commas, in every source. */
function separatedTexts(accept: Accept, words: Words): OptionKind<readonly string[]> {
  const schema = v.pipe(
    STRINGS,
    v.transform((values): readonly string[] => values.flatMap(parts)),
    v.check((values) => values.every(accept)),
  );
  return { schema, fromText: asIs, repeatable: true, ...words };
}

function parts(value: string): readonly string[] {
  return value.split(',').map((part) => part.trim());
}

function asIs(value: string): unknown {
  return value;
}

export const ORIGINS = texts(
  (value) =>
    value === '*' || (/^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value),
  { expected: 'origins such as https://app.example.com, or *', placeholder: 'ORIGIN' },
);

export const FILES: OptionKind<readonly string[]> = {
  ...texts(isPath, { expected: 'the path of a file', placeholder: 'FILE' }),
  path: true,
  mustExist: true,
};

export const HOSTS = separatedTexts(isHostEntry, {
  expected: 'names or addresses such as node.example, *.example.com, 10.0.0.1 or node.example:9545, or *',
  placeholder: 'HOST',
});

export const NETWORKS = separatedTexts(isNetwork, {
  expected: 'addresses or networks such as 10.0.0.1, 10.0.0.0/8 or fd00::/8',
  placeholder: 'NETWORK',
});

/** A list of validator endpoints, each with an index; without indexes, in the order of the set. */
export const PEER_ENDPOINTS = separatedTexts((value) => /^(?:\d{1,3}@)?[!-?A-~]+:[1-9]\d{0,4}$/.test(value), {
  expected: 'where validators listen, such as 2@10.0.0.3:9645 for the one with index 2, separated by commas',
  placeholder: 'INDEX@HOST:PORT',
});

const isNodeUrl: Accept = (value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  // Logs and metrics contain the URL, so it must not hold a password.
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
};

const ANY_NODE_URLS = separatedTexts(isNodeUrl, {
  expected: 'addresses of nodes such as http://10.0.0.1:9545, separated by commas, each once',
  placeholder: 'URL',
});

export const NODE_URLS: OptionKind<readonly string[]> = {
  ...ANY_NODE_URLS,
  schema: v.pipe(
    ANY_NODE_URLS.schema,
    v.check((urls) => new Set(urls).size === urls.length),
  ),
};

export const RECEIVER_URL = text(isNodeUrl, {
  expected: 'a URL such as http://127.0.0.1:4318',
  placeholder: 'URL',
});

/** The chain that a fork starts from. */
export interface ForkSource {
  readonly url: string;
  /** The block whose state is forked; the newest if absent. */
  readonly height: bigint | undefined;
}

/** Splits a value of `--fork`, `URL` or `URL@HEIGHT`. */
export function parseFork(value: string): ForkSource {
  const [, url = value, height] = /^(.*)@(\d{1,19})$/.exec(value) ?? [];
  return { url, height: height === undefined ? undefined : BigInt(height) };
}

export const FORK_SOURCE = text((value) => isNodeUrl(parseFork(value).url), {
  expected: 'a node such as http://10.0.0.1:9545, or with a height, http://10.0.0.1:9545@1200',
  placeholder: 'URL[@HEIGHT]',
});

/** A compressed BLS12-381 public key in G1, with or without prefix. */
const GROUP_KEY = /^(0x)?[0-9a-fA-F]{96}$/;

/** A validator group's key in hexadecimal, `dev`, or the path of a genesis file. */
export const TRUST_ANCHOR: OptionKind<string> = {
  ...path('FILE'),
  expected:
    'a public key of 48 bytes in hexadecimal (96 digits), the path of a genesis file that is there, or dev',
  placeholder: 'KEY|FILE|dev',
  isNotPath: (value) => value === 'dev' || GROUP_KEY.test(value),
  mustExist: true,
};

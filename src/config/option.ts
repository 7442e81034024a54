import * as v from 'valibot';
import { readAmount } from '../base/amount-text.js';
import { isHostEntry, isNetwork } from './host.js';

/** Values accepted by an option and their form in each source. */
export interface OptionKind<T> {
  /** Validates a value from a flag, a variable (both through `fromText`) or the config file, and converts it. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** Converts text of a flag or variable to its config file form, which `schema` may still reject. */
  readonly fromText: (text: string) => unknown;
  /** Description of accepted values, placed after "expected" in messages. */
  readonly expected: string;
  /** Placeholder of the value in help. */
  readonly placeholder: string;
  /** True if the flag may be repeated; its value is a list. */
  readonly repeatable?: boolean;
  /** True for a flag without a value. */
  readonly isSwitch?: boolean;
  /**
   * True for paths. Relative ones start from the working directory, or from the config file's directory if given there.
   */
  readonly path?: boolean;
  /** True for values of a path option that are not paths. */
  readonly isNotPath?: (value: string) => boolean;
  /** True if messages must not show the value, because it may hold a password. */
  readonly isSecret?: boolean;
  /** True if the path must exist. */
  readonly mustExist?: boolean;
}

export interface OptionDetails {
  readonly help: string;
  /** Default in its config file form; undefined if there is none. */
  readonly default?: unknown;
  /** Replacement for the default's value in help. */
  readonly defaultText?: string;
  /** Default path inside the directory of `--validator`. */
  readonly ofValidator?: string;
  /** Additional hint for a common mistake. */
  readonly hint?: (got: unknown) => string | undefined;
}

/** What an option is, but for its place in help. */
export type UngroupedOption<T> = OptionKind<T> & OptionDetails & { readonly flag: string };

/** An option: the only declaration of its flag, environment variable, config file key, help and validation. */
export interface OptionSpec<T> extends OptionKind<T>, OptionDetails {
  /** Flag without dashes, also the config file key. */
  readonly flag: string;
  /** Heading in help. */
  readonly group: string;
  /** True if only `--help all` shows it. */
  readonly isHidden: boolean;
}

/** Combines an option's details with its kind of value. Without a default its value may be undefined. */
export function option<T, D extends OptionDetails>(
  flag: string,
  kind: OptionKind<T>,
  details: D,
): UngroupedOption<D extends { readonly default: unknown } ? T : T | undefined> & D;
export function option<T>(
  flag: string,
  kind: OptionKind<T>,
  details: OptionDetails,
): UngroupedOption<T | undefined> {
  const schema = details.default === undefined ? v.optional(kind.schema) : kind.schema;
  return { ...kind, ...details, flag, schema };
}

type Grouped<O> = { readonly [K in keyof O]: O[K] & Pick<OptionSpec<unknown>, 'group' | 'isHidden'> };

/** The options of a group: first those that people use, then those that only `--help all` shows. */
export function group<
  const A extends Readonly<Record<string, UngroupedOption<unknown>>>,
  const B extends Readonly<Record<string, UngroupedOption<unknown>>>,
>(name: string, common: A, hidden: B): Grouped<A & B> {
  const placed = [
    ...Object.entries(common).map(([member, spec]) => [member, { ...spec, group: name, isHidden: false }]),
    ...Object.entries(hidden).map(([member, spec]) => [member, { ...spec, group: name, isHidden: true }]),
  ];
  return Object.fromEntries(placed);
}

/** Environment variable of an option: `HEDDLE_BLOCK_TIME` for `block-time`. */
export function variableName(spec: { readonly flag: string }): string {
  return `HEDDLE_${spec.flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The default as shown in help. */
export function defaultText(spec: OptionSpec<unknown>): string {
  const { default: value } = spec;
  if (spec.defaultText !== undefined) return spec.defaultText;
  const isNone = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isNone ? 'none' : String(value);
}

/** An integer between inclusive bounds; `unit` names the counted things. */
export function integer(min: number, max: number, unit?: string, placeholder = 'N'): OptionKind<number> {
  return {
    schema: v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max)),
    fromText: decimal,
    expected: `an integer${unit === undefined ? '' : ` number of ${unit}`} from ${min} to ${max}`,
    placeholder,
  };
}

/** An integer that may exceed 2^53, as digits or with an exponent. */
export function largeInteger(
  min: bigint,
  max: bigint,
  words: Pick<OptionKind<bigint>, 'expected' | 'placeholder'>,
): OptionKind<bigint> {
  return {
    schema: v.pipe(
      v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
      v.transform((value) => readAmount(String(value), 0)),
      v.bigint(),
      v.minValue(min),
      v.maxValue(max),
    ),
    fromText: asIs,
    ...words,
  };
}

const MIB = 1_048_576;

export function bytes(min: number, max: number): OptionKind<number> {
  return integer(min, max, 'bytes', 'BYTES');
}

export function milliseconds(min: number, max: number): OptionKind<number> {
  return integer(min, max, 'milliseconds', 'MS');
}

/** A number of mebibytes, converted to bytes. */
export function mebibytes(min: number, max = 1_048_576): OptionKind<number> {
  const kind = integer(min, max, 'MiB', 'MIB');
  return {
    ...kind,
    schema: v.pipe(
      kind.schema,
      v.transform((count) => count * MIB),
    ),
  };
}

/** One of a fixed set of words. */
export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  placeholder = values.join('|'),
): OptionKind<T> {
  return {
    schema: v.picklist(values),
    fromText: asIs,
    expected: `one of ${values.join(', ')}`,
    placeholder,
  };
}

/** A rule for texts: those that `accept` returns true for. */
interface TextRule extends Pick<OptionKind<string>, 'expected' | 'placeholder'> {
  readonly accept: (value: string) => boolean;
}

export function text(rule: TextRule): OptionKind<string> {
  return {
    schema: v.pipe(v.string(), v.check(rule.accept)),
    fromText: asIs,
    expected: rule.expected,
    placeholder: rule.placeholder,
  };
}

/** A switch, off by default: a flag without a value, `true` or `false` elsewhere. */
export function booleanSwitch(): OptionKind<boolean> {
  return {
    schema: v.boolean(),
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
    expected: 'true or false',
    placeholder: '',
    isSwitch: true,
  };
}

/** One or more strings. */
const STRINGS = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value): readonly string[] => [value].flat()),
);

/** A list of texts: a repeated flag, a comma-separated variable, an array (or a single string) in the config file. */
function texts(rule: TextRule): OptionKind<readonly string[]> {
  return {
    schema: v.pipe(
      STRINGS,
      v.check((values) => values.every(rule.accept)),
    ),
    fromText: (value) => value.split(',').map((part) => part.trim()),
    expected: rule.expected,
    placeholder: rule.placeholder,
    repeatable: true,
  };
}

/** A list of texts: repeated or separated by commas, in every source. */
function separatedTexts(rule: TextRule): OptionKind<readonly string[]> {
  return {
    ...texts(rule),
    schema: v.pipe(
      STRINGS,
      v.transform((values) => values.flatMap((part) => part.split(',').map((each) => each.trim()))),
      v.check((values) => values.every(rule.accept)),
    ),
    fromText: asIs,
  };
}

/** A list of host names and addresses. */
export function hosts(): OptionKind<readonly string[]> {
  return separatedTexts({
    accept: isHostEntry,
    expected: 'names or addresses such as node.example, *.example.com, 10.0.0.1 or node.example:9545, or *',
    placeholder: 'HOST',
  });
}

/** A list of addresses and CIDR networks. */
export function networks(): OptionKind<readonly string[]> {
  return separatedTexts({
    accept: isNetwork,
    expected: 'addresses or networks such as 10.0.0.1, 10.0.0.0/8 or fd00::/8',
    placeholder: 'NETWORK',
  });
}

/** A port, where 0 stands for a free one. */
export function port(): OptionKind<number> {
  return integer(0, 65_535, undefined, 'PORT');
}

/** A list of web origins. */
export function origins(): OptionKind<readonly string[]> {
  return texts({
    accept: (value) =>
      value === '*' || (/^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value),
    expected: 'origins such as https://app.example.com, or *',
    placeholder: 'ORIGIN',
  });
}

/** An address or host name to listen on. */
export function listenHost(): OptionKind<string> {
  return text({
    accept: (value) => /^[^\s/]+$/.test(value),
    expected: 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    placeholder: 'HOST',
  });
}

/** A list of existing files. */
export function files(): OptionKind<readonly string[]> {
  return {
    ...texts({
      accept: (value) => value !== '' && !value.includes('\0'),
      expected: 'the path of a file',
      placeholder: 'FILE',
    }),
    path: true,
    mustExist: true,
  };
}

export function path(placeholder: 'DIR' | 'FILE'): OptionKind<string> {
  return {
    schema: v.pipe(
      v.string(),
      v.check((value) => value !== '' && !value.includes('\0')),
    ),
    fromText: asIs,
    expected: placeholder === 'DIR' ? 'the path of a directory' : 'the path of a file',
    placeholder,
    path: true,
  };
}

/** A list of distinct node URLs. */
export function nodeUrls(): OptionKind<readonly string[]> {
  const kind = separatedTexts({
    accept: isNodeUrl,
    expected: 'addresses of nodes such as http://10.0.0.1:9545, separated by commas, each once',
    placeholder: 'URL',
  });
  const isDistinct = (urls: readonly string[]) => new Set(urls).size === urls.length;
  return { ...kind, schema: v.pipe(kind.schema, v.check(isDistinct)) };
}

/** The chain that a fork starts from. */
export interface ForkSource {
  /** A node of the chain. */
  readonly url: string;
  /** The block whose state is forked; the newest if absent. */
  readonly height: bigint | undefined;
}

/** Splits a value of `--fork`, `URL` or `URL@HEIGHT`. */
export function parseFork(value: string): ForkSource {
  const [, url = value, height] = /^(.*)@(\d{1,19})$/.exec(value) ?? [];
  return { url, height: height === undefined ? undefined : BigInt(height) };
}

export function forkSource(): OptionKind<string> {
  return text({
    accept: (value) => isNodeUrl(parseFork(value).url),
    expected: 'a node such as http://10.0.0.1:9545, or with a height, http://10.0.0.1:9545@1200',
    placeholder: 'URL[@HEIGHT]',
  });
}

/** The URL of a trace receiver. */
export function receiverUrl(): OptionKind<string> {
  return text({ accept: isNodeUrl, expected: 'a URL such as http://127.0.0.1:4318', placeholder: 'URL' });
}

/** A list of validator endpoints. */
export function peerEndpoints(): OptionKind<readonly string[]> {
  return separatedTexts({
    accept: (value) => PEER_ENDPOINT.test(value),
    expected:
      'where validators listen, such as 2@10.0.0.3:9645 for the one with index 2, separated by commas',
    placeholder: 'INDEX@HOST:PORT',
  });
}

/** An endpoint with an optional validator index. Without indexes, the list follows the order of the set. */
const PEER_ENDPOINT = /^(?:\d{1,3}@)?[!-?A-~]+:[1-9]\d{0,4}$/;

function isNodeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  // Logs and metrics contain the URL, so it must not hold a password.
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** A validator group's key in hexadecimal, `dev`, or the path of a genesis file. */
export function trustAnchor(): OptionKind<string> {
  return {
    ...path('FILE'),
    expected:
      'a public key of 48 bytes in hexadecimal (96 digits), the path of a genesis file that is there, or dev',
    placeholder: 'KEY|FILE|dev',
    isNotPath: (value) => value === 'dev' || GROUP_KEY.test(value),
    mustExist: true,
  };
}

/** A compressed BLS12-381 public key in G1, with or without prefix. */
const GROUP_KEY = /^(0x)?[0-9a-fA-F]{96}$/;

function decimal(value: string): unknown {
  return /^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : value;
}

function asIs(value: string): unknown {
  return value;
}

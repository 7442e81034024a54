import * as v from 'valibot';
import { isHostEntry } from './host.js';

/** Headings of `heddle start --help`, in its order. */
export type OptionGroup =
  | 'Node'
  | 'HTTP'
  | 'Sealing'
  | 'Validating'
  | 'State'
  | 'Following'
  | 'Pool'
  | 'Limits'
  | 'Logs';

/** What values an option takes and how each source writes them. */
export interface OptionKind<T> {
  /** Checks and turns what a flag, a variable (through `fromText`) or the config file gave into the config's value. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** What a flag's or variable's text means, in the form the config file would have; may still be refused by `schema`. */
  readonly fromText: (text: string) => unknown;
  /** What is accepted, to follow "expected" in a message. */
  readonly expected: string;
  /** The value's name in help. */
  readonly placeholder: string;
  /** The flag may be given several times; its value is a list. */
  readonly repeatable: boolean;
  /** The flag stands alone: it is given or not. */
  readonly isSwitch?: boolean;
  /** A relative path counts from the working directory, or from the config file's directory where that names it. */
  readonly path: boolean;
  /** Values of a path option that are no path. */
  readonly noPath?: (value: string) => boolean;
  /** The path must lead to something. */
  readonly mustExist?: boolean;
}

/** One option: the single declaration behind its flag, environment variable, config-file key, help and check. */
export interface OptionSpec<T> extends OptionKind<T> {
  /** The flag without its dashes, which is also the config file's key. */
  readonly flag: string;
  readonly group: OptionGroup;
  readonly help: string;
  /** The default as the config file would write it; undefined where the option has none. */
  readonly default: unknown;
  /** How help shows the default where its value would not say enough. */
  readonly defaultText?: string;
  /** Where it is in the directory of `--validator`, if that is given and the option is not. */
  readonly ofValidator?: string;
  /** A remark for a value that is often given wrongly. */
  readonly hint?: (got: unknown) => string | undefined;
}

type Details = Omit<OptionSpec<unknown>, keyof OptionKind<unknown>>;

/** Joins what an option is about with the values it takes. */
export function option<T>(kind: OptionKind<T>, details: Details): OptionSpec<T> {
  return { ...kind, ...details };
}

/** The environment variable of an option: `block-time` is read from `HEDDLE_BLOCK_TIME`. */
export function variableName(spec: { readonly flag: string }): string {
  return `HEDDLE_${spec.flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The default, as help shows it; undefined where there is none. */
export function defaultText(spec: OptionSpec<unknown>): string | undefined {
  if (spec.defaultText !== undefined) return spec.defaultText;
  if (spec.default === undefined) return undefined;
  return typeof spec.default === 'string' ? spec.default : JSON.stringify(spec.default);
}

/** An integer between bounds, both included; `unit` names what is counted. */
export function integer(bounds: {
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  readonly placeholder?: string;
}): OptionKind<number> {
  const { min, max, unit, placeholder } = bounds;
  return {
    schema: v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max)),
    fromText: decimal,
    expected: `an integer${unit === undefined ? '' : ` number of ${unit}`} from ${min} to ${max}`,
    placeholder: placeholder ?? 'N',
    repeatable: false,
    path: false,
  };
}

const MIB = 1_048_576;

/** An integer number of mebibytes, which the config holds in bytes. */
export function mebibytes(bounds: { readonly min: number; readonly max: number }): OptionKind<number> {
  const kind = integer({ ...bounds, unit: 'MiB', placeholder: 'MIB' });
  return {
    ...kind,
    schema: v.pipe(
      kind.schema,
      v.transform((count) => count * MIB),
    ),
  };
}

/** One of a few words. */
export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  placeholder = values.join('|'),
): OptionKind<T> {
  return {
    schema: v.picklist(values),
    fromText: asIs,
    expected: `one of ${values.join(', ')}`,
    placeholder,
    repeatable: false,
    path: false,
  };
}

/** A text that `accept` takes. */
export function text(rule: {
  readonly accept: (value: string) => boolean;
  readonly expected: string;
  readonly placeholder: string;
}): OptionKind<string> {
  return {
    schema: v.pipe(v.string(), v.check(rule.accept)),
    fromText: asIs,
    expected: rule.expected,
    placeholder: rule.placeholder,
    repeatable: false,
    path: false,
  };
}

/** Something that is off unless it is asked for: a flag without a value, `true` or `false` elsewhere. */
export function booleanSwitch(): OptionKind<boolean> {
  return {
    schema: v.boolean(),
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
    expected: 'true or false',
    placeholder: '',
    repeatable: false,
    path: false,
    isSwitch: true,
  };
}

/** One text, or several. */
const STRINGS = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value): readonly string[] => [value].flat()),
);

/** Several texts: a repeated flag, a comma-separated variable, an array (or one string) in the config file. */
export function texts(rule: {
  readonly accept: (value: string) => boolean;
  readonly expected: string;
  readonly placeholder: string;
}): OptionKind<readonly string[]> {
  return {
    schema: v.pipe(
      STRINGS,
      v.check((values) => values.every(rule.accept)),
    ),
    fromText: (value) => value.split(',').map((part) => part.trim()),
    expected: rule.expected,
    placeholder: rule.placeholder,
    repeatable: true,
    path: false,
  };
}

/** Names and addresses of hosts: a repeated flag, or separated by commas, wherever they are given. */
export function hosts(): OptionKind<readonly string[]> {
  return {
    ...texts({
      accept: isHostEntry,
      expected: 'names or addresses such as node.example, *.example.com, 10.0.0.1 or node.example:9545, or *',
      placeholder: 'HOST',
    }),
    schema: v.pipe(
      STRINGS,
      v.transform((values) => values.flatMap((part) => part.split(',').map((host) => host.trim()))),
      v.check((all) => all.every(isHostEntry)),
    ),
    fromText: asIs,
  };
}

/** A path, made absolute. */
export function path(placeholder: 'DIR' | 'FILE'): OptionKind<string> {
  return {
    schema: v.pipe(
      v.string(),
      v.check((value) => value !== '' && !value.includes('\0')),
    ),
    fromText: asIs,
    expected: placeholder === 'DIR' ? 'the path of a directory' : 'the path of a file',
    placeholder,
    repeatable: false,
    path: true,
  };
}

/** Addresses of nodes: a repeated flag, or separated by commas, wherever they are given. */
export function nodeUrls(): OptionKind<readonly string[]> {
  return {
    ...texts({
      accept: isNodeUrl,
      expected: 'addresses of nodes such as http://10.0.0.1:9545, separated by commas, each once',
      placeholder: 'URL',
    }),
    schema: v.pipe(
      STRINGS,
      v.transform((values) => values.flatMap((part) => part.split(',').map((url) => url.trim()))),
      v.check((urls) => urls.every(isNodeUrl) && new Set(urls).size === urls.length),
    ),
    fromText: asIs,
  };
}

/** Where other validators listen: a repeated flag, or separated by commas, wherever they are given. */
export function peerEndpoints(): OptionKind<readonly string[]> {
  return {
    ...texts({
      accept: (value) => PEER_ENDPOINT.test(value),
      expected:
        'where validators listen, such as 2@10.0.0.3:9645 for the one with index 2, separated by commas',
      placeholder: 'INDEX@HOST:PORT',
    }),
    schema: v.pipe(
      STRINGS,
      v.transform((values) => values.flatMap((part) => part.split(',').map((peer) => peer.trim()))),
      v.check((all) => all.every((peer) => PEER_ENDPOINT.test(peer))),
    ),
    fromText: asIs,
  };
}

/** Without an index, those of all validators in the order of the set. */
const PEER_ENDPOINT = /^(?:\d{1,3}@)?[!-?A-~]+:[1-9]\d{0,4}$/;

function isNodeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && search === '' && hash === '';
}

/** The key of a validator group in hexadecimal, `dev`, or the path of a genesis file. */
export function trustAnchor(): OptionKind<string> {
  return {
    ...path('FILE'),
    expected:
      'a public key of 48 bytes in hexadecimal (96 digits), the path of a genesis file that is there, or dev',
    placeholder: 'KEY|FILE|dev',
    noPath: (value) => value === 'dev' || GROUP_KEY.test(value),
    mustExist: true,
  };
}

/** A compressed BLS12-381 public key in G1, with or without prefix. */
const GROUP_KEY = /^(0x)?[0-9a-fA-F]{96}$/;

/** The same values, or none. */
export function optional<T>(kind: OptionKind<T>): OptionKind<T | undefined> {
  return { ...kind, schema: v.optional(kind.schema) };
}

function decimal(value: string): unknown {
  return /^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : value;
}

function asIs(value: string): unknown {
  return value;
}

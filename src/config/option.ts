import * as v from 'valibot';

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
  /** True for paths. Relative ones start from the working directory, or from that of the config file. */
  readonly path?: boolean;
  /** True for values of a path option that are not paths. */
  readonly isNotPath?: (value: string) => boolean;
  /** True if messages must not show the value, because it may hold a password. */
  readonly isSecret?: boolean;
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

export function defaultText(spec: OptionSpec<unknown>): string {
  const { default: value } = spec;
  if (spec.defaultText !== undefined) return spec.defaultText;
  const isNone = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isNone ? 'none' : String(value);
}

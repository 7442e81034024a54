import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { nearestName } from '../idl/nearest-name.js';
import { ConfigError, type ConfigIssue, type ValueSource } from './config-error.js';
import { readJsonObject } from './config-file.js';
import { type OptionSpec, variableName } from './option.js';
import { OPTIONS } from './options.js';

/**
 * The node's validated configuration. Members, meanings, defaults and bounds are declared once, in {@link OPTIONS}.
 * Names of times and sizes end in their unit (`…Ms`, `…Bytes`). Paths are absolute. Without a `genesisFile` the node
 * runs the development chain.
 */
export type Config = {
  readonly [K in keyof typeof OPTIONS]: v.InferOutput<(typeof OPTIONS)[K]['schema']>;
} & {
  /** Passphrase of a validator's files, from the environment. Secret. */
  readonly passphrase?: string;
};

/** Name of an option's member in {@link Config}. */
export type OptionName = keyof typeof OPTIONS;

export interface ConfigSources {
  /** Flag values by name without dashes; a list for repeatable flags. */
  readonly flags: Readonly<Record<string, string | readonly string[]>>;
  /** Environment variables. Only names starting with `HEDDLE_` are read, and an empty value counts as unset. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base directory of relative paths in flags and variables. */
  readonly workingDirectory: string;
}

/** Shown in place of a value that may hold a password. */
const HIDDEN = '(not shown)';
/** Read only from the environment: a secret does not belong on a command line. */
const PASSPHRASE_VARIABLE = 'HEDDLE_PASSPHRASE';
/** `HEDDLE_` variables that are not options. */
const OTHER_VARIABLES = [
  'HEDDLE_CONFIG',
  'HEDDLE_URL',
  'HEDDLE_TOKEN_FILE',
  'HEDDLE_REDIS',
  'HEDDLE_REPL_HISTORY',
  PASSPHRASE_VARIABLE,
];

/**
 * Loads the configuration. Precedence: flags, `HEDDLE_*` variables, the JSON file of `--config` (or `HEDDLE_CONFIG`),
 * defaults. Relative paths in the file start from the file's directory.
 * @throws {ConfigError} listing every bad value, unknown key and misspelt variable
 */
export function loadConfig(sources: ConfigSources): Config {
  const issues: ConfigIssue[] = [];
  const file = readConfigFile(sources, issues);
  const values: Record<string, unknown> = {};
  for (const [member, spec] of Object.entries<OptionSpec<unknown>>(OPTIONS)) {
    const given = find(spec, sources, file);
    const checked = v.safeParse(spec.schema, given.value);
    if (!checked.success) {
      issues.push(badValue(spec, given));
    } else if (spec.path && typeof checked.output === 'string' && spec.isNotPath?.(checked.output) !== true) {
      const path = resolve(given.base, checked.output);
      if (spec.mustExist === true && !existsSync(path)) issues.push(badValue(spec, given));
      values[member] = path;
    } else if (spec.path && Array.isArray(checked.output)) {
      const paths = checked.output.map((path: string) => resolve(given.base, path));
      if (spec.mustExist === true && !paths.every((path) => existsSync(path)))
        issues.push(badValue(spec, given));
      values[member] = paths;
    } else {
      values[member] = checked.output;
    }
  }
  placeInValidator(values, sources, file);
  issues.push(...misspeltVariables(sources.environment));
  if (issues.length > 0) throw new ConfigError(issues);
  const passphrase = sources.environment[PASSPHRASE_VARIABLE];
  if (passphrase !== undefined && passphrase !== '') values['passphrase'] = passphrase;
  // The schemas that the types are inferred from have checked each member.
  return values as Config;
}

/** Fills in paths inside a validator's directory for options that are not given. */
function placeInValidator(
  values: Record<string, unknown>,
  sources: ConfigSources,
  file: ConfigFile | undefined,
): void {
  const directory = values['validator'];
  if (typeof directory !== 'string') return;
  for (const [member, spec] of Object.entries<OptionSpec<unknown>>(OPTIONS)) {
    const isGiven = find(spec, sources, file).source.kind !== 'default';
    if (spec.ofValidator !== undefined && !isGiven) values[member] = join(directory, spec.ofValidator);
  }
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface GivenValue {
  readonly value: unknown;
  /** The value as written, for messages. */
  readonly written: unknown;
  readonly source: ValueSource;
  /** Base directory of a relative path. */
  readonly base: string;
}

function find(spec: OptionSpec<unknown>, sources: ConfigSources, file: ConfigFile | undefined): GivenValue {
  const base = sources.workingDirectory;
  const flag = sources.flags[spec.flag];
  if (flag !== undefined) {
    const value = typeof flag === 'string' ? spec.fromText(flag) : flag;
    return { value, written: flag, source: { kind: 'flag', name: spec.flag }, base };
  }
  const name = variableName(spec);
  const variable = sources.environment[name];
  if (variable !== undefined && variable !== '') {
    return { value: spec.fromText(variable), written: variable, source: { kind: 'environment', name }, base };
  }
  if (file !== undefined && Object.hasOwn(file.values, spec.flag)) {
    const value = file.values[spec.flag];
    const source = { kind: 'file', path: file.path, key: spec.flag } as const;
    return { value, written: value, source, base: dirname(file.path) };
  }
  return { value: spec.default, written: spec.default, source: { kind: 'default', name: spec.flag }, base };
}

function badValue(spec: OptionSpec<unknown>, given: GivenValue): ConfigIssue {
  const hint = spec.hint?.(given.written);
  return {
    code: 'bad_value',
    option: spec.flag,
    source: given.source,
    got: spec.isSecret === true ? HIDDEN : given.written,
    expected: spec.expected,
    ...(hint !== undefined && { hint }),
  };
}

function readConfigFile(sources: ConfigSources, issues: ConfigIssue[]): ConfigFile | undefined {
  const flag = sources.flags['config'];
  const named = typeof flag === 'string' ? flag : sources.environment['HEDDLE_CONFIG'];
  if (named === undefined || (named === '' && flag === undefined)) return undefined;
  const source: ValueSource =
    typeof flag === 'string'
      ? { kind: 'flag', name: 'config' }
      : { kind: 'environment', name: 'HEDDLE_CONFIG' };
  const path = resolve(sources.workingDirectory, named);
  try {
    const values = readJsonObject(path, source);
    const keys = Object.values<OptionSpec<unknown>>(OPTIONS).map((spec) => spec.flag);
    for (const key of Object.keys(values)) {
      if (keys.includes(key)) continue;
      const near = nearestName(key.replaceAll('_', '-'), keys);
      issues.push({ code: 'unknown_key', path, key, ...(near !== undefined && { nearest: near }) });
    }
    return { path, values };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    issues.push(...error.issues);
    return undefined;
  }
}

/** Unknown variables with a name close to a known one. Others with the prefix may belong to other programs. */
function misspeltVariables(environment: ConfigSources['environment']): ConfigIssue[] {
  const known = [...Object.values<OptionSpec<unknown>>(OPTIONS).map(variableName), ...OTHER_VARIABLES];
  const issues: ConfigIssue[] = [];
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith('HEDDLE_') || known.includes(name)) continue;
    const near = nearestName(
      name.slice('HEDDLE_'.length),
      known.map((candidate) => candidate.slice('HEDDLE_'.length)),
    );
    if (near !== undefined) issues.push({ code: 'unknown_variable', name, nearest: `HEDDLE_${near}` });
  }
  return issues;
}

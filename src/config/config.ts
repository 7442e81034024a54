import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { nearestName } from '../idl/nearest-name.js';
import { badValue, ConfigError, shown } from './config-error.js';
import { readJsonObject } from './config-file.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { type OptionSpec, variableName } from './option.js';
import { OPTIONS } from './options.js';

/**
 * The node's validated configuration. Members, meanings, defaults and bounds are declared once, in {@link OPTIONS} and
 * `limits.ts`. Names of times and sizes end in their unit (`…Ms`, `…Bytes`). Paths are absolute. Without a
 * `genesisFile` the node runs the development chain.
 */
export type Config = {
  readonly [K in keyof typeof OPTIONS]: v.InferOutput<(typeof OPTIONS)[K]['schema']>;
} & Limits & {
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
  const problems: string[] = [];
  const file = readConfigFile(sources, problems);
  const values: Record<string, unknown> = { ...DEFAULT_LIMITS };
  const unset: [member: string, ofValidator: string][] = [];
  for (const [member, spec] of Object.entries<OptionSpec<unknown>>(OPTIONS)) {
    const given = find(spec, sources, file);
    const checked = v.safeParse(spec.schema, given.value);
    if (checked.success) values[member] = placed(spec, checked.output, given.base);
    if (!checked.success || (spec.mustExist === true && !exist(spec, values[member]))) {
      const hint = spec.hint?.(given.written);
      const got = spec.isSecret === true ? HIDDEN : given.written;
      const problem = badValue(spec.flag, got, spec.expected, given.source);
      problems.push(hint === undefined ? problem : `${problem}; ${hint}`);
    }
    if (given.isDefault && spec.ofValidator !== undefined) unset.push([member, spec.ofValidator]);
  }
  const { validator } = values;
  if (typeof validator === 'string') {
    for (const [member, name] of unset) values[member] = join(validator, name);
  }
  problems.push(...misspeltVariables(sources.environment));
  if (problems.length > 0) throw new ConfigError(problems);
  const passphrase = sources.environment[PASSPHRASE_VARIABLE];
  if (passphrase !== undefined && passphrase !== '') values['passphrase'] = passphrase;
  // The schemas that the types are inferred from have checked each member.
  return values as Config;
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface GivenValue {
  readonly value: unknown;
  /** The value as written, for messages. */
  readonly written: unknown;
  /** Where it was written, for messages. */
  readonly source: string;
  readonly isDefault: boolean;
  /** Base directory of a relative path. */
  readonly base: string;
}

function find(spec: OptionSpec<unknown>, sources: ConfigSources, file: ConfigFile | undefined): GivenValue {
  const { flag, fromText } = spec;
  const place = { base: sources.workingDirectory, isDefault: false };
  const written = sources.flags[flag];
  if (written !== undefined) {
    const value = typeof written === 'string' ? fromText(written) : written;
    return { ...place, value, written, source: `the flag --${flag}` };
  }
  const name = variableName(spec);
  const variable = sources.environment[name];
  if (variable !== undefined && variable !== '') {
    const source = `the environment variable ${name}`;
    return { ...place, value: fromText(variable), written: variable, source };
  }
  if (file !== undefined && Object.hasOwn(file.values, flag)) {
    const value = file.values[flag];
    const source = `the key "${flag}" in ${file.path}`;
    return { ...place, value, written: value, source, base: dirname(file.path) };
  }
  const source = `the default of --${flag}`;
  return { ...place, value: spec.default, written: spec.default, source, isDefault: true };
}

/** A value of an option, with relative paths made absolute. */
function placed(spec: OptionSpec<unknown>, value: unknown, base: string): unknown {
  if (spec.path !== true) return value;
  if (Array.isArray(value)) return value.map((each) => placed(spec, each, base));
  return typeof value === 'string' && isPath(spec, value) ? resolve(base, value) : value;
}

function isPath(spec: OptionSpec<unknown>, value: string): boolean {
  return spec.isNotPath?.(value) !== true;
}

/** Whether there is a file at each path in an option's value. */
function exist(spec: OptionSpec<unknown>, value: unknown): boolean {
  return [value].flat().every((each) => typeof each !== 'string' || !isPath(spec, each) || existsSync(each));
}

function readConfigFile(sources: ConfigSources, problems: string[]): ConfigFile | undefined {
  const flag = sources.flags['config'];
  const isFlag = typeof flag === 'string';
  const named = isFlag ? flag : sources.environment['HEDDLE_CONFIG'];
  if (named === undefined || (named === '' && !isFlag)) return undefined;
  const path = resolve(sources.workingDirectory, named);
  try {
    const values = readJsonObject(
      path,
      isFlag ? 'the flag --config' : 'the environment variable HEDDLE_CONFIG',
    );
    const keys = Object.values<OptionSpec<unknown>>(OPTIONS).map((spec) => spec.flag);
    for (const key of Object.keys(values)) {
      if (keys.includes(key)) continue;
      const near = nearestName(key.replaceAll('_', '-'), keys);
      problems.push(`${path}: unknown key ${shown(key)}${suggestion(near)}`);
    }
    return { path, values };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/**
 * Unknown variables with a name close to a known one, and those that name a limit, which an operator relies on. Others
 * with the prefix may belong to other programs.
 */
function misspeltVariables(environment: ConfigSources['environment']): string[] {
  const known = [...Object.values<OptionSpec<unknown>>(OPTIONS).map(variableName), ...OTHER_VARIABLES];
  const suffixes = known.map((name) => name.slice('HEDDLE_'.length));
  const problems: string[] = [];
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith('HEDDLE_') || known.includes(name)) continue;
    const near = nearestName(name.slice('HEDDLE_'.length), suffixes);
    if (near === undefined && !name.startsWith('HEDDLE_MAX_')) continue;
    problems.push(`${name}: no such environment variable is read${suggestion(near && `HEDDLE_${near}`)}`);
  }
  return problems;
}

function suggestion(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${near}?`;
}

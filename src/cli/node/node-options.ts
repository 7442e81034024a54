import { type Command, Option } from 'commander';
import { type Config, loadConfig, type OptionName } from '../../config/config.js';
import { defaultText, type OptionSpec } from '../../config/option.js';
import { OPTIONS } from '../../config/options.js';
import type { CommandContext } from '../cli-command.js';

/** Flags that only `--help all` shows. */
const RARE_FLAGS = new Set(
  Object.values<OptionSpec<unknown>>(OPTIONS).flatMap(({ isHidden, flag }) => (isHidden ? [flag] : [])),
);

/** Flags that set options of the node, unlike a command's own flags of the same name. */
const NODE_FLAGS = new WeakSet<Option>();

/** Adds the flags of some of the node's options, and `--config` unless the command uses it for something else. */
export function addNodeOptions(
  command: Command,
  members: readonly OptionName[],
  { config = true }: { readonly config?: boolean } = {},
): void {
  if (config) {
    const file = new Option('--config <FILE>', 'JSON file with options by their names without dashes');
    NODE_FLAGS.add(file);
    command.addOption(file.helpGroup('Node:'));
  }
  for (const member of members) command.addOption(flagOf(OPTIONS[member]));
}

/** Adds the flags of all node options. Help leaves out those that few people use, unless "all" follows `--help`. */
export function addAllNodeOptions(command: Command): void {
  addNodeOptions(command, Object.keys(OPTIONS) as OptionName[]);
  const rare = command.options.filter((option) => RARE_FLAGS.has(option.name()));
  const showsAll = () => command.args.includes('all');
  // Hidden only for help: the suggestions for a misspelt flag take visible ones.
  command.addHelpText('before', () => {
    for (const option of rare) option.hideHelp(!showsAll());
    return '';
  });
  command.addHelpText('afterAll', () =>
    showsAll() ? '' : `"heddle ${command.name()} --help all" shows ${rare.length} more options.`,
  );
}

/** The given options of the node, by their names without dashes. */
export function nodeFlags(command: Command): Readonly<Record<string, string | readonly string[]>> {
  const flags: Record<string, string | readonly string[]> = {};
  for (const option of command.options) {
    if (!NODE_FLAGS.has(option)) continue;
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === 'string' || Array.isArray(value)) flags[option.name()] = value;
    // For a flag that begins with no-, commander stores the opposite.
    else if (value === !option.negate) flags[option.name()] = 'true';
  }
  return flags;
}

/** Loads the configuration from the options of a command with {@link addNodeOptions}. @throws ConfigError */
export function configOf(command: Command, context: CommandContext): Config {
  return loadConfig({
    flags: nodeFlags(command),
    environment: context.environment,
    workingDirectory: context.workingDirectory,
  });
}

/** Keeps values as text: `loadConfig` validates them, because it knows all sources. */
function flagOf(spec: OptionSpec<unknown>): Option {
  const help = `${spec.help} (default: ${defaultText(spec)})`;
  const flags = spec.isSwitch === true ? `--${spec.flag}` : `--${spec.flag} <${spec.placeholder}>`;
  const option = new Option(flags, help).helpGroup(`${spec.group}:`);
  NODE_FLAGS.add(option);
  if (spec.repeatable) {
    option.argParser<readonly string[] | undefined>((value, previous) => [...(previous ?? []), value]);
  }
  return option;
}

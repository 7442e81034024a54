import type { Command, Option } from 'commander';

/** A command of the tree, for completion. */
export interface CompletedCommand {
  /** The words after the program's name, each with a space before it: ` contract call`; empty for the program. */
  readonly path: string;
  /** The words that may follow: subcommands, or the choices of the first argument. */
  readonly words: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** Such as `-h` and `--help`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Kind of the value that follows; undefined without one. */
  readonly value?: 'choice' | 'file' | 'text';
  /** The values to offer; empty unless the value is a choice. */
  readonly choices: readonly string[];
}

/** Longer descriptions are cut. */
const MAX_DESCRIPTION = 80;

/** A choice that needs no quotes in any shell. */
const PLAIN = /^[\w.:@+-]+$/;

/** Lists a command and all commands below it, as their help shows them. */
export function commandTree(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const own: CompletedCommand = {
    path,
    words: [
      ...subcommands.map((each) => ({
        name: each.name(),
        description: shortened(help.subcommandDescription(each)),
      })),
      ...choicesOf(command).map((name) => ({ name, description: '' })),
    ],
    options: help.visibleOptions(command).map(completedOption),
  };
  return [own, ...subcommands.flatMap((each) => commandTree(each, `${path} ${each.name()}`))];
}

function choicesOf(command: Command): readonly string[] {
  const [first] = command.registeredArguments;
  return (first?.argChoices ?? []).filter((choice) => PLAIN.test(choice));
}

function completedOption(option: Option): CompletedOption {
  const choices = (option.argChoices ?? []).filter((choice) => PLAIN.test(choice));
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: shortened(option.description),
    choices,
    ...(option.required || option.optional ? { value: kindOfValue(option, choices) } : {}),
  };
}

function kindOfValue({ flags }: Option, choices: readonly string[]): 'choice' | 'file' | 'text' {
  if (choices.length > 0) return 'choice';
  return /\b(?:FILE|DIR)\b/i.test(flags) ? 'file' : 'text';
}

function shortened(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}

/** Quotes text for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The commands that others can follow on the command line: all but the program. */
export function paths(tree: readonly CompletedCommand[]): readonly string[] {
  return tree.flatMap(({ path }) => (path === '' ? [] : [path]));
}

/** Every flag whose value is of a kind, after the path of its command. */
export function flagsWith(
  tree: readonly CompletedCommand[],
  kind: CompletedOption['value'],
): readonly string[] {
  return tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value === kind ? flags.map((flag) => `${path} ${flag}`) : [])),
  );
}

/** Every option with choices: its flags after the path of its command, and the choices. */
export function choicesIn(
  tree: readonly CompletedCommand[],
): readonly { readonly flags: readonly string[]; readonly choices: readonly string[] }[] {
  return tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value, choices }) =>
      value === 'choice' ? [{ flags: flags.map((flag) => `${path} ${flag}`), choices }] : [],
    ),
  );
}

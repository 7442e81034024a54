import { Argument, type Command, type Option } from 'commander';
import type { CliCommand, CommandContext } from './cli-command.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SCRIPTS;

/** Registers the command; when it runs, all commands must be registered too. */
export function registerCompletionCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(SCRIPTS)))
    .examples(
      'heddle completion fish > ~/.config/fish/completions/heddle.fish',
      "echo 'source <(heddle completion bash)' >> ~/.bashrc",
      "echo 'source <(heddle completion zsh)' >> ~/.zshrc",
    )
    .action((shell: Shell) => context.console.out(SCRIPTS[shell](commandTree(program))));
}

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

/** The script for bash 3.2 and later. Without anything to offer, it lets bash complete names of files. */
export function bashScript(tree: readonly CompletedCommand[]): string {
  const values = [...flagsWith(tree, 'text'), ...flagsWith(tree, 'file')];
  return `# Completes heddle in bash. Put this into ~/.bashrc: source <(heddle completion bash)
_heddle() {
  local at='' commands='' options='' values='' i
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  # bash makes three words of --name=value.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${alternatives(paths(tree), ' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${choicesIn(tree)
  .map(({ flags, choices }) => `    ${alternatives(flags, ' | ')}) values=${quoted(choices.join(' '))} ;;\n`)
  .join('')}    ${alternatives(values, ' | ')}) return ;;
  esac
  case "$at" in
${tree.map(bashCase).join('')}  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o default -F _heddle heddle
`;
}

function bashCase({ path, words, options }: CompletedCommand): string {
  const names = words.map(({ name }) => name).join(' ');
  const flags = options.flatMap((option) => option.flags).join(' ');
  return `    ${quoted(path)}) commands=${quoted(names)} options=${quoted(flags)} ;;\n`;
}

/** The script for zsh: a file _heddle in a directory of fpath, or sourced after compinit. */
export function zshScript(tree: readonly CompletedCommand[]): string {
  return `#compdef heddle
# Completes heddle in zsh. Put this into ~/.zshrc, after compinit: source <(heddle completion zsh)
_heddle() {
  local at='' word previous=\${words[CURRENT-1]}
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${alternatives(paths(tree))}) at="$at $word" ;;
    esac
  done
  if [[ \${words[CURRENT]} == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case "$at $previous" in
${choicesIn(tree)
  .map(
    ({ flags, choices }) =>
      `    (${alternatives(flags)}) compadd -- ${choices.map(quoted).join(' ')}; return ;;\n`,
  )
  .join('')}    (${alternatives(flagsWith(tree, 'file'))}) _files; return ;;
    (${alternatives(flagsWith(tree, 'text'))}) return 1 ;;
  esac
  case "$at" in
${tree.map(zshCase).join('')}  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _heddle ]]; then
  _heddle "$@"
else
  compdef _heddle heddle
fi
`;
}

function zshCase({ path, words, options }: CompletedCommand): string {
  const names = words.map(({ name, description }) => described(name, description));
  const flags = options.flatMap((option) => option.flags.map((flag) => described(flag, option.description)));
  return `    (${quoted(path)})
      commands=(${names.join(' ')})
      options=(${flags.join(' ')})
      ;;\n`;
}

/** A word with its description, as _describe takes it. */
function described(word: string, description: string): string {
  const name = word.replaceAll(':', '\\:');
  return quoted(description === '' ? name : `${name}:${description}`);
}

function alternatives(words: readonly string[], separator = '|'): string {
  return words.map(quoted).join(separator);
}

/** The script for fish 3 and later. */
export function fishScript(tree: readonly CompletedCommand[]): string {
  return `# Completes heddle in fish: heddle completion fish > ~/.config/fish/completions/heddle.fish
function __heddle_at --description 'Whether the command so far is the given one'
    set -l at ''
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch "$at $word"
            case ${paths(tree).map(fishQuoted).join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c heddle -f
${tree.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ path, words, options }: CompletedCommand): string[] {
  const here = `complete -c heddle -n ${fishQuoted(`__heddle_at ${fishQuoted(path)}`)}`;
  return [
    ...words.map(({ name, description }) => `${here} -a ${fishQuoted(name)}${describedBy(description)}`),
    ...(words.length === 0 ? [`${here} -F`] : []),
    ...options.map((option) => `${here} ${optionText(option)}${describedBy(option.description)}`),
  ];
}

function optionText({ flags, value, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = { file: ' -r -F', text: ' -x', choice: ` -x -a ${fishQuoted(choices.join(' '))}` };
  return `${names.join(' ')}${value === undefined ? '' : values[value]}`;
}

function describedBy(description: string): string {
  return description === '' ? '' : ` -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

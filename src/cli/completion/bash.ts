import { type CompletedCommand, choicesIn, flagsWith, paths, quoted } from './command-tree.js';

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
      ${alternatives(paths(tree))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${choicesIn(tree)
  .map(({ flags, choices }) => `    ${alternatives(flags)}) values=${quoted(choices.join(' '))} ;;\n`)
  .join('')}    ${alternatives(values)}) return ;;
  esac
  case "$at" in
${tree.map(commandCase).join('')}  esac
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

function commandCase({ path, words, options }: CompletedCommand): string {
  const names = words.map(({ name }) => name).join(' ');
  const flags = options.flatMap((option) => option.flags).join(' ');
  return `    ${quoted(path)}) commands=${quoted(names)} options=${quoted(flags)} ;;\n`;
}

function alternatives(words: readonly string[]): string {
  return words.map(quoted).join(' | ');
}

import { type CompletedCommand, choicesIn, flagsWith, paths, quoted } from './command-tree.js';

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
${tree.map(commandCase).join('')}  esac
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

function commandCase({ path, words, options }: CompletedCommand): string {
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

function alternatives(words: readonly string[]): string {
  return words.map(quoted).join('|');
}

import { type CompletedCommand, type CompletedOption, paths } from './command-tree.js';

/** The script for fish 3 and later. */
export function fishScript(tree: readonly CompletedCommand[]): string {
  return `# Completes heddle in fish: heddle completion fish > ~/.config/fish/completions/heddle.fish
function __heddle_at --description 'Whether the command so far is the given one'
    set -l at ''
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch "$at $word"
            case ${paths(tree).map(quoted).join(' ')}
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
  const here = `complete -c heddle -n ${quoted(`__heddle_at ${quoted(path)}`)}`;
  return [
    ...words.map(({ name, description }) => `${here} -a ${quoted(name)}${describedBy(description)}`),
    ...(words.length === 0 ? [`${here} -F`] : []),
    ...options.map((option) => `${here} ${optionText(option)}${describedBy(option.description)}`),
  ];
}

function optionText({ flags, value, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  switch (value) {
    case 'file':
      return `${names.join(' ')} -r -F`;
    case 'text':
      return `${names.join(' ')} -x`;
    case 'choice':
      return `${names.join(' ')} -x -a ${quoted(choices.join(' '))}`;
    default:
      return names.join(' ');
  }
}

function describedBy(description: string): string {
  return description === '' ? '' : ` -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

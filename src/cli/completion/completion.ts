import { Argument } from 'commander';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { bashScript } from './bash.js';
import { commandTree } from './command-tree.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

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

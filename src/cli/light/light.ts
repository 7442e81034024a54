import { type CliCommand, type CommandContext, urlOption } from '../cli-command.js';
import { height } from '../option-parsers.js';
import { QUERIES } from './light-queries.js';
import type { LightOptions } from './light-session.js';

export function registerLightCommand(program: CliCommand, context: CommandContext): void {
  const url = urlOption();
  url.description = `${url.description}; several, separated by commas, are all queried`;
  program
    .command('light')
    .argument('[QUERY...]', `${QUERIES.join(', ')}; without one, queries are read from standard input`)
    .addOption(url)
    .option('--group-key <KEY>', "the validators' group key, 96 hex digits, or dev for the development chain")
    .option('--genesis <FILE>', 'the genesis file with the trusted key and chain id')
    .option(
      '--at <HEIGHT>',
      'balances and slots after the block of this height (default: the last one)',
      height,
    )
    .json('print each answer as one line of JSON')
    .notes('Exit code 0: proved. Exit code 1: not proved, and why.')
    .examples(
      'heddle light --group-key 978b0f… balance 0x5f0c…91',
      'heddle light --url http://one:9545,http://two:9545 --genesis genesis.json tx 9f31…',
      'heddle light --group-key dev --at 1200 --json balance 0x5f0c…91',
      'heddle light --group-key dev',
    )
    .action(async (query: string[], options: LightOptions) => {
      // The pairing library is slow to load, and other commands do not need it.
      const { runLight } = await import('./light-session.js');
      await runLight(query, options, context);
    });
}

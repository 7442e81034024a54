import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { registerBoardCommand } from './board.js';
import { registerControlCommands } from './control.js';
import { registerResultsCommand } from './results.js';
import { registerFarmStatusCommand } from './status.js';
import { registerSubmitCommand } from './submit.js';
import { registerWorkerCommand } from './worker.js';

/** `heddle farm` and its subcommands. */
export function registerFarmCommands(program: CliCommand, context: CommandContext): void {
  const farm = program
    .command('farm')
    .notes(
      'A run is a number of calls, or of transactions to trace, cut into jobs. Workers on any machine take jobs from the',
      'queue (BullMQ on Redis or Valkey) and give the calls to their nodes. Each call has exactly one result, whatever',
      'happens to workers, nodes and Redis meanwhile. On one machine, "heddle simulate" and "heddle replay" need no Redis.',
    )
    .examples(
      'heddle farm submit calls.ndjson --name sweep-1',
      'heddle farm worker --url http://127.0.0.1:9545',
      'heddle farm status sweep-1 --watch',
      'heddle farm results sweep-1 --out results --format parquet',
    );
  registerSubmitCommand(farm, context);
  registerWorkerCommand(farm, context);
  registerFarmStatusCommand(farm, context);
  registerResultsCommand(farm, context);
  registerControlCommands(farm, context);
  registerBoardCommand(farm, context);
}

import type { OptionName } from '../../config/config.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { integerBetween } from '../option-parsers.js';
import { withProgress } from '../progress.js';
import { addNodeOptions, configOf } from './node-options.js';

const OPTIONS_USED: readonly OptionName[] = [
  'dataDir',
  'native',
  'workers',
  'stateRetention',
  'checkpointInterval',
  'proofWindow',
  'treeMemoryBytes',
  'cacheBytes',
];

const MAX_ACCOUNTS = 100_000_000;
const MAX_BLOCKS = 100_000_000;
const MAX_TRANSACTIONS = 10_000;

interface DevStateFlags {
  readonly accounts?: number;
  readonly blocks?: number;
  readonly transactionsPerBlock: number;
  readonly json?: boolean;
}

export function registerDevStateCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('dev-state')
    .option('--accounts <COUNT>', 'funded accounts in the state', integerBetween(10, MAX_ACCOUNTS))
    .option('--blocks <COUNT>', 'blocks of transfers', integerBetween(1, MAX_BLOCKS))
    .option(
      '--transactions-per-block <COUNT>',
      'transfers in each of the blocks',
      integerBetween(0, MAX_TRANSACTIONS),
      1,
    );
  command.json();
  addNodeOptions(command, OPTIONS_USED);
  command
    .notes(
      'The data directory must not hold a chain. A node on it needs no further flags: the chain has the genesis of',
      'every development chain. The private key of account number N is sha256("heddle dev account N"); accounts 0',
      'to 9 are those that the node prints. The accounts are in the state of block 1, which is not executed but has',
      'the certificate of a snapshot, so the chain begins there.',
      '',
      'An interrupted run leaves no chain. heddle verify needs the state of block 1, which is dropped after',
      '--state-retention blocks.',
    )
    .examples(
      'heddle dev-state --data-dir ./large --accounts 1000000 --blocks 1000',
      'heddle start --data-dir ./large',
    )
    .action(async (flags: DevStateFlags, self: CliCommand) => {
      const { accounts = 0, blocks = 0, transactionsPerBlock } = flags;
      if (accounts === 0 && blocks === 0) {
        throw new UsageError('expected --accounts, --blocks or both, got neither');
      }
      const { makeDevState } = await import('../../node/offline/dev-state/make-dev-state.js');
      const config = configOf(self, context);
      const made = await withProgress('interrupted; no chain was made', (onProgress, signal) =>
        makeDevState(config, { accounts, blocks, transactionsPerBlock, onProgress, signal }),
      );
      printAnswer(
        context,
        flags,
        { height: made.height, hash: toHex(made.hash), state_root: toHex(made.stateRoot) },
        `tip at height ${made.height}, ${toPrefixedHex(made.hash)}, state root ${toPrefixedHex(made.stateRoot)}\n`,
      );
    });
}

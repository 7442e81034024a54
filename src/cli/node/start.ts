import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../../config/config.js';
import { outdatedNode } from '../../config/outdated-node.js';
import { createLogger, type Logger } from '../../log.js';
import type { RunningNode } from '../../node.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { Console } from '../console.js';
import { exitBySignal, onSignals, untilAborted, watchSignals } from '../end-process.js';
import { introduceDevChain } from './introduce-dev-chain.js';
import { addAllNodeOptions, configOf } from './node-options.js';

/**
 * Under load, nearly everything becomes garbage within one block time. By default, V8 lets each thread's heap grow to
 * four times its live size before it collects. A factor of two costs little throughput and saves a third of the
 * memory (bench/load/transfers.ts); a smaller one costs a tenth of the throughput (bench/load/catch-up.ts).
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/** Time for the node to stop before the process exits anyway. */
const STOP_DEADLINE_MS = 1_900;
const STOP_SLICE_MS = 100;

export function registerStartCommand(program: CliCommand, context: CommandContext): void {
  const command = program.command('start');
  addAllNodeOptions(command);
  command
    .notes(
      'Every option can also be given as an environment variable (HEDDLE_BLOCK_TIME for --block-time) or in the',
      'JSON file that --config names ({"block-time": 100}). Flags override variables, variables override the file.',
      'Times are in milliseconds and sizes in bytes unless stated otherwise.',
    )
    .examples(
      'heddle start',
      'heddle start --port 8000 --data-dir /var/lib/heddle',
      'heddle start --seal instant --idle-block-time 0     a block for each transaction, and no others',
      'heddle start --chain-id 31337 --accounts 20 --balance 1e22      a development chain of your own',
      'heddle start --genesis genesis.json --config node.json',
      'HEDDLE_LOG_FORMAT=json heddle start',
    )
    .action(async (_options: unknown, self: CliCommand) => {
      const config = configOf(self, context);
      await runNode(config, await createLogger(config), context.console);
    });
}

/** Runs a node until a signal or an error ends it. @throws CliError if it fails after the start */
async function runNode(config: Config, log: Logger, console: Console): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const outdated = outdatedNode();
  if (outdated !== undefined) log.warn(outdated);
  const { startNode } = await import('../../node.js');
  const release = endBySignals();
  const node = await startNode(config, log, { watchProcess: true }).finally(release);
  const { first, name, forget } = watchSignals((signal, isFirst) => {
    if (isFirst) log.info({ signal }, 'stopping; a second signal ends the node at once');
    else log.warn({ signal }, 'a second signal ended the node at once');
  });
  try {
    // Programs wait for this line; see `src/log.ts`.
    log.info(
      { url: node.url, chain_id: node.chainId?.toString(), genesis_hash: node.genesisHash },
      `listening on ${node.url}`,
    );
    // Without a genesis, the node waits for a snapshot and has no balances to show.
    const isDevChain = node.devMode && node.genesisHash !== undefined;
    if (isDevChain && !first.aborted) introduceDevChain(node, config, log, console);
    const failure = await Promise.race([untilAborted(first), node.failure]);
    if (failure !== undefined) log.fatal({ err: failure }, 'the node cannot continue');
    await stopInTime(node, log);
    if (failure !== undefined) {
      throw new CliError(`the node stopped: ${failure.message}`, { cause: failure });
    }
  } finally {
    forget();
  }
  // Supervisors and shells expect a process to end by the signal that stopped it.
  const signal = name();
  if (signal !== undefined) await exitBySignal(signal);
}

/**
 * Lets a signal end the process at once until the node runs; as with `kill -9`, this is safe at any time. Signals
 * keep their default action, which works even while the main thread is busy. A container's first process (pid 1) has
 * no default action, so it gets listeners.
 * @returns a function that removes the listeners
 */
function endBySignals(): () => void {
  if (process.pid !== 1) return () => undefined;
  const release = onSignals((signal) => {
    release();
    void exitBySignal(signal);
  });
  return release;
}

async function stopInTime(node: RunningNode, log: Logger): Promise<void> {
  const stopping = node.stop().then(() => true);
  let isStopped = false;
  // In slices, because a time limit would also count the time in which the whole process stands still.
  for (let ms = 0; ms < STOP_DEADLINE_MS && !isStopped; ms += STOP_SLICE_MS) {
    isStopped = await Promise.race([stopping, sleep(STOP_SLICE_MS, false)]);
  }
  if (isStopped) log.info('stopped');
  else
    log.error(`the node did not stop within ${STOP_DEADLINE_MS} ms and was killed; sealed blocks are safe`);
}

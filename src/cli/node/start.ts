import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { nodeEd25519 } from '../../../native-free/crypto/ed25519.js';
import { connect, formatAddress, formatAmount } from '../../client/client.js';
import type { Config } from '../../config/config.js';
import { devAccounts } from '../../crypto/dev-accounts.js';
import { sha256 } from '../../crypto/sha256.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { createLogger, isPretty, type Logger } from '../../log.js';
import type { RunningNode } from '../../node.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import type { Console } from '../console.js';
import { exitBySignal } from '../end-process.js';
import { addNodeOptions, allNodeOptions, configOf } from './node-options.js';

/**
 * Under load nearly everything becomes garbage within a block's time. Left alone, V8 lets the heap of each thread grow to four
 * times what lives before it collects; twice costs little throughput and saves a third of the memory
 * (bench/load/transfers.ts); less costs a tenth of it (bench/load/catch-up.ts).
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/** How long a node may take to stop before it is left to the operating system. */
const STOP_DEADLINE_MS = 1_900;

/** `heddle start`. */
export function registerStartCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .description('run a node; without --genesis a development chain with ten funded accounts');
  addNodeOptions(command, allNodeOptions());
  command
    .addHelpText(
      'after',
      [
        '',
        'Every option can also be given as an environment variable (HEDDLE_BLOCK_TIME for --block-time) or in the',
        'JSON file that --config names ({"block-time": 100}). Flags go before variables, variables before the file.',
        'Times are in milliseconds, sizes in bytes unless they say otherwise.',
        '',
        'Examples:',
        '  $ heddle start',
        '  $ heddle start --port 8000 --data-dir /var/lib/heddle',
        '  $ heddle start --seal instant --idle-block-time 0     a block for each transaction, and no others',
        '  $ heddle start --genesis genesis.json --config node.json',
        '  $ HEDDLE_LOG_FORMAT=json heddle start',
        '',
      ].join('\n'),
    )
    .action(async (_options: unknown, self: Command) => {
      const config = configOf(self, context);
      await runNode(config, await createLogger(config), context.console);
    });
}

/**
 * Runs a node until a signal or a fatal error ends it.
 * @throws CliError if it failed while running; errors of the start unchanged
 */
async function runNode(config: Config, log: Logger, console: Console): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const { startNode } = await import('../../node.js');
  const release = endBySignals();
  const node = await startNode(config, log, { watchProcess: true }).finally(release);
  const signals = watchSignals(log);
  try {
    announce(node, log);
    // Without a genesis yet, it waits for a snapshot, and has no balances to show.
    const isDevChain = node.devMode && node.genesisHash !== undefined;
    if (isDevChain && !signals.ended) await introduceDevChain(node, config, log, console);
    const failure = await Promise.race([signals.first, node.failure]);
    if (failure !== undefined) log.fatal({ err: failure }, 'the node cannot go on');
    await stopInTime(node, log);
    if (failure !== undefined) {
      throw new CliError('failure', `the node stopped: ${failure.message}`, { cause: failure });
    }
  } finally {
    signals.forget();
  }
  // What supervisors and shells expect of a program that a signal asked to end.
  if (signals.signal !== undefined) await exitBySignal(signals.signal);
}

/** The line that says that the node takes requests; programs wait for it, see `src/log.ts`. */
function announce(node: RunningNode, log: Logger): void {
  log.info(
    { url: node.url, chain_id: node.chainId?.toString(), genesis_hash: node.genesisHash },
    `listening on ${node.url}`,
  );
}

/**
 * Until a node runs, a signal ends its process at once, as `kill -9` may at any time; by its default action, which works while the
 * main thread is busy. The first process of a container has no default actions.
 * @returns gives that up
 */
function endBySignals(): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    release();
    void exitBySignal(signal);
  };
  const release = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  if (process.pid === 1) {
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  }
  return release;
}

interface SignalWatch {
  /** Whether a signal has come. */
  readonly ended: boolean;
  /** The one that came first. */
  readonly signal: NodeJS.Signals | undefined;
  /** Resolves at the first signal. The second one ends the process at once. */
  readonly first: Promise<undefined>;
  forget(): void;
}

function watchSignals(log: Logger): SignalWatch {
  let resolveFirst: (value: undefined) => void;
  const first = new Promise<undefined>((resolve) => {
    resolveFirst = resolve;
  });
  const onSignal = (signal: NodeJS.Signals) => {
    if (watch.signal !== undefined) {
      log.warn({ signal }, 'ended at once by a second signal');
      watch.forget();
      void exitBySignal(signal);
      return;
    }
    watch.signal = signal;
    log.info({ signal }, 'stopping; a second signal ends the node at once');
    resolveFirst(undefined);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const watch = {
    get ended() {
      return watch.signal !== undefined;
    },
    signal: undefined as NodeJS.Signals | undefined,
    first,
    forget() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
  return watch;
}

async function stopInTime(node: RunningNode, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), STOP_DEADLINE_MS);
  });
  const outcome = await Promise.race([node.stop().then(() => 'stopped' as const), late]);
  clearTimeout(timer);
  if (outcome === 'stopped') log.info('stopped');
  else log.error(`the node did not stop within ${STOP_DEADLINE_MS} ms and is ended; sealed blocks are safe`);
}

/** Shows what a developer needs first: accounts with their keys and balances, the admin token's place, the address. */
async function introduceDevChain(
  node: RunningNode,
  config: Config,
  log: Logger,
  console: Console,
): Promise<void> {
  const accounts = devAccounts({ sha256, ed25519: nodeEd25519 });
  const client = connect(node.url + config.baseUrl, { timeoutMs: 5_000, retry: { retries: 0 } });
  let balances: readonly bigint[];
  try {
    const answer = await client.accounts({ addresses: accounts.map(({ address }) => address) });
    balances = answer.accounts.map(({ balance }) => balance);
  } catch (error) {
    log.warn({ err: error }, 'cannot read the balances of the development accounts');
    balances = [];
  }
  const rows = accounts.map(({ index, address, seed }) => ({
    index,
    address: formatAddress(address),
    key: toPrefixedHex(seed),
    balance: balances[index],
  }));
  const adminToken = join(config.dataDir, 'admin.token');
  if (!isPretty(config)) {
    for (const { index, address, key, balance } of rows) {
      log.info(
        { index, address, dev_private_key: key, balance: balance?.toString() },
        'development account; everybody knows its key',
      );
    }
    log.info({ path: adminToken }, 'the admin token');
    return;
  }
  console.out(
    [
      '',
      'Development accounts. Everybody knows these keys: never use them elsewhere.',
      '',
      '   account                                     private key (ed25519)                                                balance',
      ...rows.map(
        ({ index, address, key, balance }) =>
          `${String(index).padStart(2)} ${address}  ${key}  ${balance === undefined ? '?' : formatAmount(balance)}`,
      ),
      '',
      `Chain id     ${node.chainId}`,
      `Genesis      ${node.genesisHash}`,
      `Admin token  ${adminToken}`,
      `RPC          ${client.endpoint}`,
      '',
      '',
    ].join('\n'),
  );
}

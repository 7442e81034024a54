import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pause } from '../../async/pause.js';
import { ClientError, connect, RpcCallError } from '../../client/client.js';
import { loadConfig } from '../../config/config.js';
import type { CeremonyProgress } from '../../consensus/ceremony/run-ceremony.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { Console } from '../console.js';
import { addNodeOptions, nodeFlags } from '../node/node-options.js';
import { integerBetween } from '../option-parsers.js';
import { Screen } from '../screen.js';
import { SILENT_LOG } from '../silent-log.js';
import { type Localnet, openLocalnet, P2P_OFFSET } from './localnet-directory.js';
import { type LocalnetNode, LocalnetNodes } from './localnet-nodes.js';
import { localnetScreen, type NodeSample } from './localnet-view.js';

interface LocalnetOptions {
  readonly validators?: number;
  readonly dealer?: boolean;
  readonly dataDir: string;
  readonly port?: number;
  readonly epochLength?: number;
  readonly workers: number;
}

/** Timeout for all validators to finalize their first block. */
const READY_MS = 300_000;
const POLL_MS = 500;

export function registerLocalnetCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('localnet')
    .option('--validators <N>', 'how many (default: 4)', integerBetween(1, P2P_OFFSET))
    .option(
      '--dealer',
      'have one dealer make the group key instead of a ceremony; no validator can join later',
    )
    .option('--data-dir <DIR>', 'parent of their directories; created if missing', './heddle-localnet')
    .option(
      '--port <BASE>',
      `validator i serves RPC on BASE + i, and talks to the others on BASE + ${P2P_OFFSET} + i (default: 9600)`,
      integerBetween(1, 65_535 - 2 * P2P_OFFSET),
    )
    .option('--epoch-length <N>', 'blocks of an epoch (default: 10000)', integerBetween(2, 1e15))
    .option(
      '--workers <N>',
      'call threads of each validator, and equally many block threads; few, since they share one machine',
      integerBetween(1, 64),
      Math.max(1, Math.floor(availableParallelism() / 4)),
    );
  addNodeOptions(command, ['blockTimeMs', 'idleBlockTimeMs', 'logLevel'], { config: false });
  command
    .notes(
      'On a terminal a table shows their state; elsewhere one JSON line names each, and one reports when all have',
      'finalized a block. Started again on the same directory, it continues and starts missing validators. The',
      'development accounts are funded: heddle send --from-dev 0 --url http://127.0.0.1:9600 …',
    )
    .examples(
      'heddle localnet --validators 4',
      'heddle localnet --validators 7 --dealer --data-dir /tmp/net --port 9700 --block-time 100',
    )
    .action(async (options: LocalnetOptions, self: CliCommand) => {
      await runLocalnet(options, self, context);
    });
}

async function runLocalnet(
  options: LocalnetOptions,
  command: CliCommand,
  context: CommandContext,
): Promise<void> {
  const { console, workingDirectory } = context;
  const flags = nodeFlags(command);
  const sealsIdle = loadConfig({ flags, environment: {}, workingDirectory }).idleBlockTimeMs !== 0;
  const ended = new AbortController();
  const end = () => ended.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    const directory = resolve(workingDirectory, options.dataDir);
    const { validators, port, dealer, epochLength } = options;
    const crypto = await loadCrypto('auto');
    const net = await openLocalnet(
      directory,
      { validators, port, dealer, epochLength },
      { crypto, log: SILENT_LOG, onProgress: progressReporter(console) },
    );
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const threads = ['--workers', `${options.workers}`, '--block-workers', `${options.workers}`];
    const nodes = new LocalnetNodes(net, [...threads, '--log-format', 'json', ...given]);
    const { signal } = ended;
    try {
      if (!signal.aborted) await watch(nodes, { net, directory, console, signal, sealsIdle });
    } finally {
      await nodes.stop();
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** Reports validator 0's progress in the ceremony, and the failed attempts of all. */
function progressReporter({ err }: Console): (index: number, progress: CeremonyProgress) => void {
  let said = '';
  return (index, news) => {
    if (news.type === 'failed') {
      err(`validator ${index}: attempt ${news.attempt} at the group key failed: ${news.failure.message}\n`);
      return;
    }
    const line = `making the group key: attempt ${news.attempt}, ${news.stage}\n`;
    if (index !== 0 || line === said) return;
    said = line;
    err(line);
  };
}

interface Watched {
  readonly net: Localnet;
  readonly directory: string;
  readonly console: Console;
  readonly signal: AbortSignal;
  /** Whether the chain seals empty blocks while it is idle. */
  readonly sealsIdle: boolean;
}

/** Starts the validators and shows their state until the signal. @throws CliError if all stop, or are late */
async function watch(
  nodes: LocalnetNodes,
  { net, directory, console, signal, sealsIdle }: Watched,
): Promise<void> {
  const known = new Map<number, LocalnetNode>();
  const report = console.isTerminal ? undefined : lineReport(console);
  for (const node of await nodes.start()) {
    known.set(node.index, node);
    report?.started(node);
  }
  const { group_public_key: groupPublicKey } = net.genesis.validator_set;
  const screen = console.isTerminal ? new Screen(console) : undefined;
  const deadline = performance.now() + READY_MS;
  let isReady = false;
  try {
    while (!signal.aborted) {
      const samples = await sampleNodes(nodes);
      for (const { index, pid } of samples) {
        const before = known.get(index);
        if (pid === before?.pid) continue;
        if (before !== undefined) report?.ended(before);
        const node = pid === undefined ? undefined : await nodes.find(index);
        if (node === undefined) known.delete(index);
        else {
          known.set(index, node);
          report?.started(node);
        }
      }
      if (known.size === 0 && !signal.aborted) {
        throw new CliError(
          `all validators have stopped; their logs are in ${nodes.logFile(0)} and beside it`,
        );
      }
      screen?.draw(localnetScreen(samples, { groupPublicKey, directory }));
      if (!isReady && samples.every((sample) => isReadyNode(sample, sealsIdle))) {
        isReady = true;
        report?.ready(groupPublicKey);
      }
      if (!isReady && performance.now() > deadline) {
        throw new CliError(`not all validators have finalized a block within ${READY_MS / 1_000} s`);
      }
      await pause(POLL_MS, signal);
    }
  } finally {
    screen?.close();
  }
}

/** Tells programs about the validators, a line of JSON for each event. */
function lineReport({ out }: Console) {
  const say = (line: object): void => out(`${JSON.stringify(line)}\n`);
  return {
    started: ({ index, pid, rpc, dataDir }: LocalnetNode) =>
      say({ validator: index, pid, rpc, data_dir: dataDir }),
    ended: ({ index, pid }: LocalnetNode) => say({ validator: index, pid, ended: true }),
    ready: (groupPublicKey: Uint8Array) =>
      say({ ready: true, group_public_key: toPrefixedHex(groupPublicKey) }),
  };
}

/** Whether the validator has finalized a block or, on a chain without idle blocks, is connected to all others. */
function isReadyNode({ answer }: NodeSample, sealsIdle: boolean): boolean {
  if (answer === undefined) return false;
  const { status, validator } = answer;
  if (status.finalized_height > 0n) return true;
  return !sealsIdle && validator.peers.every(({ connected }) => connected);
}

async function sampleNodes(nodes: LocalnetNodes): Promise<readonly NodeSample[]> {
  return Promise.all(
    Array.from({ length: nodes.count }, async (_, index): Promise<NodeSample> => {
      const node = await nodes.find(index);
      const rpc = nodes.rpc(index);
      if (node === undefined) return { index, rpc, pid: undefined };
      const client = connect(rpc, { timeoutMs: 2_000, retry: { retries: 0 } });
      try {
        const [status, validator] = await Promise.all([client.status(), client.validator_status()]);
        return { index, rpc, pid: node.pid, answer: { status, validator } };
      } catch (error) {
        if (error instanceof ClientError || error instanceof RpcCallError) {
          return { index, rpc, pid: node.pid };
        }
        throw error;
      }
    }),
  );
}

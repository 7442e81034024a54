import { InvalidArgumentError } from 'commander';
import { pause } from '../../async/pause.js';
import { type Client, ClientError } from '../../client/client.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { Console } from '../console.js';
import { interruptible } from '../end-process.js';
import { Screen } from '../screen.js';
import { connectTo, type NodeCommandOptions } from '../sending-options.js';
import { fetchParallelSample, renderLine, renderScreen, type StatusSample } from './status-view.js';

interface StatusOptions extends NodeCommandOptions {
  readonly once?: boolean;
  readonly intervalMs: number;
}

const BLOCKS = 100;

export function registerStatusCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('status')
    .connection()
    .option('--once', 'look once and end')
    .json('print JSON, one object per sample')
    .option('--interval-ms <MS>', 'time between looks', interval, 1_000)
    .examples('heddle status', 'heddle status --once --json | jq .status.tip.height')
    .action((options: StatusOptions) => watch(options, context));
}

async function watch(options: StatusOptions, context: CommandContext): Promise<void> {
  const client = connectTo(options, context, { batch: true, timeoutMs: 5_000, retry: { retries: 0 } });
  const first = await firstLook(client);
  if (options.once) {
    context.console.out(`${options.json ? renderJson(first) : renderScreen(first).join('\n')}\n`);
    return;
  }
  await interruptible('interrupted', (signal) => follow(client, first, options, context.console, signal));
}

async function follow(
  client: Client,
  first: StatusSample,
  { json, intervalMs }: StatusOptions,
  console: Console,
  signal: AbortSignal,
): Promise<void> {
  const screen = console.isTerminal && !json ? new Screen(console) : undefined;
  const show = (sample: StatusSample) => {
    if (screen !== undefined) screen.draw(renderScreen(sample));
    else console.out(`${json ? renderJson(sample) : renderLine(sample)}\n`);
  };
  let last = first;
  show(first);
  try {
    while (await pause(intervalMs, signal)) {
      try {
        last = await look(client);
        show(last);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        // Keeps polling, because users often restart a node while watching it.
        if (screen !== undefined)
          screen.draw([...renderScreen(last), '', `! ${error.message}; still trying`]);
        else console.err(`heddle: ${error.message}; still trying\n`);
      }
    }
  } finally {
    screen?.close();
  }
}

async function firstLook(client: Client): Promise<StatusSample> {
  try {
    return await look(client);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new CliError(
      `${error.message}; start one with "heddle start", or name another with --url or HEDDLE_URL`,
      { cause: error },
    );
  }
}

async function look(client: Client): Promise<StatusSample> {
  const [status, pool, validator, { blocks }, parallel] = await Promise.all([
    client.status(),
    client.txpool_stats(),
    client.validator_status(),
    client.list_blocks({ limit: BLOCKS }),
    fetchParallelSample(client.endpoint),
  ]);
  return { endpoint: client.endpoint, status, pool, validator, blocks, ...(parallel && { parallel }) };
}

function renderJson(sample: StatusSample): string {
  const { Status, TxpoolStats, ValidatorStatus } = rpcTypes;
  const members = [
    `"status":${Status.toJson(sample.status)}`,
    `"txpool":${TxpoolStats.toJson(sample.pool)}`,
    `"validator":${ValidatorStatus.toJson(sample.validator)}`,
  ];
  return `{${members.join(',')}}`;
}

function interval(text: string): number {
  if (/^\d{2,7}$/.test(text) && Number(text) >= 50) return Number(text);
  throw new InvalidArgumentError(`expected milliseconds from 50 to 9999999, got ${JSON.stringify(text)}`);
}

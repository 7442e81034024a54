import { relative } from 'node:path';
import { read } from 'read';
import { errorMessage } from '../../../base/errors.js';
import { type Client, type ConnectOptions, formatAddress } from '../../../client/client.js';
import { printAnswer } from '../../answer.js';
import type { CommandContext } from '../../cli-command.js';
import { CliError } from '../../cli-error.js';
import { tokenFileOf } from '../../connection-options.js';
import type { PassphraseOptions } from '../../passphrase.js';
import type { NodeCommandOptions } from '../../sending-options.js';
import type { OpenRun, RunRecord } from './deployment-folder.js';
import { startDryRunFork } from './dry-run-fork.js';
import { type EarlierTransaction, EarlierTransactions, earlierTransactions } from './earlier-transactions.js';
import { RunJournal } from './run-journal.js';
import { type PassTarget, runPass, type ScriptCommand } from './run-pass.js';
import type { PerformedStep, ScriptPass } from './script-pass.js';
import { costOf, costText, stepJson, stepText } from './script-view.js';

export interface ScriptOptions extends NodeCommandOptions, PassphraseOptions {
  readonly key: readonly string[];
  readonly fromDev: readonly number[];
  readonly dryRun?: boolean;
  readonly broadcast?: boolean;
  readonly resume?: boolean;
  readonly skipDryRun?: boolean;
  readonly yes?: boolean;
  readonly deployments: string;
  readonly import: readonly string[];
  readonly priorityFee?: bigint;
  readonly maxFee?: bigint;
  readonly waitMs: number;
}

/** A script with the chain and the options of its command. */
export interface ScriptJob extends ScriptCommand {
  readonly client: Client;
  readonly url: string;
  readonly access: ConnectOptions;
  /** The chain's height, whose state the dry run begins with. */
  readonly height: bigint;
  readonly context: CommandContext;
  readonly options: ScriptOptions;
}

/** Runs a script on a fork, and with `broadcast` on its chain. @throws CliError if it fails or is declined */
export async function performScript(job: ScriptJob): Promise<void> {
  const { client, print, options } = job;
  const { broadcast, skipDryRun } = options;
  const continued = continuedRun(job);
  const earlier =
    continued === undefined ? [] : await earlierTransactions(client, continued.record.transactions);
  const plan = skipDryRun ? undefined : await dryRun(job, earlier);
  if (!broadcast) {
    print(`nothing was sent; --broadcast sends it`);
    answer(job, 'dry_run', plan?.performed ?? []);
    return;
  }
  const hasNothing = plan?.asked.length === 0;
  if (hasNothing && continued === undefined) {
    answer(job, 'broadcast', []);
    return;
  }
  if (!hasNothing) await confirm(job, plan);
  await send(job, plan, continued, earlier);
}

/** The run that `--resume` continues. @throws CliError if there is none */
function continuedRun({ folder, script, options, warn }: ScriptJob): OpenRun | undefined {
  const newest = folder.newest(script.shown);
  if (options.resume) {
    if (newest !== undefined) return newest;
    throw new CliError(`there is nothing to resume: ${folder.path} has no broadcast of ${script.shown}`);
  }
  if (options.broadcast && newest !== undefined && newest.record.state !== 'complete') {
    warn(`broadcast ${newest.record.run} of ${script.shown} is not complete; --resume continues it`);
  }
  return undefined;
}

async function dryRun(job: ScriptJob, earlier: readonly EarlierTransaction[]): Promise<ScriptPass> {
  const { script, chain, url, height, options, context, print } = job;
  const tokenFile = tokenFileOf(options, context);
  const fork = await startDryRunFork(url, height, tokenFile, context.environment);
  try {
    print(
      `dry run of ${script.shown} on a fork of chain ${chain.id} at block ${height}, from ${fromText(job)}\n`,
    );
    const target = { kind: 'dry', url: fork.url, access: {}, chainId: undefined } as const;
    const done = await pass(job, earlier, target);
    print(costText(costOf(done.performed)));
    return done;
  } catch (error) {
    if (job.signal.aborted) throw error;
    throw new CliError(`${errorMessage(error)}\nnothing was sent`, { cause: error });
  } finally {
    await fork.stop();
  }
}

async function send(
  job: ScriptJob,
  plan: ScriptPass | undefined,
  continued: OpenRun | undefined,
  earlier: readonly EarlierTransaction[],
): Promise<void> {
  const { folder, script, chain, url, access, print, context, signal } = job;
  const journal = new RunJournal(folder, continued ?? folder.begin(script.shown, Date.now()));
  if (continued !== undefined) journal.resume(earlier);
  const file = relative(context.workingDirectory, journal.run.file);
  print(`\nbroadcast of ${script.shown} to chain ${chain.id}, recorded in ${file}\n`);
  try {
    const { performed } = await pass(job, earlier, {
      kind: 'broadcast',
      url,
      access,
      chainId: chain.id,
      journal,
      ...(plan !== undefined && { plan: plan.asked }),
    });
    journal.end('complete');
    print(costText(costOf(performed)));
    answer(job, 'broadcast', performed, file);
  } catch (error) {
    if (!signal.aborted) journal.end('failed');
    throw new CliError(
      `${errorMessage(error)}\n${progressText(journal.run.record)} on chain; ${file} lists them, and --resume continues`,
      { cause: error },
    );
  }
}

async function pass(
  job: ScriptJob,
  earlier: readonly EarlierTransaction[],
  target: Omit<PassTarget, 'earlier' | 'onPerformed'>,
): Promise<ScriptPass> {
  const before = new EarlierTransactions(earlier);
  const done = await runPass(job, {
    ...target,
    earlier: before,
    onPerformed: (step, number) => job.print(stepText(step, number, target.kind === 'broadcast')),
  });
  if (target.kind === 'dry' || job.options.skipDryRun) {
    for (const { what } of before.unused) job.warn(`on chain, but the script no longer asks for it: ${what}`);
  }
  return done;
}

async function confirm(job: ScriptJob, plan: ScriptPass | undefined): Promise<void> {
  const { chain, url } = job;
  if (job.options.yes) return;
  const what =
    plan === undefined
      ? "the script's transactions, without a dry run,"
      : `${costText(costOf(plan.performed))},`;
  const prompt = `send ${what} from ${fromText(job)} to chain ${chain.id} at ${url}? [y/N] `;
  if (!/^y(es)?$/i.test(await answerTo(prompt))) throw new CliError('nothing was sent');
}

async function answerTo(prompt: string): Promise<string> {
  try {
    return (await read({ prompt, output: process.stderr })).trim();
  } catch (error) {
    // Ctrl-C and the end of the input.
    throw new CliError('nothing was sent', { cause: error });
  }
}

function answer(
  { options, context, chain, script }: ScriptJob,
  mode: 'dry_run' | 'broadcast',
  performed: readonly PerformedStep[],
  record?: string,
): void {
  const { gasUsed, fee } = costOf(performed);
  const values = {
    mode,
    script: script.shown,
    chain_id: `${chain.id}`,
    genesis_hash: chain.genesisHash,
    transactions: performed.map((each) => stepJson(each, mode === 'broadcast')),
    gas_used: Number(gasUsed),
    fee: `${fee}`,
    record,
  };
  printAnswer(context, options, values, '');
}

function fromText({ signers }: ScriptJob): string {
  return signers.map(({ address }) => formatAddress(address)).join(', ');
}

function progressText({ transactions }: RunRecord): string {
  const done = transactions.filter(({ state }) => state === 'included' || state === 'failed').length;
  return done === 1 ? '1 transaction is' : `${done} transactions are`;
}

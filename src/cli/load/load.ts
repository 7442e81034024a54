import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { defined } from '../../base/defined.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { compareLoads, readEarlierReport } from '../../load/comparison.js';
import type { Signing } from '../../load/load-accounts.js';
import type { LoadReport } from '../../load/load-report.js';
import { LoadRun } from '../../load/load-run.js';
import { PROFILE_NAMES, PROFILES, type ProfileName } from '../../load/profiles.js';
import { reportPage } from '../../load/report-page.js';
import { printAnswer, unwritable, writeText } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { mnemonicPayer } from '../dev-signer.js';
import { interruptible } from '../end-process.js';
import { passphraseFileOption, readKey } from '../key-file.js';
import { integerBetween } from '../option-parsers.js';
import type { PassphraseOptions } from '../passphrase.js';
import { Screen } from '../screen.js';
import { connectTo, explainRejections, type NodeCommandOptions } from '../sending-options.js';
import { renderLoad, renderLoadLine, renderLoadSummary } from './load-view.js';

interface LoadCommandOptions extends PassphraseOptions, NodeCommandOptions {
  readonly profile: ProfileName;
  readonly rate: number;
  readonly duration: number;
  readonly key?: string;
  readonly connections: number;
  readonly accounts: number;
  readonly lanes: number;
  readonly maxUnsealed: number;
  readonly seed: number;
  readonly report?: string;
  readonly html?: string;
  readonly compare?: string;
}

export function registerLoadCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('load')
    .connection()
    .choice('--profile <NAME>', 'what to send', PROFILE_NAMES, 'transfers')
    .option('--rate <N>', 'transactions a second', integerBetween(1, 100_000), 100)
    .option('--duration <SECONDS>', 'how long', integerBetween(1, 86_400), 30)
    .option('--key <FILE>', 'key file of the payer (default: the accounts of a development chain)')
    .addOption(passphraseFileOption())
    .option(
      '--connections <N>',
      'maximum number of requests in flight, up to 200 transactions each',
      integerBetween(1, 256),
      8,
    )
    .option('--accounts <N>', 'accounts to send from', integerBetween(1, 500), 32)
    .option('--lanes <N>', 'nonce lanes of each', integerBetween(1, 16), 4)
    .option(
      '--max-unsealed <N>',
      'maximum number of accepted transactions waiting for a block',
      integerBetween(1, 1_000_000),
      20_000,
    )
    .option('--seed <N>', 'what is random follows from it', integerBetween(1, 2_147_483_647), 1)
    .option('--report <FILE>', 'write the report as JSON')
    .json()
    .option('--html <FILE>', 'write the report as one HTML page with plots')
    .option('--compare <OLD.json>', 'show what changed since an earlier load, from its --report')
    .notes(
      'Profiles:',
      ...PROFILE_NAMES.map((name) => `  ${name.padEnd(12)} ${PROFILES[name].description}`),
      '',
      'The first line of the report says what the limit was: the load generator, a thread, the blocks, a refusal, or none. It comes',
      "from the node's /metrics, which the load reads with each sample, and from the load generator's own processor time.",
      '',
      "Every run uses new accounts and takes at most a twentieth of its payers' balances.",
    )
    .examples(
      'heddle load --rate 1000 --duration 30 --html load.html',
      'heddle load --profile amm --rate 200 --report amm.json',
      'heddle load --profile amm --rate 200 --compare amm.json --html amm.html',
    )
    .action((options: LoadCommandOptions) => load(options, context));
}

async function load(options: LoadCommandOptions, context: CommandContext): Promise<void> {
  const { console } = context;
  const payer =
    options.key === undefined ? mnemonicPayer() : (await readKey(options.key, options, context)).signer;
  // Read before a load that may take hours.
  const earlier = options.compare === undefined ? undefined : readEarlierReport(options.compare);
  for (const path of [options.report, options.html]) if (path !== undefined) expectWritable(path);
  const { connections: maxConcurrent } = options;
  const client = connectTo(options, context, { batch: true, maxConcurrent, timeoutMs: 10_000 });
  const signing = await nativeSigning();
  const { profile, rate, duration: duration_s, connections, accounts, lanes, seed } = options;
  const { maxUnsealed: max_unsealed } = options;
  const settings = { profile, rate, duration_s, connections, accounts, lanes, max_unsealed, seed };
  const run = new LoadRun(client, defined({ ...settings, secret: randomBytes(32), signing, payer }));
  let screen: Screen | undefined;
  let measured: LoadReport;
  try {
    measured = await explainRejections(() =>
      interruptible('ended before the load began', (signal) =>
        run.run(
          signal,
          (what) => console.err(`${what}\n`),
          (sample, { counts }) => {
            if (console.isTerminal) {
              screen ??= new Screen(console);
              screen.draw(renderLoad(settings, sample, counts));
            } else console.err(`${renderLoadLine(sample)}\n`);
          },
        ),
      ),
    );
  } finally {
    screen?.close();
  }
  const report: LoadReport =
    earlier === undefined ? measured : { ...measured, comparison: compareLoads(measured, earlier) };
  if (options.report !== undefined) await writeText(options.report, `${JSON.stringify(report, null, 2)}\n`);
  if (options.html !== undefined) await writeText(options.html, reportPage(report, earlier));
  printAnswer(context, options, report, `${renderLoadSummary(report).join('\n')}\n`);
  if (report.ended === 'node_gone') {
    throw new CliError('the node stopped answering; the report covers the time before');
  }
}

/** Checks the path before a load that may take hours. An existing file stays until a report replaces it. */
function expectWritable(path: string): void {
  const isThere = existsSync(path);
  try {
    closeSync(openSync(path, 'a'));
    if (!isThere) rmSync(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Signing by the native library, in a third of Web Crypto's time; undefined if it does not load. */
async function nativeSigning(): Promise<Signing | undefined> {
  let isNative = false;
  const { ed25519 } = await loadCrypto('auto', ({ part, native }) => {
    if (part === 'ed25519') isNative = native;
  });
  return isNative ? (seed) => ed25519.signer(seed) : undefined;
}

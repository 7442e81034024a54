import { resolve } from 'node:path';
import { Option } from 'commander';
import { defined } from '../../../base/defined.js';
import { type Client, connect, type ScriptChain, type Signer } from '../../../client/client.js';
import { toHex } from '../../../idl/hex.js';
import type { CliCommand, CommandContext } from '../../cli-command.js';
import { UsageError } from '../../cli-error.js';
import { accessTo } from '../../connection-options.js';
import { devSigner, MAX_DEV_INDEX } from '../../dev-signer.js';
import { interruptible } from '../../end-process.js';
import { passphraseFileOption, readKey } from '../../key-file.js';
import { integerBetween, listOf } from '../../option-parsers.js';
import { explainRejections, maxFeeOption, priorityFeeOption } from '../../sending-options.js';
import { DeploymentFolder } from './deployment-folder.js';
import { performScript, type ScriptOptions } from './perform-script.js';
import { findScript, loadScript } from './script-file.js';

export function registerScriptCommand(dev: CliCommand, context: CommandContext): void {
  dev
    .command('script')
    .description('deploy with a program: a dry run on a fork of any chain, and on request the broadcast')
    .argument('<FILE>', 'JavaScript or TypeScript that exports an async function run')
    .argument('[ARGS...]', 'what the function gets as args; those that begin with a dash follow --')
    .connection()
    .addOption(
      new Option('--key <FILE>', 'send from the key in this file; may be repeated')
        .argParser(listOf(String))
        .default([], 'none'),
    )
    .addOption(
      new Option('--from-dev <I>', 'send from this development account: 0, 1 …; may be repeated')
        .argParser(listOf(integerBetween(0, MAX_DEV_INDEX)))
        .default([], 'for a dry run 0'),
    )
    .addOption(passphraseFileOption())
    .addOption(
      new Option('--dry-run', 'send nothing: what happens without --broadcast').conflicts('broadcast'),
    )
    .option('--broadcast', 'after the dry run, send the transactions and record them')
    .option('--yes', 'broadcast without asking')
    .option('--resume', "continue the script's last broadcast: what is on chain is not sent again")
    .option('--skip-dry-run', 'broadcast without a dry run, where the chain cannot be forked')
    .option('--deployments <DIR>', 'the folder of the records', 'deployments')
    .addOption(priorityFeeOption())
    .addOption(maxFeeOption())
    .option('--wait-ms <MS>', 'how long to wait for each transaction', integerBetween(0, 3_600_000), 60_000)
    .addOption(
      new Option('--import <MODULE>', 'module to load before the script; may be repeated')
        .argParser(listOf(String))
        .default([], 'none'),
    )
    .json()
    .notes(...NOTES)
    .examples(
      'heddle dev script scripts/deploy.mjs',
      'heddle dev script scripts/deploy.mjs --broadcast --key deployer.json --url https://node.example',
      'heddle dev script scripts/deploy.mjs --broadcast --resume --key deployer.json --url https://node.example',
    )
    .action((file: string, args: readonly string[], options: ScriptOptions) =>
      script(file, args, options, context),
    );
}

const NOTES = [
  'scripts/deploy.mjs:',
  '',
  "  /** @type {import('heddle/client').Script} */",
  '  export async function run({ deploy, deployed, sender, log }) {',
  "    const counter = await deploy('Counter', { init: { owner: sender.signer.address, start: 1 } });",
  "    await counter.call('increment', { by: 4 });",
  "    log('it counts', await counter.view('count'));",
  '  }',
  '',
  'The function also gets client, chain, contract, senders, isDryRun and args. deploy takes the contract of the project',
  'that the script is in, or { wasm, idl }. Each transaction waits for its block, and one that fails ends the script.',
  '',
  'A dry run executes the script on a fork of the chain in this process, with real blocks, gas and fees. A broadcast',
  'runs it again and sends only what the dry run had. It writes deployments/CHAIN/SCRIPT-N.json before each',
  'transaction, and the address of each contract to deployments/CHAIN/latest.json, which deployed reads.',
];

async function script(
  file: string,
  args: readonly string[],
  options: ScriptOptions,
  context: CommandContext,
): Promise<void> {
  const { console, workingDirectory } = context;
  const { broadcast, skipDryRun, yes, json } = options;
  if (skipDryRun && !broadcast) throw new UsageError('--skip-dry-run needs --broadcast');
  const mayAsk = console.isTerminal && process.stdin.isTTY === true;
  if (broadcast && !yes && !mayAsk) {
    throw new UsageError('--broadcast asks before it sends, and there is no terminal to ask: give --yes');
  }
  const found = await findScript(file, options.import, context);
  // Loaded before anything is asked of people or nodes; its pass loads it again.
  await loadScript(found, skipDryRun ? 'broadcast' : 'dry');
  const signers = await signersOf(options, context);
  const { url, ...access } = accessTo(options, context);
  const client = connect(url, access);
  const { chain, height } = await explainRejections(() => chainOf(client));
  const { priorityFee, maxFee, waitMs } = options;
  const defaults = defined({ waitMs, priorityFee, maxFee });
  await interruptible('interrupted', (signal) =>
    performScript({
      script: found,
      signers,
      chain,
      args,
      defaults,
      signal,
      folder: new DeploymentFolder(resolve(workingDirectory, options.deployments), chain),
      // With --json, standard output carries only the result.
      print: (text) => (json ? console.err : console.out)(`${text}\n`),
      warn: (text) => console.err(`note: ${text}\n`),
      client,
      url,
      access,
      height,
      context,
      options,
    }),
  );
}

async function signersOf(
  options: ScriptOptions,
  context: CommandContext,
): Promise<readonly [Signer, ...Signer[]]> {
  const signers: Signer[] = [];
  for (const file of options.key) signers.push((await readKey(file, options, context)).signer);
  for (const index of options.fromDev) signers.push(devSigner(index));
  const [first, ...others] = signers;
  if (first !== undefined) return [first, ...others];
  if (options.broadcast !== true) return [devSigner(0)];
  throw new UsageError('no sender: give --key FILE, or --from-dev INDEX on a development chain');
}

async function chainOf(client: Client): Promise<{ readonly chain: ScriptChain; readonly height: bigint }> {
  const [{ tip }, { chain_id: id, genesis_hash: genesis }] = await Promise.all([
    client.status(),
    client.light_client_context({}),
  ]);
  return { chain: { id, genesisHash: toHex(genesis), endpoint: client.endpoint }, height: tip.height };
}

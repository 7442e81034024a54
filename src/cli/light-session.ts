import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { nodeEd25519 } from '../../native-free/crypto/ed25519.js';
import { connect } from '../client/client.js';
import { readJsonObject } from '../config/config-file.js';
import { sha256 } from '../crypto/sha256.js';
import { toHex } from '../idl/hex.js';
import { devGenesis } from '../ledger/dev-genesis.js';
import { trustRoot } from '../proofs/verify/trust.js';
import { type Trust, VerifyError } from '../proofs/verify.js';
import { CliError } from './cli-error.js';
import { LightClient, LightClientError } from './light-client.js';
import { answerQuery, QUERIES } from './light-query.js';
import { urlOption, urlOrDefault } from './node-url.js';
import type { CommandContext } from './run.js';

interface LightOptions {
  readonly url?: string;
  readonly key?: string;
  readonly genesis?: string;
}

const TIMEOUT_MS = 10_000;

/** `heddle light`. */
export function registerLightCommand(program: Command, context: CommandContext): void {
  const url = urlOption();
  url.description = `${url.description}; several, separated by commas, are all asked`;
  program
    .command('light')
    .description('ask nodes without believing them: answers only what is proved under a key or genesis')
    .argument('[QUERY...]', `${QUERIES.join(', ')}; without one, queries are read from standard input`)
    .addOption(url)
    .option('--key <HEX>', "the validators' group key, 96 hex digits, or dev for the development chain")
    .option('--genesis <FILE>', 'the genesis file, whose key and chain id count')
    .addHelpText(
      'after',
      [
        '',
        'Exit code 0: proved. Exit code 1: not proved, and why.',
        '',
        'Examples:',
        '  $ heddle light --key 978b0f… balance 0x5f0c…91',
        '  $ heddle light --url http://one:9545,http://two:9545 --genesis genesis.json tx 9f31…',
        '  $ heddle light --key dev',
        '',
      ].join('\n'),
    )
    .action(async (query: string[], options: LightOptions) => {
      const client = new LightClient(endpointsOf(options, context), trustOf(options), {
        timeoutMs: TIMEOUT_MS,
      });
      if (query.length > 0) await answer(client, query, context);
      else await answerInput(client, context);
    });
}

/** @throws CliError, LightClientError */
async function answer(
  client: LightClient,
  query: readonly string[],
  { console }: CommandContext,
): Promise<void> {
  const { answer: text, warnings } = await answerQuery(client, query);
  for (const warning of warnings) console.err(`warning: ${warning}\n`);
  console.out(text);
}

/** One query a line, until the input ends or says `quit`. Where nothing was typed by a person, a failure is the exit code. */
async function answerInput(client: LightClient, context: CommandContext): Promise<void> {
  const isPerson = process.stdin.isTTY === true && context.console.isTerminal;
  const lines = createInterface({ input: process.stdin, ...(isPerson ? { output: process.stdout } : {}) });
  if (isPerson) {
    context.console.out(`${QUERIES.join(', ')}; quit ends it\n`);
    lines.setPrompt('light> ');
    lines.prompt();
  }
  for await (const line of lines) {
    const words = line.trim().split(/\s+/).filter(Boolean);
    if (words[0] === 'quit') break;
    if (words.length > 0) {
      try {
        await answer(client, words, context);
      } catch (error) {
        if (!(error instanceof CliError || error instanceof LightClientError)) throw error;
        context.console.err(`heddle: ${error.message}\n`);
        if (!isPerson) process.exitCode = 1;
      }
      if (!isPerson) context.console.out('\n');
    }
    if (isPerson) lines.prompt();
  }
  lines.close();
}

function endpointsOf({ url }: LightOptions, { environment }: CommandContext): string[] {
  return urlOrDefault(url, environment)
    .split(',')
    .map((part) => connect(part.trim()).endpoint);
}

/** @throws CliError `usage` unless one of the two is given rightly */
function trustOf({ key, genesis }: LightOptions): Trust {
  if ((key === undefined) === (genesis === undefined)) {
    throw new CliError('usage', 'expected either --key or --genesis: what should be trusted?');
  }
  const trust = key === undefined ? { genesis: readJsonObject(genesis ?? '') } : keyTrust(key);
  try {
    trustRoot(trust);
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    throw new CliError('usage', `${key === undefined ? genesis : '--key'}: ${error.message}`, {
      cause: error,
    });
  }
  return trust;
}

function keyTrust(key: string): Trust {
  if (key !== 'dev') return { groupPublicKey: key };
  const { chain_id: chainId, validator_set } = devGenesis({ sha256, ed25519: nodeEd25519 });
  return { groupPublicKey: toHex(validator_set.group_public_key), chainId };
}

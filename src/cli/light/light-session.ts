import { createInterface } from 'node:readline';
import { nodeEd25519 } from '../../../native-free/crypto/ed25519.js';
import { connect } from '../../client/client.js';
import { readJsonObject } from '../../config/config-file.js';
import { expectSoundGenesis } from '../../consensus/ceremony/sound-genesis.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { sha256 } from '../../crypto/sha256.js';
import { toHex } from '../../idl/hex.js';
import { devGenesis } from '../../ledger/dev-genesis.js';
import { GenesisError } from '../../ledger/genesis.js';
import { readGenesisFile } from '../../ledger/genesis-file.js';
import { trustRoot } from '../../proofs/verify/trust-anchor.js';
import { type TrustAnchor, VerifyError } from '../../proofs/verify.js';
import { CliError, UsageError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { urlOrDefault } from '../common-options.js';
import { LightClient, LightClientError } from './light-client.js';
import { answerQuery, type OutputOptions, QUERIES } from './light-query.js';

/** The options as given on the command line. */
export interface LightOptions {
  readonly url?: string;
  readonly groupKey?: string;
  readonly genesis?: string;
  readonly at?: bigint;
  readonly json?: boolean;
}

const TIMEOUT_MS = 10_000;

/**
 * Answers the query of the command line or, without one, those of standard input.
 * @throws CliError, LightClientError
 */
export async function runLight(
  query: readonly string[],
  options: LightOptions,
  context: CommandContext,
): Promise<void> {
  const trust = await trustOf(options);
  const client = new LightClient(endpointsOf(options, context), trust, { timeoutMs: TIMEOUT_MS });
  if (query.length > 0) await answer(client, query, options, context);
  else await answerInput(client, options, context);
}

/** @throws CliError, LightClientError */
async function answer(
  client: LightClient,
  query: readonly string[],
  form: OutputOptions,
  { console }: CommandContext,
): Promise<void> {
  const { answer: text, warnings } = await answerQuery(client, query, form);
  for (const warning of warnings) console.err(`warning: ${warning}\n`);
  console.out(text);
}

/**
 * Answers one query a line until the input ends or a line says `quit`. In non-interactive use, a failure sets the exit
 * code.
 */
async function answerInput(client: LightClient, form: OutputOptions, context: CommandContext): Promise<void> {
  const isPerson = process.stdin.isTTY === true && context.console.isTerminal;
  const lines = createInterface({ input: process.stdin, ...(isPerson ? { output: process.stdout } : {}) });
  if (isPerson) {
    context.console.out(`${QUERIES.join(', ')}; quit to end\n`);
    lines.setPrompt('light> ');
    lines.prompt();
  }
  for await (const line of lines) {
    const words = line.trim().split(/\s+/).filter(Boolean);
    if (words[0] === 'quit') break;
    if (words.length > 0) {
      try {
        await answer(client, words, form, context);
      } catch (error) {
        if (!(error instanceof CliError || error instanceof LightClientError)) throw error;
        context.console.err(`heddle: ${error.message}\n`);
        if (!isPerson) process.exitCode = 1;
      }
      if (!isPerson && form.json !== true) context.console.out('\n');
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

/** @throws UsageError unless exactly one of the two is given and valid; a genesis with its ceremony */
async function trustOf({ groupKey, genesis }: LightOptions): Promise<TrustAnchor> {
  if ((groupKey === undefined) === (genesis === undefined)) {
    throw new UsageError('expected either --group-key or --genesis: what should be trusted?');
  }
  const trust = groupKey === undefined ? { genesis: readJsonObject(genesis ?? '') } : keyTrust(groupKey);
  try {
    trustRoot(trust);
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    throw new UsageError(`${groupKey === undefined ? genesis : '--group-key'}: ${error.message}`, {
      cause: error,
    });
  }
  if (genesis !== undefined) await expectSoundFile(genesis);
  return trust;
}

/** @throws UsageError */
async function expectSoundFile(path: string): Promise<void> {
  try {
    const crypto = await loadCrypto('auto');
    await expectSoundGenesis(readGenesisFile(path), crypto, 'auto', path);
  } catch (error) {
    if (!(error instanceof GenesisError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

function keyTrust(key: string): TrustAnchor {
  if (key !== 'dev') return { groupPublicKey: key };
  const { validator_set } = devGenesis({ sha256, ed25519: nodeEd25519 });
  return { groupPublicKey: toHex(validator_set.group_public_key) };
}

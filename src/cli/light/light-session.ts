import { createInterface } from 'node:readline';
import { nodeEd25519 } from '../../../native-free/crypto/ed25519.js';
import { defined } from '../../base/defined.js';
import { connect, formatAddress, formatAmount, formatHash } from '../../client/client.js';
import { readJsonObject } from '../../config/config-file.js';
import { expectSoundGenesis } from '../../consensus/ceremony/sound-genesis.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { sha256 } from '../../crypto/sha256.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { devGenesis } from '../../ledger/dev-genesis.js';
import { GenesisError } from '../../ledger/genesis.js';
import { readGenesisFile } from '../../ledger/genesis-file.js';
import { trustRoot } from '../../proofs/verify/trust-anchor.js';
import { type TrustAnchor, type VerifiedBlock, VerifyError } from '../../proofs/verify.js';
import type { CommandContext } from '../cli-command.js';
import { CliError, ReportedFailure, UsageError } from '../cli-error.js';
import { urlOrDefault } from '../connection-options.js';
import { columns, type Lines } from '../sending-options.js';
import { named, hash as parseHash, slot as parseSlot, toAddress } from '../values.js';
import { LightClient, LightClientError, type Proved } from './light-client.js';
import { QUERIES } from './light-queries.js';

export interface LightOptions {
  readonly url?: string;
  readonly groupKey?: string;
  readonly genesis?: string;
  /** Height of the queried state; default: the newest block. */
  readonly at?: bigint;
  /** Prints each answer as one line of JSON: amounts are decimal strings, hashes and bytes as in the API. */
  readonly json?: boolean;
}

/** Answers the query, or without one those of standard input. @throws CliError, LightClientError */
export async function runLight(
  query: readonly string[],
  options: LightOptions,
  context: CommandContext,
): Promise<void> {
  const trust = await trustOf(options);
  const client = new LightClient(endpointsOf(options, context), trust);
  if (query.length > 0) await answer(client, query, options, context);
  else await answerInput(client, options, context);
}

async function answer(
  client: LightClient,
  query: readonly string[],
  form: LightOptions,
  { console }: CommandContext,
): Promise<void> {
  const { answer: text, warnings } = await answerQuery(client, query, form);
  for (const warning of warnings) console.err(`warning: ${warning}\n`);
  console.out(text);
}

/** Answers a query a line until the end or `quit`. @throws ReportedFailure if one failed, unless a person typed it */
async function answerInput(client: LightClient, form: LightOptions, context: CommandContext): Promise<void> {
  const isPerson = process.stdin.isTTY === true && context.console.isTerminal;
  const lines = createInterface({ input: process.stdin, ...(isPerson ? { output: process.stdout } : {}) });
  if (isPerson) {
    context.console.out(`${QUERIES.join(', ')}; quit to end\n`);
    lines.setPrompt('light> ');
    lines.prompt();
  }
  let hasFailed = false;
  for await (const line of lines) {
    const words = line.trim().split(/\s+/).filter(Boolean);
    if (words[0] === 'quit') break;
    if (words.length > 0) {
      try {
        await answer(client, words, form, context);
      } catch (error) {
        if (!(error instanceof CliError || error instanceof LightClientError)) throw error;
        context.console.err(`heddle: ${error.message}\n`);
        hasFailed = true;
      }
      if (!isPerson && form.json !== true) context.console.out('\n');
    }
    if (isPerson) lines.prompt();
  }
  lines.close();
  if (hasFailed && !isPerson) throw new ReportedFailure();
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

/**
 * Answers one query, such as `balance 0x…`, with the proved value and the checks made.
 * @returns the answer, and the rejected sources
 * @throws UsageError for an unknown query; LightClientError if no source proved an answer
 */
export async function answerQuery(
  client: LightClient,
  words: readonly string[],
  form: LightOptions,
): Promise<{ readonly answer: string; readonly warnings: readonly string[] }> {
  const [name, ...operands] = words;
  if (name === 'balance' && operands.length === 1) return balance(client, operands, form);
  if (name === 'slot' && operands.length === 2) return slot(client, operands, form);
  if (name === 'tx' && operands.length === 1) return transaction(client, operands, form);
  throw new UsageError(`expected one of: ${QUERIES.join(', ')}; got ${JSON.stringify(words.join(' '))}`);
}

type Answer = ReturnType<typeof answerQuery>;

async function balance(client: LightClient, [text = '']: readonly string[], form: LightOptions): Answer {
  const address = toAddress(text, 'balance');
  const proved = await client.account(address, form.at);
  const { record, block } = proved.value;
  const contract = record?.contract;
  return answered(proved, block, form, {
    lines: [
      ['address', formatAddress(address)],
      ['balance', formatAmount(record?.balance ?? 0n)],
      ...(record === undefined ? ([['account', 'proved not to be in the state']] as const) : []),
      ...(record?.lanes ?? []).map(
        ({ lane, next_nonce }) => [`lane ${lane}`, `next nonce ${next_nonce}`] as const,
      ),
      ...(contract === undefined ? [] : ([['code hash', formatHash(contract.code_hash)]] as const)),
      checked('the certificate that makes the block final, the path of the account to its state root'),
    ],
    json: {
      address: formatAddress(address),
      exists: record !== undefined,
      balance: String(record?.balance ?? 0n),
      lanes: (record?.lanes ?? []).map(({ lane, next_nonce }) => ({ lane, next_nonce: Number(next_nonce) })),
      ...(contract === undefined ? {} : { code_hash: formatHash(contract.code_hash) }),
    },
  });
}

async function slot(
  client: LightClient,
  [contractText = '', slotText = '']: readonly string[],
  form: LightOptions,
): Answer {
  const contract = toAddress(contractText, 'slot');
  const key = named(parseSlot, slotText, 'slot');
  const proved = await client.slot(contract, key, form.at);
  const { value, block } = proved.value;
  const shown = value === undefined ? undefined : toPrefixedHex(value);
  return answered(proved, block, form, {
    lines: [
      ['contract', formatAddress(contract)],
      ['slot', formatHash(key)],
      ['value', shown ?? 'proved to be empty'],
      checked('the certificate that makes the block final, the path of the slot to its state root'),
    ],
    json: defined({ contract: formatAddress(contract), slot: formatHash(key), value: shown }),
  });
}

async function transaction(client: LightClient, [text = '']: readonly string[], form: LightOptions): Answer {
  const hash = named(parseHash, text, 'tx');
  if (form.at !== undefined) {
    throw new UsageError('--at: expected a query for a balance or a slot, got one for a transaction');
  }
  const proved = await client.transaction(hash);
  const { receipt, index, block, of } = proved.value;
  const contract = receipt.contract === undefined ? undefined : formatAddress(receipt.contract);
  return answered(proved, block, form, {
    lines: [
      ['transaction', formatHash(hash)],
      ['outcome', receipt.outcome.type],
      ...(of === 'transaction' ? [] : ([['sealed', SEALED[of]]] as const)),
      ['index', `${index}`],
      ['gas used', formatAmount(receipt.gas_used)],
      ['fee', formatAmount(receipt.fee)],
      ...(contract === undefined ? [] : ([['contract', contract]] as const)),
      ['events', `${receipt.logs.length}`],
      checked(
        'the certificate that makes the block final, the paths of transaction and receipt to its roots',
      ),
    ],
    json: {
      tx_hash: formatHash(hash),
      outcome: receipt.outcome.type,
      ...(of === 'transaction' ? {} : { of }),
      index,
      gas_used: Number(receipt.gas_used),
      fee: String(receipt.fee),
      ...(contract === undefined ? {} : { contract }),
      events: receipt.logs.length,
    },
  });
}

/** The meaning of a sealed transaction's two receipts. */
const SEALED = {
  inclusion: 'its envelope was included; nothing is proved about its contents',
  opening: 'it was opened, with this outcome',
} as const;

const checked = (what: string): readonly [string, string] => ['checked', what];

function answered(
  { endpoint, refusals }: Proved<unknown>,
  { header, hash }: VerifiedBlock,
  { json }: LightOptions,
  answer: { readonly lines: Lines; readonly json: object },
) {
  const warnings = refusals.map((refusal) => `${refusal.endpoint}: ${refusal.reason}`);
  if (json === true) {
    const block = {
      height: Number(header.height),
      hash: formatHash(hash),
      timestamp_ms: Number(header.timestamp_ms),
      state_root: formatHash(header.state_root),
    };
    return { answer: `${JSON.stringify({ ...answer.json, block, source: endpoint })}\n`, warnings };
  }
  const time = new Date(Number(header.timestamp_ms)).toISOString();
  return {
    answer: columns([
      ...answer.lines,
      ['block', `${header.height}, ${formatHash(hash)}`],
      ['time', time],
      ['source', endpoint],
    ]),
    warnings,
  };
}

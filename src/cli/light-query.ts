import { formatAddress, formatAmount, formatHash } from '../client/client.js';
import { fromHex, toHex } from '../idl/hex.js';
import type { VerifiedBlock } from '../proofs/verify.js';
import { CliError } from './cli-error.js';
import type { LightClient, Proved } from './light-client.js';
import { QUERIES } from './light-queries.js';
import { columns, type Lines, toAddress } from './sending.js';

/**
 * Answers one query, such as `balance 0x…`, with what was proved and what was checked.
 * @returns the answer, and the sources that were not believed
 * @throws CliError `usage` for what is no query; LightClientError where nothing was proved
 */
export async function answerQuery(
  client: LightClient,
  words: readonly string[],
): Promise<{ readonly answer: string; readonly warnings: readonly string[] }> {
  const [name, ...operands] = words;
  if (name === 'balance' && operands.length === 1) return balance(client, operands);
  if (name === 'slot' && operands.length === 2) return slot(client, operands);
  if (name === 'tx' && operands.length === 1) return transaction(client, operands);
  throw new CliError(
    'usage',
    `expected one of: ${QUERIES.join(', ')}; got ${JSON.stringify(words.join(' '))}`,
  );
}

type Answer = ReturnType<typeof answerQuery>;

async function balance(client: LightClient, [text = '']: readonly string[]): Answer {
  const address = toAddress(text, 'balance');
  const proved = await client.account(address);
  const { record, block } = proved.value;
  return answered(proved, block, [
    ['address', formatAddress(address)],
    ['balance', formatAmount(record?.balance ?? 0n)],
    ...(record === undefined ? ([['account', 'proved not to be in the state']] as const) : []),
    ...(record?.lanes ?? []).map(
      ({ lane, next_nonce }) => [`lane ${lane}`, `next nonce ${next_nonce}`] as const,
    ),
    ...(record?.contract === undefined
      ? []
      : ([['code hash', formatHash(record.contract.code_hash)]] as const)),
    checked('the certificate of the block, the path of the account to its state root'),
  ]);
}

async function slot(client: LightClient, [contractText = '', slotText = '']: readonly string[]): Answer {
  const contract = toAddress(contractText, 'slot');
  const key = bytes32(slotText, 'slot');
  const proved = await client.slot(contract, key);
  const { value, block } = proved.value;
  return answered(proved, block, [
    ['contract', formatAddress(contract)],
    ['slot', formatHash(key)],
    ['value', value === undefined ? 'proved to be empty' : `0x${toHex(value)}`],
    checked('the certificate of the block, the path of the slot to its state root'),
  ]);
}

async function transaction(client: LightClient, [text = '']: readonly string[]): Answer {
  const hash = bytes32(text, 'tx');
  const proved = await client.transaction(hash);
  const { receipt, index, block } = proved.value;
  return answered(proved, block, [
    ['transaction', formatHash(hash)],
    ['outcome', receipt.outcome.type],
    ['index', `${index}`],
    ['gas used', formatAmount(receipt.gas_used)],
    ['fee', formatAmount(receipt.fee)],
    ...(receipt.contract === undefined ? [] : ([['contract', formatAddress(receipt.contract)]] as const)),
    ['events', `${receipt.logs.length}`],
    checked('the certificate of the block, the paths of transaction and receipt to its roots'),
  ]);
}

const checked = (what: string): readonly [string, string] => ['checked', what];

function answered({ endpoint, refusals }: Proved<unknown>, { header, hash }: VerifiedBlock, lines: Lines) {
  const time = new Date(Number(header.timestamp_ms)).toISOString();
  return {
    answer: columns([
      ...lines,
      ['block', `${header.height}, ${formatHash(hash)}`],
      ['time', time],
      ['source', endpoint],
    ]),
    warnings: refusals.map((refusal) => `${refusal.endpoint}: ${refusal.reason}`),
  };
}

function bytes32(text: string, option: string): Uint8Array {
  const bytes = fromHex(text, text.startsWith('0x') ? 2 : 0);
  if (bytes?.length === 32) return bytes;
  throw new CliError('usage', `${option}: expected 64 hex digits, got ${JSON.stringify(text)}`);
}

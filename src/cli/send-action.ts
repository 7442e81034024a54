import {
  type ActionLike,
  CallFailedError,
  formatAddress,
  formatAmount,
  type Sender,
  type SentTransaction,
} from '../client/client.js';
import type { Receipt, TxSimulateResult } from '../generated/node-rpc-v1.js';
import type { JsonValue } from '../idl/json-value.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { CliError } from './cli-error.js';
import type { Console } from './console.js';
import { diffLines, eventText, statusText } from './outcome-text.js';
import {
  columns,
  explainRejections,
  type Lines,
  type SendingOptions,
  sendOptions,
  transactionLines,
} from './sending-options.js';

export interface SendingAction {
  readonly sender: Sender;
  readonly action: ActionLike;
  readonly options: SendingOptions;
  readonly console: Console;
  readonly what: Lines;
  /** Name of the contract that it deploys. */
  readonly contractName?: string | undefined;
  /** Further lines once it has succeeded. */
  readonly after?: (receipt: Receipt) => Promise<Lines>;
}

/** Sends an action, or simulates it with `--dry-run`, and prints the outcome. @throws CliError if it fails */
export function sendAction(sending: SendingAction): Promise<void> {
  return explainRejections(() => (sending.options.dryRun === true ? dryRun(sending) : send(sending)));
}

async function send(sending: SendingAction): Promise<void> {
  const { sender, action, options, console, what, after } = sending;
  const sent = await checked(() =>
    sender.send(action, { ...sendOptions(options), wait: options.wait, preflight: options.force !== true }),
  );
  const { receipt } = sent;
  if (options.json === true) {
    console.out(`${sentJson(sent, sender)}\n`);
  } else {
    const lines = transactionLines(sent, sender, what);
    console.out(columns(receipt === undefined ? lines : around(lines, receipt, sending)));
    if (after !== undefined && receipt?.status.type === 'success') console.out(columns(await after(receipt)));
  }
  expectSuccess(receipt);
}

async function dryRun(sending: SendingAction): Promise<void> {
  const { sender, action, options, console, what } = sending;
  const simulation = await sender.simulate(action, sendOptions(options));
  const { status, height, gas_used: used, gas_estimate: estimate, fee, state_diff } = simulation;
  if (options.json === true) {
    console.out(`${rpcTypes.TxSimulateResult.toJson(simulation)}\n`);
  } else {
    const lines: Lines = [
      ['from', `${formatAddress(sender.signer.address)} (lane ${sender.lane})`],
      ...what,
      ['status', `${statusText(status)}, on the state of block ${height}`],
      ['gas used', `${formatAmount(used)}, at least ${formatAmount(estimate)} as the limit`],
      ['fee', formatAmount(fee)],
    ];
    console.out(columns(around(lines, simulation, sending)));
    if (state_diff.length > 0) console.out(`\nstate changes:\n${state_diff.flatMap(diffLines).join('\n')}\n`);
  }
  if (status.type !== 'success') throw new CliError(`it would fail: ${statusText(status)}`);
}

/** Runs `work`, which sends a transaction. @throws CliError if a simulation shows that it would fail */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallFailedError) || error.simulation === undefined) throw error;
    throw new CliError(
      `it would fail: ${statusText(error.status)}; nothing was sent (use --force to send it anyway)`,
      { cause: error },
    );
  }
}

/** Puts the deployed contract before the lines, and the result and the events after them. */
export function around(
  lines: Lines,
  { contract, decoded, logs }: Pick<Receipt & TxSimulateResult, 'contract' | 'decoded' | 'logs'>,
  { contractName }: Partial<SendingAction> = {},
): Lines {
  const name = contractName === undefined ? '' : ` (${contractName})`;
  return [
    ...(contract === undefined ? [] : [['contract', `${formatAddress(contract)}${name}`] as const]),
    ...lines,
    ...(decoded === undefined ? [] : [['result', printable(decoded)] as const]),
    ...logs.map((log) => ['event', eventText(log)] as const),
  ];
}

/** @throws CliError if the transaction was included and failed; its hash has been printed */
export function expectSuccess(receipt: Receipt | undefined): void {
  const status = receipt?.status;
  if (status === undefined || status.type === 'success') return;
  throw new CliError(`it was included but did not succeed: ${statusText(status)}`);
}

/** A value as readable text: strings unquoted, everything else as JSON. */
export function printable(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A transaction with status and receipt as the node gives them. @param more members, each `"name":value` */
export function sentJson(
  { hashHex, nonce, status, receipt }: SentTransaction,
  { signer, lane }: Pick<Sender, 'signer' | 'lane'>,
  more: readonly string[] = [],
): string {
  const members = [
    `"tx_hash":"${hashHex}"`,
    `"sender":"${formatAddress(signer.address)}"`,
    `"lane":${lane}`,
    `"nonce":${nonce}`,
    ...more,
    `"status":${rpcTypes.TxStatus.toJson(status)}`,
    ...(receipt === undefined ? [] : [`"receipt":${rpcTypes.Receipt.toJson(receipt)}`]),
  ];
  return `{${members.join(',')}}`;
}

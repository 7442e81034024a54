import { checkAnswerSize } from '../base/answer-limit.js';
import type { LedgerLog } from '../generated/ledger.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import { toHex } from '../idl/hex.js';
import { addressName } from './address-names.js';
import { decodeEventToText } from './contract-decoding.js';

interface WrittenLog {
  readonly topics: LedgerLog['topics'];
  readonly place: LogPositionJson;
  readonly abi: ContractAbi | undefined;
  readonly json: string;
}

/**
 * Rendered logs of one execution, for responses that show them twice: decoding an event costs as much as running a
 * small contract. A log is recognized by its topics array, which no other log has.
 */
export class LogJsonCache {
  /** By index. */
  readonly #written: (WrittenLog | undefined)[] = [];

  /** Like {@link logJson}, rendered once for identical arguments. */
  json(log: LedgerLog, place: LogPositionJson, index: number, abi: ContractAbi | undefined): string {
    const known = this.#written[index];
    if (known?.topics === log.topics && known.abi === abi && known.place === place) return known.json;
    const { topics } = log;
    const json = logJson(log, place, index, abi);
    this.#written[index] = { topics, place, abi, json };
    return json;
  }
}

/** Position of a log: the members `height`, `block_hash`, `tx_hash` and `tx_index` of a Log, as JSON without braces. */
export type LogPositionJson = string;

/**
 * JSON of a Log[], as its codec writes it but without checks. Hot: guarded by `bench/macro/contract-calls.bench.ts`.
 * @param written cache of logs that the response shows twice @throws AnswerTooLongError
 */
export function logsJson(
  logs: readonly LedgerLog[],
  place: LogPositionJson,
  abiOf: (contract: Uint8Array) => ContractAbi | undefined,
  written?: LogJsonCache,
): string {
  let text = '[';
  for (let index = 0; index < logs.length; index++) {
    const log = logs[index];
    if (log === undefined) continue;
    if (index > 0) text += ',';
    const abi = abiOf(log.contract);
    text += written === undefined ? logJson(log, place, index, abi) : written.json(log, place, index, abi);
    checkAnswerSize(text.length);
  }
  return `${text}]`;
}

export function logJson(
  log: LedgerLog,
  place: LogPositionJson,
  index: number,
  abi: ContractAbi | undefined,
): string {
  const { contract, topics, data } = log;
  let shown = '';
  for (const topic of topics) shown += shown === '' ? `"${toHex(topic)}"` : `,"${toHex(topic)}"`;
  const event = decodeEventToText(abi, log);
  const end = event === undefined ? '' : `,"event":${event}`;
  return `{"contract":"0x${addressName(contract)}","topics":[${shown}],"data":"0x${toHex(data)}",${place},"log_index":${index}${end}}`;
}

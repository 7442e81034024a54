import { InvalidArgumentError } from 'commander';
import { type Client, ClientError } from '../../client/client.js';
import { parseInterface } from '../../client/contract-interface.js';
import { eventTopics } from '../../client/event-filter.js';
import type { GetLogsArgs, Log } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import type { JsonValue } from '../../idl/json-value.js';
import { decodeEvent } from '../../ledger/contract-decoding.js';
import { CliError } from '../cli-error.js';
import { readArguments } from '../contract/contract-arguments.js';
import {
  type ContractInterface,
  interfaceOnChain,
  readInterface,
  readText,
} from '../contract/contract-handle.js';
import { hash, shown } from '../values.js';

export interface LogFilterOptions {
  readonly contract?: Uint8Array;
  readonly event?: string;
  /** Each `FIELD=VALUE`. */
  readonly where?: readonly string[];
  readonly topic?: readonly (readonly Uint8Array[])[];
  readonly idl?: string;
}

/** The events to print, and the interface that decodes those that the node does not. */
export interface LogFilter {
  readonly filter: Pick<GetLogsArgs, 'contract' | 'topics'>;
  readonly abi: ContractAbi | undefined;
}

/**
 * Parses one `--topic`: the accepted topics of one position, or `any`.
 * @throws InvalidArgumentError
 */
export function topics(
  text: string,
  before: readonly (readonly Uint8Array[])[] | undefined,
): readonly (readonly Uint8Array[])[] {
  const given = [...(before ?? []), text === 'any' ? [] : text.split(',').map(hash)];
  if (given.length > 4) throw new InvalidArgumentError(`expected at most 4 topics, got ${given.length}`);
  return given;
}

/** @throws CliError `usage` if event or field are unknown, or there is no interface to find them in */
export async function logFilter(
  client: Client,
  { contract, event, where = [], topic = [], idl }: LogFilterOptions,
  workingDirectory: string,
): Promise<LogFilter> {
  if (event !== undefined && contract === undefined && idl === undefined) {
    throw new CliError('usage', '--event needs the interface of a contract: give --contract, or --idl FILE');
  }
  if (where.length > 0 && event === undefined) throw new CliError('usage', '--where needs --event NAME');
  const found =
    idl !== undefined
      ? readInterface(readText(idl, workingDirectory), idl)
      : event === undefined || contract === undefined
        ? undefined
        : await interfaceOnChain(client, contract);
  const abi = found && parseInterface(found.text);
  const first =
    event === undefined || found === undefined || abi === undefined
      ? []
      : eventPositions(found, abi, event, where);
  const positions = [...first, ...topic];
  if (positions.length > 4) throw new CliError('usage', 'expected at most 3 topics besides --event');
  return {
    filter: {
      ...(contract !== undefined && { contract }),
      ...(positions.length > 0 && { topics: positions.map((accepted) => [...accepted]) }),
    },
    abi,
  };
}

/** The topics of an event by position, with the accepted values of its fields. */
function eventPositions(
  { manifest, contract }: ContractInterface,
  abi: ContractAbi,
  name: string,
  where: readonly string[],
): readonly Uint8Array[][] {
  const fields = contract.events.find((each) => each.name === name)?.fields ?? [];
  const accepted: Record<string, JsonValue[]> = {};
  for (const word of where) {
    const values = readArguments([word], fields, manifest);
    const [entry] = Array.isArray(values) ? [] : Object.entries(values ?? {});
    if (entry === undefined) throw new CliError('usage', `--where: expected FIELD=VALUE, got ${shown(word)}`);
    const [field, value] = entry;
    accepted[field] = [...(accepted[field] ?? []), value];
  }
  try {
    return eventTopics(abi, name, accepted);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new CliError('usage', error.message, { cause: error });
  }
}

/** The log with its event, if the node or the given interface knows it. */
export function decoded(log: Log, { abi }: LogFilter): Log {
  const event = log.event ?? decodeEvent(abi, log);
  return event === undefined ? log : { ...log, event };
}

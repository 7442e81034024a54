import { InvalidArgumentError } from 'commander';
import type { Client } from '../../client/client.js';
import { parseInterface } from '../../client/contract-interface.js';
import type { GetLogsArgs, Log } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { decodeEvent } from '../../ledger/contract-decoding.js';
import { CliError } from '../cli-error.js';
import { readText } from '../contract/contract-handle.js';
import { hash } from '../values.js';

export interface LogFilterOptions {
  readonly contract?: Uint8Array;
  readonly event?: string;
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

/** @throws CliError `usage` if the event is unknown, or there is no interface to find it in */
export async function logFilter(
  client: Client,
  { contract, event, topic = [], idl }: LogFilterOptions,
  workingDirectory: string,
): Promise<LogFilter> {
  if (event !== undefined && contract === undefined && idl === undefined) {
    throw new CliError('usage', '--event needs the interface of a contract: give --contract, or --idl FILE');
  }
  const given = idl === undefined ? undefined : parseInterface(readText(idl, workingDirectory));
  const abi = given ?? (event === undefined ? undefined : await interfaceOf(client, contract));
  const first = event === undefined ? [] : [[topicOf(event, abi)]];
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

async function interfaceOf(
  client: Client,
  contract: Uint8Array | undefined,
): Promise<ContractAbi | undefined> {
  return contract === undefined ? undefined : client.contract(contract).abi();
}

function topicOf(name: string, abi: ContractAbi | undefined): Uint8Array {
  const found = abi?.events.get(name);
  if (found !== undefined) return found.topic;
  const names = [...(abi?.events.keys() ?? [])].join(', ');
  throw new CliError('usage', `${abi?.name} has no event ${name}; it has ${names === '' ? 'none' : names}`);
}

/** The log with its event, if the node or the given interface knows it. */
export function decoded(log: Log, { abi }: LogFilter): Log {
  const event = log.event ?? decodeEvent(abi, log);
  return event === undefined ? log : { ...log, event };
}

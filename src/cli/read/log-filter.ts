import { InvalidArgumentError } from 'commander';
import { type Client, ClientError } from '../../client/client.js';
import { parseInterface } from '../../client/contract-interface.js';
import { condition, type EventInterface, eventTopicsOfWords } from '../../client/event-words.js';
import type { GetLogsArgs, Log } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex } from '../../idl/hex.js';
import { decodeEvent } from '../../ledger/contract-decoding.js';
import { UsageError } from '../cli-error.js';
import {
  type ContractInterface,
  interfaceOnChain,
  readInterface,
  readText,
} from '../contract/contract-handle.js';
import { address, addressOf, hash, named } from '../values.js';

export interface LogFilterOptions {
  /** At most {@link MAX_CONTRACTS}. */
  readonly contract?: readonly Uint8Array[];
  readonly event?: string;
  /** Each `FIELD=VALUE`. */
  readonly where?: readonly string[];
  readonly topic?: readonly (readonly Uint8Array[])[];
  readonly idl?: string;
}

/** The events to print, and the interface that decodes those that the node does not. */
export interface LogFilter {
  readonly filter: Pick<GetLogsArgs, 'contract' | 'contracts' | 'topics'>;
  readonly abi: ContractAbi | undefined;
}

/** Parses one `--topic`: the accepted topics of one position, or `any`. @throws InvalidArgumentError */
export function topics(
  text: string,
  before: readonly (readonly Uint8Array[])[] = [],
): readonly (readonly Uint8Array[])[] {
  const given = [...before, text === 'any' ? [] : text.split(',').map(hash)];
  if (given.length > 4) throw new InvalidArgumentError(`expected at most 4 topics, got ${given.length}`);
  return given;
}

/** Contracts that nodes accept in one filter. */
const MAX_CONTRACTS = 100;

/** Parses one `--contract`. @throws InvalidArgumentError */
export function contracts(text: string, before: readonly Uint8Array[] = []): readonly Uint8Array[] {
  const given = [...before, address(text)];
  if (given.length > MAX_CONTRACTS) {
    throw new InvalidArgumentError(`expected at most ${MAX_CONTRACTS} contracts, got ${given.length}`);
  }
  return given;
}

/** @throws UsageError if event or field are unknown, or there is no interface to find them in */
export async function logFilter(
  client: Client,
  { contract, event, where = [], topic = [], idl }: LogFilterOptions,
  workingDirectory: string,
): Promise<LogFilter> {
  if (event !== undefined && contract === undefined && idl === undefined) {
    throw new UsageError('--event needs the interface of a contract: give --contract, or --idl FILE');
  }
  if (where.length > 0 && event === undefined) throw new UsageError('--where needs --event NAME');
  const found =
    idl !== undefined
      ? [readInterface(readText(idl, workingDirectory), idl)]
      : event === undefined
        ? []
        : await interfacesOf(client, contract ?? []);
  const parsed = found.map((each) => ({ ...each, abi: parseInterface(each.text) }));
  const first = event === undefined ? [] : positionsInAll(parsed, event, where);
  const positions = [...first, ...topic];
  const [one, ...others] = contract ?? [];
  if (positions.length > 4) {
    throw new UsageError(`expected at most ${4 - first.length} --topic, got ${topic.length}`);
  }
  return {
    filter: {
      ...(one !== undefined && (others.length === 0 ? { contract: one } : { contracts: [one, ...others] })),
      ...(positions.length > 0 && { topics: positions.map((accepted) => [...accepted]) }),
    },
    abi: parsed.length === 1 ? parsed[0]?.abi : undefined,
  };
}

/** The different interfaces of contracts. @throws CliError if one has none */
async function interfacesOf(
  client: Client,
  contracts: readonly Uint8Array[],
): Promise<readonly ContractInterface[]> {
  const byText = new Map<string, ContractInterface>();
  for (const contract of contracts) {
    const found = await interfaceOnChain(client, contract);
    byText.set(found.text, found);
  }
  return [...byText.values()];
}

type ParsedInterface = ContractInterface & { readonly abi: ContractAbi };

/** The topics of an event by position. @throws UsageError if an interface lacks it or has others */
function positionsInAll(
  interfaces: readonly ParsedInterface[],
  event: string,
  where: readonly string[],
): readonly Uint8Array[][] {
  const all = interfaces.map((each) => eventPositions(each, event, where));
  const values = all.map((each) => JSON.stringify(each.slice(1).map((accepted) => accepted.map(toHex))));
  if (new Set(values).size > 1) {
    const names = interfaces.map(({ contract }) => contract.name).join(', ');
    throw new UsageError(`--where: the topics of ${event} differ between ${names}: ask for one at a time`);
  }
  const [first = []] = all;
  return [all.flatMap(([topic0 = []]) => topic0), ...first.slice(1)];
}

function eventPositions(
  of: EventInterface,
  event: string,
  where: readonly string[],
): readonly Uint8Array[][] {
  for (const word of where) named(condition, word, '--where');
  try {
    return eventTopicsOfWords(of, event, where, addressOf);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** The log with its event, if the node or the given interface knows it. */
export function decoded(log: Log, { abi }: LogFilter): Log {
  const event = log.event ?? decodeEvent(abi, log);
  return event === undefined ? log : { ...log, event };
}

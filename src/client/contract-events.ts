import type { Log } from '../generated/node-rpc-v1.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import type { JsonValue } from '../idl/json-value.js';
import { tryDecode } from '../ledger/contract-decoding.js';
import { type EventFilter, eventTopics } from './event-filter.js';
import type { EventWatch, OnEvent, WatchOptions } from './event-watch.js';
import { LogFeed } from './log-feed.js';
import type { ReadClient } from './read-client.js';

/** A contract's event with its log, which has its height, transaction and index. */
export interface ContractEvent {
  readonly name: string;
  readonly args: { readonly [field: string]: JsonValue };
  readonly log: Log;
}

export interface ContractWatchOptions extends WatchOptions {
  /** Values of indexed fields by name; a list accepts each of its values. */
  readonly filter?: EventFilter;
}

export interface EventSource<T> {
  readonly client: ReadClient;
  /** 20 bytes. */
  readonly contract: Uint8Array;
  readonly abi: () => Promise<ContractAbi>;
  /** Decodes a log of the event. @throws AbiError, BorshError, JsonEncodeError */
  readonly decode: (abi: ContractAbi, log: Log) => T | undefined;
}

/** Watches one event of a contract. Logs that do not have the event's form are skipped. */
export function watchEvent<T>(
  { client, contract, abi, decode }: EventSource<T>,
  event: string,
  options: ContractWatchOptions,
  onEvent: OnEvent<T> | undefined,
): EventWatch<T> {
  const feed = async () => {
    const known = await abi();
    const filter = { contract, topics: eventTopics(known, event, options.filter) };
    return new LogFeed(client, filter, options.fromHeight, (log) => tryDecode(() => decode(known, log)));
  };
  return client.watchFeed(feed, options, onEvent);
}

/** Decodes an event's fields as JSON values. */
export function decodeToJson(abi: ContractAbi, log: Log): ContractEvent | undefined {
  const event = abi.decodeEvent(log.topics, log.data);
  return event && { name: event.name, args: event.args, log };
}

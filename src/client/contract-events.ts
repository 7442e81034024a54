import type { Log } from '../generated/node-rpc-v1.js';
import type { ContractAbi } from '../idl/abi/contract-abi.js';
import type { JsonValue } from '../idl/json-value.js';
import type { EventFilter } from './event-filter.js';
import type { WatchOptions } from './event-watch.js';

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

/** Decodes a log; undefined if it is no event of the contract. @throws AbiError, BorshError, JsonEncodeError */
export type DecodeLog<T> = (abi: ContractAbi, log: Log) => T | undefined;

/** Decodes an event's fields as JSON values. */
export function decodeToJson(abi: ContractAbi, log: Log): ContractEvent | undefined {
  const event = abi.decodeEvent(log.topics, log.data);
  return event && { ...event, log };
}

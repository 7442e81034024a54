import { sameBytes } from '../base/same-bytes.js';
import type { Log } from '../generated/node-rpc-v1.js';
import { addressBytes, hashBytes } from './address-text.js';
import type { CallOptions, MethodCaller } from './call-options.js';
import { ClientError } from './client-error.js';
import type { Feed, FeedPage } from './feed.js';
import { type EncodedLogFilter, isAfter, type LogFilter } from './subscription.js';

/** Most logs per call, below the node's limit on a page. */
const MAX_LOGS = 1_000;

/** A range of heights that is read page by page. */
interface Range {
  readonly from: bigint;
  readonly to: bigint;
  readonly cursor?: string;
}

/** Converts the hex text in a filter to bytes. @throws ClientError `bad_address`, `bad_hash` */
export function encodeLogFilter({ contract, contracts, topics }: LogFilter): EncodedLogFilter {
  return {
    ...(contract !== undefined && { contract: addressBytes(contract, 'filter.contract') }),
    ...(contracts !== undefined && {
      contracts: contracts.map((each, i) => addressBytes(each, `filter.contracts[${i}]`)),
    }),
    ...(topics !== undefined && {
      topics: topics.map((accepted, i) =>
        accepted.map((topic, j) => hashBytes(topic, `filter.topics[${i}][${j}]`)),
      ),
    }),
  };
}

/** The logs that a filter accepts from a height on, each once and in order, converted by `convert`. */
export class LogFeed<T> implements Feed<'logs', T> {
  readonly topic = 'logs';
  readonly filter: EncodedLogFilter;
  readonly #client: MethodCaller;
  readonly #convert: (log: Log) => T | undefined;
  next: bigint | undefined;
  /** The last log taken, if its block may have more. */
  #last: Log | undefined;
  #range: Range | undefined;

  /** @param fromHeight default: the next block @param convert returns undefined for a log to skip */
  constructor(
    client: MethodCaller,
    filter: EncodedLogFilter,
    fromHeight: bigint | undefined,
    convert: (log: Log) => T | undefined,
  ) {
    this.#client = client;
    this.filter = filter;
    this.next = fromHeight;
    this.#convert = convert;
  }

  async poll(room: number, options: CallOptions): Promise<FeedPage<T>> {
    if (this.#range === undefined) {
      const { tip } = await this.#client.call('status', {}, options);
      this.next ??= tip.height + 1n;
      const end = tip.height + 1n;
      if (this.next >= end) return { items: [], place: this.next === end ? 'at the end' : 'ahead' };
      this.#range = { from: this.next, to: tip.height };
    }
    const { from, to, cursor } = this.#range;
    const limit = Math.min(room, MAX_LOGS);
    const { logs, next_cursor } = await this.#client.call(
      'get_logs',
      { ...this.filter, from_height: from, to_height: to, limit, ...(cursor !== undefined && { cursor }) },
      options,
    );
    if (logs.length > limit) throw badAnswer(`asked for at most ${limit} logs, the node sent ${logs.length}`);
    if (logs.some(({ height }) => height < from || height > to)) {
      throw badAnswer(`asked for logs of blocks ${from} to ${to}, the node sent others`);
    }
    if (next_cursor !== undefined && next_cursor === cursor) throw badAnswer('the same page of logs again');
    const items = logs.flatMap((log) => this.take(log) ?? []);
    if (next_cursor !== undefined) {
      this.#range = { from, to, cursor: next_cursor };
      return { items, place: 'behind' };
    }
    this.#range = undefined;
    this.#last = undefined;
    this.next = to + 1n;
    return { items, place: 'at the end' };
  }

  take(log: Log): T | undefined {
    if (!accepts(this.filter, log)) throw badAnswer('the node sent a log that the filter does not accept');
    if (this.next !== undefined && log.height < this.next) return undefined;
    if (this.#last !== undefined && !isAfter(log, this.#last)) return undefined;
    this.#last = log;
    this.next = log.height;
    return this.#convert(log);
  }

  advanceTo(height: bigint): void {
    if (this.next !== undefined && height <= this.next) return;
    this.next = height;
    this.#last = undefined;
  }
}

function accepts({ contract, contracts, topics = [] }: EncodedLogFilter, log: Log): boolean {
  if (contract !== undefined && !sameBytes(contract, log.contract)) return false;
  if (contracts !== undefined && !contracts.some((each) => sameBytes(each, log.contract))) return false;
  return topics.every((accepted, i) => {
    const topic = log.topics[i];
    if (accepted.length === 0) return true;
    return topic !== undefined && accepted.some((one) => sameBytes(one, topic));
  });
}

function badAnswer(reason: string): ClientError {
  return new ClientError('bad_answer', `get_logs: ${reason}`);
}

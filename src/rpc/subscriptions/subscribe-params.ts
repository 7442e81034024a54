import type { GetLogsArgs } from '../../generated/node-rpc-v1.js';
import { JsonDecodeError } from '../../idl/codecs/codec-errors.js';
import { nearestName } from '../../idl/nearest-name.js';
import { scansFor } from '../../ledger/queries/log-scans.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import { contractsOf, type LogFilter } from '../log-filter.js';
import { TOPICS, type Topic } from '../topics.js';

export interface SubscribeRequest {
  readonly topic: Topic;
  /** Only for `logs`. */
  readonly filter: LogFilter;
  /** The first block to report; undefined to begin with the next one. */
  readonly fromHeight: bigint | undefined;
}

const MEMBERS = ['topic', 'filter', 'from_height'];
const FILTER_MEMBERS = ['contract', 'contracts', 'topics'];

/** @throws JsonDecodeError */
export function decodeSubscribe(params: unknown): SubscribeRequest {
  const { topic, filter, from_height: from } = objectAt('params', params, MEMBERS);
  if (topic === undefined) throw new JsonDecodeError('missing', 'params.topic', oneOf(TOPICS), 'nothing');
  const known = TOPICS.find((each) => each === topic);
  if (known === undefined) throw wrong('params.topic', oneOf(TOPICS), topic);
  if (known === 'pending_txs' && from !== undefined) {
    throw wrong('params.from_height', 'nothing: pending transactions are in no block', from);
  }
  if (known !== 'logs' && filter !== undefined) {
    throw wrong('params.filter', 'nothing: only logs take a filter', filter);
  }
  const given = filter === undefined ? {} : objectAt('params.filter', filter, FILTER_MEMBERS);
  const decoded = decodeFilter({ ...given, ...(from === undefined ? {} : { from_height: from }) });
  const { from_height: fromHeight, ...selected } = decoded;
  return { topic: known, filter: selected, fromHeight };
}

/** Counted for a filter without contract and first topic, which the node matches with every event of a block. */
const SCAN_LOOKUPS = 20;

/** Index lookups per block that a subscription costs the node. */
export function logLookups({ topic, filter }: SubscribeRequest): number {
  if (topic !== 'logs') return 0;
  const { topics = [] } = filter;
  return scansFor({ contracts: contractsOf(filter), topics }).length || SCAN_LOOKUPS;
}

/** Decodes the parameters of a method on a subscription. @throws JsonDecodeError */
export function decodeSubscriptionId(params: unknown): { readonly subscription: string } {
  const { subscription } = objectAt('params', params, ['subscription']);
  if (typeof subscription !== 'string') {
    throw wrong('params.subscription', 'the id of a subscription, a string', subscription);
  }
  return { subscription };
}

/** Decodes with the codec of `get_logs`, whose paths lack the member `filter`. */
function decodeFilter(args: object): GetLogsArgs {
  const codec = rpcMethods.get('get_logs');
  if (codec === undefined) throw new Error('the interface has no method get_logs');
  try {
    return codec.decodeParams(args) as GetLogsArgs;
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    const { code, path, expected, got } = error;
    const full = path.startsWith('params.from_height') ? path : path.replace(/^params/, 'params.filter');
    throw new JsonDecodeError(code, full, expected, got);
  }
}

function objectAt(path: string, value: unknown, members: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(path, `an object with the members ${members.join(', ')}`, value);
  }
  for (const name of Object.keys(value)) {
    if (members.includes(name)) continue;
    const nearest = nearestName(name, members);
    const expected = nearest ?? `only ${members.join(', ')}`;
    throw new JsonDecodeError('unknown_member', path, expected, `the member ${shown(name)}`);
  }
  return value as Record<string, unknown>;
}

function wrong(path: string, expected: string, got: unknown): JsonDecodeError {
  return new JsonDecodeError('wrong_value', path, expected, shown(got));
}

const SHOWN_CHARACTERS = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_CHARACTERS)) : String(value);
}

function oneOf(names: readonly string[]): string {
  return `one of ${names.join(', ')}`;
}

import type { GetLogsArgs } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { invalidParams, limitExceeded } from './errors.js';

/** Selects contract events, as for `get_logs`. */
export type LogFilter = Pick<GetLogsArgs, 'contract' | 'contracts' | 'topics'>;

const MAX_CONTRACTS = 100;
const MAX_TOPICS = 4;
const MAX_ALTERNATIVES = 100;

/** @param path of the filter in the parameters @throws RpcError */
export function checkLogFilter({ contract, contracts, topics = [] }: LogFilter, path = 'params'): void {
  if (contracts !== undefined) {
    const place = `${path}.contracts`;
    if (contract !== undefined) {
      throw invalidParams(place, `nothing beside ${path}.contract`, `${contracts.length} addresses`);
    }
    if (contracts.length === 0) throw invalidParams(place, `1 to ${MAX_CONTRACTS} addresses`, 'none');
    if (contracts.length > MAX_CONTRACTS) {
      throw limitExceeded('contracts', MAX_CONTRACTS, contracts.length, place);
    }
  }
  if (topics.length > MAX_TOPICS) {
    throw invalidParams(`${path}.topics`, `at most ${MAX_TOPICS} positions`, `${topics.length}`);
  }
  for (const [position, alternatives] of topics.entries()) {
    if (alternatives.length > MAX_ALTERNATIVES) {
      const place = `topics[${position}]`;
      throw limitExceeded(place, MAX_ALTERNATIVES, alternatives.length, `${path}.${place}`);
    }
  }
}

/** The contracts that a filter accepts, each once and ascending; empty if it accepts all. */
export function contractsOf({ contract, contracts = [] }: LogFilter): readonly Uint8Array[] {
  if (contract !== undefined) return [contract];
  return [...new Map(contracts.map((each) => [toHex(each), each]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

/** The JSON of a filter in one form, so that equal filters are recognized. */
export function filterText(filter: LogFilter): string {
  const { topics = [] } = filter;
  const shown = topics.map((alternatives) => [...new Set(alternatives.map(toHex))].sort());
  while (shown.at(-1)?.length === 0) shown.pop();
  return JSON.stringify([contractsOf(filter).map(toHex), shown]);
}

import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Reads } from '../../execution/calls/reads.js';
import type { GetLogsArgs } from '../../generated/node-rpc-v1.js';
import { decodePartCursor } from '../../ledger/queries/cursor.js';
import { LOG_LISTING, type LogQuery, nextHeight } from '../../ledger/queries/logs.js';
import { invalidParams } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';
import { checkLogFilter, contractsOf, filterText } from '../log-filter.js';
import { expectReached, expectStored, pageLimit } from './page-arguments.js';

export interface LogSources {
  readonly chain: CommittedChain;
  readonly crypto: Crypto;
  readonly reads: Reads;
  readonly maxLogs: number;
  /** Length of JSON at which a page is cut off. */
  readonly maxRangeBytes: number;
}

export function logHandlers({ chain, crypto, reads, maxLogs, maxRangeBytes }: LogSources) {
  return {
    get_logs: async (args, call) => {
      const { topics = [], from_height: from = 0n, to_height: to, cursor } = args;
      const limit = pageLimit(args.limit, maxLogs, 'logs');
      checkLogFilter(args);
      if (to !== undefined && to < from) {
        throw invalidParams('params.to_height', `at least from_height, ${from}`, `${to}`);
      }
      expectStored(chain, from, to);
      const filter = filterHash(crypto, args);
      const tip = chain.tip.header.height;
      const after = cursor === undefined ? undefined : placeOf(filter, cursor);
      const next = after === undefined ? from : nextHeight(after);
      expectReached(chain, next);
      if (to !== undefined && next > to) return { logs: [], searched_to: to };
      const query: LogQuery = {
        contracts: contractsOf(args),
        topics,
        from,
        to: to !== undefined && to < tip ? to : tip,
        isOpen: to !== undefined && to > tip,
        ...(after === undefined ? {} : { after }),
        limit,
        maxLength: maxRangeBytes,
        filter,
      };
      return new EncodedResult(await reads.read({ kind: 'logs', query }, call));
    },
  } satisfies Partial<MethodHandlers>;
}

function placeOf(filter: Uint8Array, cursor: string): NonNullable<LogQuery['after']> {
  const { place, part } = decodePartCursor(LOG_LISTING, filter, cursor);
  return { height: place.height, txIndex: place.index, logIndex: part };
}

function filterHash(crypto: Crypto, args: GetLogsArgs): Uint8Array {
  const { from_height: from, to_height: to } = args;
  return crypto.sha256(new TextEncoder().encode(`${filterText(args)} ${from ?? ''} ${to ?? ''}`));
}

import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Reads } from '../../execution/calls/reads.js';
import type { GetLogsArgs } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { decodePartCursor } from '../../ledger/queries/cursor.js';
import { LOG_LISTING, type LogQuery, nextHeight } from '../../ledger/queries/logs.js';
import { invalidParams, limitExceeded } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';
import { expectReached, expectStored, pageLimit } from './page-arguments.js';

export interface LogSources {
  readonly chain: CommittedChain;
  readonly crypto: Crypto;
  readonly reads: Reads;
  /** Maximum number of events per page. */
  readonly maxLogs: number;
  /** Length of JSON at which a page is cut off. */
  readonly maxRangeBytes: number;
}

const MAX_TOPICS = 4;
/** Maximum number of alternatives per topic. */
const MAX_ALTERNATIVES = 100;

export function logHandlers({
  chain,
  crypto,
  reads,
  maxLogs,
  maxRangeBytes,
}: LogSources): Pick<MethodHandlers, 'get_logs'> {
  return {
    get_logs: async (args, call) => {
      const { contract, topics = [], from_height: from = 0n, to_height: to, cursor } = args;
      const limit = pageLimit(args.limit, maxLogs, 'logs');
      checkTopics(topics);
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
        ...(contract === undefined ? {} : { contract }),
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
  };
}

/** @param path of the topics in the parameters @throws RpcError */
export function checkTopics(topics: readonly (readonly Uint8Array[])[], path = 'params.topics'): void {
  if (topics.length > MAX_TOPICS) {
    throw invalidParams(path, `at most ${MAX_TOPICS} positions`, `${topics.length}`);
  }
  for (const [position, alternatives] of topics.entries()) {
    if (alternatives.length > MAX_ALTERNATIVES) {
      throw limitExceeded(
        `topics[${position}]`,
        MAX_ALTERNATIVES,
        alternatives.length,
        `${path}[${position}]`,
      );
    }
  }
}

function placeOf(filter: Uint8Array, cursor: string): NonNullable<LogQuery['after']> {
  const { place, part } = decodePartCursor(LOG_LISTING, filter, cursor);
  return { height: place.height, txIndex: place.index, logIndex: part };
}

/** A 32-byte hash of all selection criteria of a query. */
function filterHash(crypto: Crypto, { contract, topics, from_height: from, to_height: to }: GetLogsArgs) {
  const filter = [
    contract === undefined ? null : toHex(contract),
    (topics ?? []).map((alternatives) => alternatives.map(toHex)),
    from === undefined ? null : `${from}`,
    to === undefined ? null : `${to}`,
  ];
  return crypto.sha256(new TextEncoder().encode(JSON.stringify(filter)));
}

import assert from 'node:assert/strict';
import { sha256 } from '@noble/hashes/sha2.js';
import type { CommittedChain } from '../../../src/chain/committed-chain.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import type { Reads } from '../../../src/execution/calls/reads.js';
import { answerRead, type ReadRequest } from '../../../src/execution/read-requests.js';
import { ContractInterfaces } from '../../../src/ledger/contract-interfaces.js';
import { EncodedResult, type HandlerContext } from '../../../src/rpc/handlers.js';
import { listingHandlers } from '../../../src/rpc/methods/listings.js';
import { logHandlers } from '../../../src/rpc/methods/logs.js';
import type { StoreReader } from '../../../src/storage/store.js';
import { fake } from '../fake.js';

/** Calls a listing, and returns the JSON of its result. */
export type ListingNode<Page> = (method: string, args: object) => Promise<Page>;

/**
 * Makes nodes that share a store, so that they differ in nothing but their tips and the blocks that they say to have.
 */
export function listingNodes<Page>(
  store: StoreReader,
): (tip: bigint, firstHeight?: bigint) => ListingNode<Page> {
  const crypto = fake<Crypto>({ sha256 });
  const sources = { store, crypto, interfaces: new ContractInterfaces(store, crypto) };
  const reads = fake<Reads>({
    read: async (request: ReadRequest) => answerRead(request, sources),
  });
  const limits = { maxPageSize: 50, maxLogs: 50, maxRangeHeights: 1_000, maxRangeBytes: 1_000_000 };
  return (height, firstHeight = 0n) => {
    const chain = fake<CommittedChain>({
      tip: { header: { height } },
      finalizedHeight: height,
      firstHeight,
    });
    const parts = { chain, crypto, reads, ...limits };
    const handlers = Object.entries({ ...listingHandlers(parts), ...logHandlers(parts) });
    return async (method, args) => {
      const [, handler] = handlers.find(([name]) => name === method) ?? assert.fail(method);
      const call = handler as (args: object, context: HandlerContext) => Promise<EncodedResult | Page>;
      const answer = await call(args, {} as HandlerContext);
      return answer instanceof EncodedResult ? (JSON.parse(answer.json) as Page) : answer;
    };
  };
}

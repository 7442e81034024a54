import type { SlicedWork } from '../../async/sliced-work.js';
import type { PublishedChain } from '../../chain/published-chain.js';
import type { AccountEntry } from '../../execution/state-source.js';
import type { StateCache } from '../../execution/views/state-cache.js';
import type { Account } from '../../generated/node-rpc-v1.js';
import { wholeAnswer } from '../../ledger/answer-limit.js';
import { addressHex } from '../../ledger/hex-names.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { PendingSenders } from '../../mempool/pending-senders.js';
import type { MainLink } from '../../rpc/front/main-link.js';
import { type CallContext, EncodedResult, type MethodHandlers } from '../../rpc/handlers.js';
import {
  type AccountHandlers,
  accountView,
  expectAccounts,
  type PendingAccounts,
} from '../../rpc/methods/accounts.js';

export interface FrontAccountSources {
  readonly chain: PublishedChain;
  readonly cache: StateCache;
  readonly senders: PendingSenders;
  readonly link: MainLink;
  /** Of this thread. */
  readonly work: SlicedWork;
  readonly maxAccounts: number;
  /** Answers on the main thread. */
  readonly forward: Pick<MethodHandlers, 'account'>;
}

/** So many accounts are read at once; more in slices, between which others have their turn. */
const AT_ONCE = 50;

/** Accounts as the last committed block left them; the main thread is asked for those of which something waits in the pool. */
export function frontAccountHandlers(sources: FrontAccountSources): AccountHandlers {
  const { chain, cache, senders, forward, maxAccounts } = sources;
  /** For as long as the cache keeps the entry. */
  const shown = new WeakMap<AccountEntry, EncodedResult>();
  return {
    account: (args, call) => {
      const name = addressHex(args.address);
      if (senders.mayHave(name)) return forward.account(args, call);
      const entry = cache.at(chain.tip.header.height).account(name);
      let answer = shown.get(entry);
      if (answer === undefined) {
        answer = new EncodedResult(rpcTypes.Account.toJson(accountView(args.address, entry.record, [])));
        shown.set(entry, answer);
      }
      return answer;
    },
    accounts: ({ addresses }, call) => {
      expectAccounts(addresses, maxAccounts);
      if (addresses.length > AT_ONCE) return inSlices(sources, addresses, call);
      const suspects = addresses.filter((address) => senders.mayHave(addressHex(address)));
      if (suspects.length > 0) return inSlices(sources, addresses, call);
      const { height } = chain.tip.header;
      return { height, accounts: addresses.map((address) => readAccount(cache, address, height)) };
    },
  };
}

function readAccount(cache: StateCache, address: Uint8Array, height: bigint): Account {
  return accountView(address, cache.at(height).account(addressHex(address)).record, []);
}

async function inSlices(
  { chain, cache, senders, link, work }: FrontAccountSources,
  addresses: readonly Uint8Array[],
  call: CallContext,
): Promise<EncodedResult> {
  const suspects = addresses.filter((address) => senders.mayHave(addressHex(address)));
  const pending = new Map<string, Account>();
  let { height } = chain.tip.header;
  if (suspects.length > 0) {
    const answer = (await link.ask({ kind: 'pending_accounts', addresses: suspects })) as PendingAccounts;
    height = answer.height;
    suspects.forEach((address, place) => {
      const account = answer.accounts[place];
      if (account !== undefined) pending.set(addressHex(address), account);
    });
  }
  return new EncodedResult(await work.run(readAll(cache, addresses, height, pending), call));
}

/** The JSON of an AccountsResult. */
function* readAll(
  cache: StateCache,
  addresses: readonly Uint8Array[],
  height: bigint,
  pending: ReadonlyMap<string, Account>,
): Generator<void, string> {
  const texts: string[] = [];
  for (const address of addresses) {
    const account = pending.get(addressHex(address)) ?? readAccount(cache, address, height);
    texts.push(rpcTypes.Account.toJson(account));
    yield;
  }
  return wholeAnswer(`{"height":${height},"accounts":[${texts.join(',')}]}`);
}

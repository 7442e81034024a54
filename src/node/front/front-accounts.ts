import type { Sliced, SlicedWork } from '../../async/sliced-work.js';
import { flatText } from '../../base/flat-text.js';
import type { PublishedChain } from '../../chain/published-chain.js';
import type { AccountEntry } from '../../execution/state-source.js';
import type { StateCache } from '../../execution/views/state-cache.js';
import type { Account } from '../../generated/node-rpc-v1.js';
import { ADDRESS_BYTES } from '../../ledger/constants.js';
import { type AddressHex, addressHex } from '../../ledger/hex-types.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { PendingSenders } from '../../mempool/pending-senders.js';
import type { MainLink } from '../../rpc/front/main-link.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../../rpc/handlers.js';
import {
  ACCOUNTS_PER_SLICE,
  accountsAnswer,
  accountView,
  expectAccounts,
  PENDING_ACCOUNTS,
} from '../../rpc/methods/accounts.js';

export interface FrontAccountSources {
  readonly chain: PublishedChain;
  readonly cache: StateCache;
  readonly senders: PendingSenders;
  readonly link: MainLink;
  readonly work: SlicedWork;
  readonly maxAccounts: number;
  readonly maxAnswerBytes: number;
  readonly forward: Pick<MethodHandlers, 'account'>;
}

const NO_ADDRESS = new Uint8Array(ADDRESS_BYTES);

/** Serves accounts at the last committed block; accounts with pooled transactions are read from the main thread. */
export function frontAccountHandlers(sources: FrontAccountSources) {
  const { chain, cache, senders, forward, maxAccounts } = sources;
  /** Encoded answers, kept as long as the cache keeps their entries. */
  const shown = new WeakMap<AccountEntry, EncodedResult>();
  return {
    account: (args, call) => {
      const name = addressHex(args.address);
      if (senders.mayHave(name)) return forward.account(args, call);
      const entry = cache.at(chain.tip.header.height).account(name);
      let answer = shown.get(entry);
      if (answer === undefined) {
        const view = accountView(args.address, entry.record, []);
        answer = new EncodedResult(flatText(rpcTypes.Account.toJson(view)));
        shown.set(entry, answer);
      }
      return answer;
    },
    accounts: ({ addresses }, call) => {
      expectAccounts(addresses, maxAccounts);
      if (addresses.length > ACCOUNTS_PER_SLICE) return inSlices(sources, addresses, call);
      const suspects = addresses.filter((address) => senders.mayHave(addressHex(address)));
      if (suspects.length > 0) return inSlices(sources, addresses, call);
      const { height } = chain.tip.header;
      return { height, accounts: addresses.map((address) => readAccount(cache, address, height)) };
    },
  } satisfies Partial<MethodHandlers>;
}

function readAccount(cache: StateCache, address: Uint8Array, height: bigint): Account {
  return accountView(address, cache.at(height).account(addressHex(address)).record, []);
}

/** Looks up each distinct address once. */
async function inSlices(
  sources: FrontAccountSources,
  addresses: readonly Uint8Array[],
  call: HandlerContext,
): Promise<EncodedResult> {
  const { chain, senders, link, work } = sources;
  const names = addresses.map(addressHex);
  const distinct = new Map(names.map((name, place) => [name, addresses[place] ?? NO_ADDRESS]));
  const suspects = [...distinct.keys()].filter((name) => senders.mayHave(name));
  const texts = new Map<AddressHex, string>();
  let { height } = chain.tip.header;
  if (suspects.length > 0) {
    const asked = Buffer.concat(suspects.map((name) => distinct.get(name) ?? NO_ADDRESS));
    const lines = await new Promise<string>((resolve, reject) =>
      link.call(PENDING_ACCOUNTS, asked, call, { resolve, reject }),
    );
    const [at = '0', ...accounts] = lines.split('\n');
    height = BigInt(at);
    for (const [place, name] of suspects.entries()) {
      const text = accounts[place];
      if (text !== undefined && text !== '') texts.set(name, text);
    }
  }
  return work.run(readOthers(sources, height, names, { distinct, texts }), call);
}

function* readOthers(
  { cache, maxAnswerBytes }: FrontAccountSources,
  height: bigint,
  names: readonly AddressHex[],
  { distinct, texts }: FoundAccounts,
): Sliced<EncodedResult> {
  for (const [name, address] of distinct) {
    if (texts.has(name)) continue;
    texts.set(name, rpcTypes.Account.toJson(readAccount(cache, address, height)));
    yield undefined;
  }
  return accountsAnswer(
    height,
    names.map((name) => texts.get(name) ?? ''),
    maxAnswerBytes,
  );
}

interface FoundAccounts {
  readonly distinct: ReadonlyMap<AddressHex, Uint8Array>;
  /** Encoded accounts. */
  readonly texts: Map<AddressHex, string>;
}

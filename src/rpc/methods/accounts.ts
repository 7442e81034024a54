import type { Sliced, SlicedWork } from '../../async/sliced-work.js';
import { chunks } from '../../async/tick-batch.js';
import type { Chain } from '../../chain/chain.js';
import type { AccountRecord } from '../../generated/ledger.js';
import type { Account, NonceLane } from '../../generated/node-rpc-v1.js';
import type { CachedAccount } from '../../ledger/account-cache.js';
import { isEmptyAccount } from '../../ledger/accounts.js';
import { ADDRESS_BYTES } from '../../ledger/constants.js';
import { type AddressHex, addressHex } from '../../ledger/hex-types.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { Mempool } from '../../mempool/pool.js';
import type { PendingLane } from '../../mempool/pool-types.js';
import { answerTooLong } from '../domain-errors.js';
import { limitExceeded } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';
import type { BoundMethod } from '../rpc-interface.js';

export interface AccountSources {
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly maxAccounts: number;
  readonly maxAnswerBytes: number;
  readonly work: SlicedWork;
}

export const ACCOUNTS_PER_SLICE = 50;
/** Attempts to read all accounts at one height; the last one runs in a single slice. */
const ATTEMPTS = 3;
const NO_ADDRESS = new Uint8Array(ADDRESS_BYTES);

export function accountHandlers(sources: AccountSources) {
  const { chain, pool, maxAccounts, work } = sources;
  return {
    account: accountHandler(chain, pool),
    accounts: ({ addresses }, call) => {
      expectAccounts(addresses, maxAccounts);
      if (addresses.length > ACCOUNTS_PER_SLICE) return work.run(accountsInSlices(sources, addresses), call);
      const names = addresses.map(addressHex);
      chain.accounts.prefetch(names);
      const accounts = addresses.map((address, place) => {
        const name = names[place] ?? addressHex(address);
        return account(address, name, chain.accounts.get(name), pool);
      });
      chain.accounts.trim();
      return { height: chain.tip.header.height, accounts };
    },
  } satisfies Partial<MethodHandlers>;
}

/** Reads each distinct address once. */
function* accountsInSlices(
  { chain, pool, maxAnswerBytes }: AccountSources,
  addresses: readonly Uint8Array[],
): Sliced<EncodedResult> {
  const names = addresses.map(addressHex);
  yield undefined;
  const distinct = new Map(names.map((name, place) => [name, addresses[place] ?? NO_ADDRESS]));
  const { height, found } = yield* atOneHeight(chain, [...distinct.keys()], (some) => {
    chain.accounts.prefetch(some);
    const looked = some.map((name) => [name, chain.accounts.get(name).record, pool.lanesOf(name)] as const);
    chain.accounts.trim();
    return looked;
  });
  const texts = new Map<AddressHex, string>();
  for (const [name, record, waiting] of found) {
    const view = accountView(distinct.get(name) ?? NO_ADDRESS, record, waiting);
    texts.set(name, rpcTypes.Account.toJson(view));
    yield undefined;
  }
  const answers = names.map((name) => texts.get(name) ?? '');
  return accountsAnswer(height, answers, maxAnswerBytes);
}

/** Reads accounts in slices, all at one height; starts over if a block arrives in between. @param look synchronous */
function* atOneHeight<T>(
  chain: Chain,
  names: readonly AddressHex[],
  look: (names: readonly AddressHex[]) => readonly T[],
): Sliced<{ readonly height: bigint; readonly found: readonly T[] }> {
  for (let attempt = 1; ; attempt++) {
    const { tip } = chain;
    const found: T[] = [];
    for (const some of chunks(names, ACCOUNTS_PER_SLICE)) {
      // Blocks may arrive faster than slices complete, so the last attempt does not yield.
      if (found.length > 0 && attempt < ATTEMPTS) yield undefined;
      if (chain.tip !== tip) break;
      found.push(...look(some));
    }
    if (chain.tip === tip) return { height: tip.header.height, found };
  }
}

/** The JSON of an AccountsResult. @param texts JSON of the accounts @throws RpcError `limit_exceeded` */
export function accountsAnswer(
  height: bigint,
  texts: readonly string[],
  maxAnswerBytes: number,
): EncodedResult {
  // The texts are ASCII only, so their lengths are byte counts.
  const bytes = texts.reduce((sum, { length }) => sum + length + 1, 0);
  if (bytes > maxAnswerBytes) throw answerTooLong(maxAnswerBytes, bytes);
  return new EncodedResult(`{"height":${height},"accounts":[${texts.join(',')}]}`);
}

/** @throws RpcError limit_exceeded */
export function expectAccounts({ length }: readonly Uint8Array[], maxAccounts: number): void {
  if (length > maxAccounts) throw limitExceeded('accounts', maxAccounts, length, 'params.addresses');
}

/**
 * Cached in the account's entry, which a commit replaces when the account changes, and used while nothing is pending.
 * Guarded by `bench/load/rpc-load.ts`.
 */
function accountHandler(chain: Chain, pool: Mempool): MethodHandlers['account'] {
  return ({ address }) => {
    const name = addressHex(address);
    const entry = chain.accounts.get(name);
    if (pool.hasPending(name)) return account(address, name, entry, pool);
    entry.cachedJson ??= rpcTypes.Account.toJson(account(address, name, entry, pool));
    return new EncodedResult(entry.cachedJson);
  };
}

function account(address: Uint8Array, name: AddressHex, { record }: CachedAccount, pool: Mempool): Account {
  return accountView(address, record, pool.lanesOf(name));
}

/** The public view of an account. @param waiting the account's transactions in the pool */
export function accountView(
  address: Uint8Array,
  record: AccountRecord,
  waiting: readonly PendingLane[],
): Account {
  return {
    address,
    exists: !isEmptyAccount(record),
    balance: record.balance,
    lanes: lanes(record.lanes, waiting),
    deploy_index: record.deploy_index,
    is_contract: record.contract !== undefined,
  };
}

/** The method that answers front threads with {@link pendingAccountLines}. */
export const PENDING_ACCOUNTS = 'pending_accounts';

/** @param lines see {@link pendingAccountLines} */
export function pendingAccountsMethod(
  work: SlicedWork,
  lines: (addresses: Uint8Array) => Sliced<string>,
): BoundMethod {
  return {
    declaration: {
      name: PENDING_ACCOUNTS,
      qualifiedName: PENDING_ACCOUNTS,
      tier: 'public',
      cost: 0,
      isImmutable: false,
      decodeParams: (addresses) => addresses,
      encodeResult: (text) => text as string,
    },
    handler: (addresses, call) => work.run(lines(addresses as Uint8Array), call),
    takesRawParams: false,
    isQueued: true,
  };
}

/**
 * The height, then a line for each address: the JSON of its account, or nothing if nothing of it is pending.
 * @param addresses 20 bytes each
 */
export function* pendingAccountLines(
  { chain, pool }: Pick<AccountSources, 'chain' | 'pool'>,
  addresses: Uint8Array,
): Sliced<string> {
  const names: AddressHex[] = [];
  for (let at = 0; at < addresses.length; at += ADDRESS_BYTES) {
    names.push(addressHex(addresses.subarray(at, at + ADDRESS_BYTES)));
  }
  const pendingOf = (name: AddressHex) =>
    pool.hasPending(name) ? ([chain.accounts.get(name).record, pool.lanesOf(name)] as const) : undefined;
  const { height, found } = yield* atOneHeight(chain, names, (some) => some.map(pendingOf));
  const lines = [String(height)];
  for (const [place, pending] of found.entries()) {
    if (pending === undefined) {
      lines.push('');
      continue;
    }
    const address = addresses.subarray(place * ADDRESS_BYTES, (place + 1) * ADDRESS_BYTES);
    lines.push(rpcTypes.Account.toJson(accountView(address, ...pending)));
    yield undefined;
  }
  return lines.join('\n');
}

function lanes(
  used: readonly { readonly lane: number; readonly next_nonce: bigint }[],
  waiting: readonly PendingLane[],
): readonly NonceLane[] {
  if (waiting.length === 0) return used.map(({ lane, next_nonce }) => ({ lane, next_nonce, pending: 0 }));
  const byLane = new Map<number, NonceLane>();
  for (const { lane, pending } of waiting) byLane.set(lane, { lane, next_nonce: 0n, pending });
  for (const { lane, next_nonce } of used) {
    byLane.set(lane, { lane, next_nonce, pending: byLane.get(lane)?.pending ?? 0 });
  }
  return [...byLane.values()].sort((a, b) => a.lane - b.lane);
}

import { useMemo } from 'preact/hooks';
import type { Call } from '../../generated/ledger.js';
import type { TxSummary } from '../../generated/node-rpc-v1.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { feed } from '../node/connection.js';
import { LookupCache } from '../node/lookup-cache.js';
import { useLookup } from '../node/use-lookup.js';
import { knownAddresses, useKnownAddress } from './known-addresses.js';
import { type TransferArguments, transferArguments } from './token-methods.js';

/** A transaction of a list; with its call if the list has that. */
export type ListedTransaction = Pick<
  TxSummary,
  | ('tx_hash' | 'height' | 'timestamp_ms' | 'sender' | 'kind' | 'to' | 'method')
  | ('value' | 'status' | 'gas_used')
> & { readonly call?: Call };

/** What tells the action of a listed transaction. */
export type ListedAction = Pick<ListedTransaction, 'tx_hash' | 'kind' | 'to' | 'method' | 'call'>;

/** What a transaction calls. */
export interface ListedCall {
  /** Undefined if the contract's interface is not known. */
  readonly method?: string | undefined;
  /** The contract of the tokens that the call transfers, 40 hex digits; undefined for any other call. */
  readonly token?: string | undefined;
  /** Undefined until they are known. The transfer may have failed. */
  readonly transfer?: TransferArguments | undefined;
}

/** An included transaction never changes. */
const FRESH_MS = 3_600_000;
const MAX_BATCH = 50;

/** Transfers of tokens by the hash of their transaction: one request for all of a list. */
const transfers = new LookupCache<TransferArguments>({
  find: async (hashes) => {
    const answers = await Promise.all(
      hashes.map((hash) => feed.peek().tx_by_hash({ tx_hash: fromHex(hash, 0) ?? new Uint8Array(32) })),
    );
    const found = new Map<string, TransferArguments>();
    for (const [at, hash] of hashes.entries()) {
      const action = answers[at]?.transaction?.transaction.action;
      const transfer = action?.type === 'call' ? transferOf(action.value) : undefined;
      if (transfer !== undefined) found.set(hash, transfer);
    }
    return found;
  },
  maxBatch: MAX_BATCH,
  freshMs: FRESH_MS,
});

function transferOf({ contract, input }: Call): TransferArguments | undefined {
  const known = knownAddresses.read(toHex(contract));
  if (known?.kind !== 'contract' || known.compiled === undefined || known.token === undefined)
    return undefined;
  return transferArguments(known.compiled, known.token, input);
}

/**
 * What a listed transaction calls; empty if it calls no contract.
 * @param wantsTransfer whether to look up what a summary lacks of a transfer of tokens
 */
export function useListedCall(
  { kind, to, method: listed, tx_hash, call }: ListedAction,
  wantsTransfer: boolean,
): ListedCall {
  const contract = kind.type === 'call' && to !== undefined ? toHex(to) : undefined;
  const known = useKnownAddress(contract);
  const { compiled, token: methods } = known?.kind === 'contract' ? known : {};
  const method = listed ?? (call && compiled?.abi.functionOf(call.input)?.name);
  const isTransfer = method !== undefined && methods?.has(method) === true;
  const isAsked = isTransfer && wantsTransfer && call === undefined;
  const found = useLookup(transfers, isAsked ? toHex(tx_hash) : undefined);
  const own = useMemo(
    () => (isTransfer && call && compiled ? transferArguments(compiled, methods, call.input) : undefined),
    [isTransfer, call, compiled, methods],
  );
  if (!isTransfer) return { method };
  return { method, token: contract, transfer: own ?? found };
}

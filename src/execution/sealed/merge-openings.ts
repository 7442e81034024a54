import { toHex } from '../../idl/hex.js';
import { latin1 } from '../../storage/latin1.js';
import type { ExecutedBlock } from '../block-execution.js';
import { type CodeBlob, inKeyOrder, type StateWrite, sameValue } from '../state-writes.js';

/** Merges a block's unsettled openings with its transactions, which settle the gas and fees of both. */
export function mergeOpenings(opened: ExecutedBlock, rest: ExecutedBlock): ExecutedBlock {
  const first = opened.receipts.length;
  const contractTransactions = new Map<string, readonly number[]>(opened.contractTransactions);
  for (const [contract, indexes] of rest.contractTransactions) {
    const shifted = indexes.map((index) => first + index);
    contractTransactions.set(contract, [...(contractTransactions.get(contract) ?? []), ...shifted]);
  }
  const shift = <T extends { readonly index: number }>(entry: T): T => ({
    ...entry,
    index: first + entry.index,
  });
  return {
    ...rest,
    receipts: [...opened.receipts, ...rest.receipts],
    storedReceipts: [...opened.storedReceipts, ...rest.storedReceipts],
    writes: writesOfBoth(opened.writes, rest.writes),
    codes: blobsOfBoth(opened.codes, rest.codes),
    idls: blobsOfBoth(opened.idls, rest.idls),
    contractTransactions,
    events: [...opened.events, ...rest.events.map(shift)],
    payments: [...opened.payments, ...rest.payments.map(shift)],
  };
}

/** Merges writes. A key in both gets the later value and the earlier `previous`, or no write if the two are equal. */
function writesOfBoth(earlier: readonly StateWrite[], later: readonly StateWrite[]): readonly StateWrite[] {
  const writes = new Map(earlier.map((write) => [latin1(write.key), write]));
  for (const write of later) {
    const name = latin1(write.key);
    const before = writes.get(name);
    const both = before === undefined ? write : { ...before, ...write, previous: before.previous };
    if (before !== undefined && sameValue(both.previous, both.value)) writes.delete(name);
    else writes.set(name, both);
  }
  return inKeyOrder([...writes.values()]);
}

function blobsOfBoth(earlier: readonly CodeBlob[], later: readonly CodeBlob[]): readonly CodeBlob[] {
  const blobs = new Map(earlier.map((blob) => [toHex(blob.hash), blob]));
  for (const blob of later) {
    const name = toHex(blob.hash);
    if (!blobs.has(name)) blobs.set(name, blob);
  }
  return [...blobs.values()];
}

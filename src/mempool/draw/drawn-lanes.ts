import type { AddressHex } from '../../ledger/hex-types.js';
import type { WaitingBundle } from '../bundles/waiting-bundle.js';
import type { Lane, Sender } from '../lanes/sender-lanes.js';
import type { AccountView, DrawnBranch } from '../pool-types.js';

/** The point at which a block on a branch starts drawing a lane. */
export interface LaneStart {
  readonly lane: Lane;
  /** Position of the next nonce after the branch. */
  readonly position: number;
}

export function* lanesAfter(
  { changed, accounts }: DrawnBranch,
  senderOf: (address: AddressHex) => Sender | undefined,
): IterableIterator<LaneStart> {
  for (const address of changed) {
    for (const lane of senderOf(address)?.lanes.values() ?? []) {
      const next = accounts.nextNonce(address, lane.id);
      if (next > lane.accountNonce) yield { lane, position: lane.positionOf(next) };
    }
  }
}

export function bundlesReadyAfter(
  { changed, accounts }: DrawnBranch,
  bundlesOf: (address: AddressHex, accounts: AccountView) => Iterable<WaitingBundle>,
): WaitingBundle[] {
  const looked = new Set<WaitingBundle>();
  const found: WaitingBundle[] = [];
  for (const address of changed) {
    for (const waiting of bundlesOf(address, accounts)) {
      if (waiting.status === 'ready' || looked.has(waiting)) continue;
      looked.add(waiting);
      if (waiting.isAllowedBy(accounts)) found.push(waiting);
    }
  }
  return found;
}

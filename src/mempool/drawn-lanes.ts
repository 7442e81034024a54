import type { AddressHex } from '../ledger/hex-names.js';
import { followBundle } from './bundle-rules.js';
import type { Lane } from './lane.js';
import type { DrawnBranch } from './pool-types.js';
import type { Sender } from './sender.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** From where on a block can draw a lane: what is before is used on its branch. */
export interface LaneStart {
  readonly lane: Lane;
  /** Position of the nonce that the branch leaves next. */
  readonly position: number;
}

/** Where the lanes begin that a branch has changed. */
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

/** Whether the accounts after a branch allow a bundle. */
export function isReadyAfter({ accounts }: DrawnBranch, { bundle, lanes }: WaitingBundle): boolean {
  return followBundle(bundle.transactions, lanes, accounts) === 'ready';
}

/** The bundles that are not ready as of the tip, and are ready after a branch. */
export function bundlesReadyAfter(
  branch: DrawnBranch,
  bundlesOf: (address: AddressHex) => Iterable<WaitingBundle>,
): WaitingBundle[] {
  const found = new Set<WaitingBundle>();
  for (const address of branch.changed) {
    for (const waiting of bundlesOf(address)) {
      if (waiting.standing !== 'ready' && isReadyAfter(branch, waiting)) found.add(waiting);
    }
  }
  return [...found];
}

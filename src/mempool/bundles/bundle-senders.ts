import type { AddressHex } from '../../ledger/hex-types.js';
import type { AccountView } from '../pool-types.js';
import type { BundleMember, UsedLane, WaitingBundle } from './waiting-bundle.js';

interface BundledLane {
  /** The account's next nonce at the last update. */
  next: bigint;
  /** Bundles by their first nonce in the lane. */
  readonly byNonce: Map<bigint, Set<WaitingBundle>>;
}

interface BundledSender {
  readonly members: Set<BundleMember>;
  readonly lanes: Map<number, BundledLane>;
  /** Bundles that wait for no nonce of any account. */
  readonly nonceReady: Set<WaitingBundle>;
}

export interface BundleChanges {
  readonly used: Set<WaitingBundle>;
  /** Bundles that wait for no nonce and have a changed account. */
  readonly affected: Set<WaitingBundle>;
}

const NONE: ReadonlySet<BundleMember> = new Set();

/**
 * Bundles by sender, lane and nonce. An account change costs a lookup per bundled lane, plus the bundles whose nonce is
 * next or used; bundles still waiting for a nonce cost nothing.
 */
export class BundleSenders {
  readonly #accounts: AccountView;
  readonly #senders = new Map<AddressHex, BundledSender>();

  constructor(accounts: AccountView) {
    this.#accounts = accounts;
  }

  membersOf(sender: AddressHex): ReadonlySet<BundleMember> {
    return this.#senders.get(sender)?.members ?? NONE;
  }

  add(waiting: WaitingBundle): void {
    for (const member of waiting.members) this.#open(member.address).members.add(member);
    waiting.behind = 0;
    for (const used of waiting.lanes) {
      const { next, byNonce } = this.#lane(used);
      if (used.firstNonce > next) waiting.behind++;
      const alike = byNonce.get(used.firstNonce);
      if (alike === undefined) byNonce.set(used.firstNonce, new Set([waiting]));
      else alike.add(waiting);
    }
    if (waiting.behind === 0) this.#markNonceReady(waiting);
  }

  remove(waiting: WaitingBundle): void {
    for (const { sender, lane, firstNonce } of waiting.lanes) {
      const lanes = this.#senders.get(sender)?.lanes;
      const byNonce = lanes?.get(lane)?.byNonce;
      const alike = byNonce?.get(firstNonce);
      alike?.delete(waiting);
      if (alike?.size === 0) byNonce?.delete(firstNonce);
      if (byNonce?.size === 0) lanes?.delete(lane);
    }
    for (const member of waiting.members) {
      const own = this.#senders.get(member.address);
      own?.members.delete(member);
      own?.nonceReady.delete(waiting);
      if (own?.members.size === 0) this.#senders.delete(member.address);
    }
  }

  /** Processes an account change and collects the affected bundles. */
  update(address: AddressHex, { used, affected }: BundleChanges): void {
    const own = this.#senders.get(address);
    if (own === undefined) return;
    for (const [id, lane] of own.lanes) {
      const next = this.#accounts.nextNonce(address, id);
      if (next === lane.next) continue;
      lane.next = next;
      for (const [nonce, bundles] of lane.byNonce) {
        if (nonce < next) for (const waiting of bundles) used.add(waiting);
        else if (nonce === next) {
          for (const waiting of bundles) {
            waiting.behind--;
            if (waiting.behind === 0) this.#markNonceReady(waiting);
          }
        }
      }
    }
    if (own.nonceReady.size === 0) return;
    const balance = this.#accounts.balance(address);
    for (const waiting of own.nonceReady) {
      waiting.noteBalance(address, balance);
      affected.add(waiting);
    }
  }

  *readyWith(address: AddressHex, accounts: AccountView): IterableIterator<WaitingBundle> {
    const own = this.#senders.get(address);
    if (own === undefined) return;
    for (const [id, { next, byNonce }] of own.lanes) {
      const nonce = accounts.nextNonce(address, id);
      if (nonce !== next) yield* byNonce.get(nonce) ?? [];
    }
    yield* own.nonceReady;
  }

  #markNonceReady(waiting: WaitingBundle): void {
    waiting.noteBalances(this.#accounts);
    for (const sender of waiting.senders) this.#open(sender).nonceReady.add(waiting);
  }

  #open(address: AddressHex): BundledSender {
    let own = this.#senders.get(address);
    if (own === undefined) {
      own = { members: new Set(), lanes: new Map(), nonceReady: new Set() };
      this.#senders.set(address, own);
    }
    return own;
  }

  #lane({ sender, lane: id }: UsedLane): BundledLane {
    const { lanes } = this.#open(sender);
    let lane = lanes.get(id);
    if (lane === undefined) {
      lane = { next: this.#accounts.nextNonce(sender, id), byNonce: new Map() };
      lanes.set(id, lane);
    }
    return lane;
  }
}

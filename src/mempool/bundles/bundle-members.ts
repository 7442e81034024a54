import type { TransactionHashHex } from '../../ledger/hex-types.js';
import type { BundleMember } from './waiting-bundle.js';

/** Ends of a linked list: thousands of bundles may share a transaction, and adding or removing each takes O(1). */
interface DuplicateList {
  first: BundleMember;
  last: BundleMember;
}

/** The transactions of all bundles by hash, each in order of the bundles' arrival. */
export class BundleMembers {
  readonly #byHash = new Map<TransactionHashHex, DuplicateList>();

  /** A transaction's entry in the first bundle that contains it. */
  first(hashHex: TransactionHashHex): BundleMember | undefined {
    return this.#byHash.get(hashHex)?.first;
  }

  /** A transaction's entries in all bundles that contain it. */
  *like(hashHex: TransactionHashHex): IterableIterator<BundleMember> {
    for (let member = this.first(hashHex); member !== undefined; member = member.nextDuplicate) yield member;
  }

  add(member: BundleMember): void {
    const { hashHex } = member.transaction;
    const alike = this.#byHash.get(hashHex);
    if (alike === undefined) {
      this.#byHash.set(hashHex, { first: member, last: member });
      return;
    }
    member.previousDuplicate = alike.last;
    alike.last.nextDuplicate = member;
    alike.last = member;
  }

  remove(member: BundleMember): void {
    const { hashHex } = member.transaction;
    const { previousDuplicate: previous, nextDuplicate: next } = member;
    const alike = this.#byHash.get(hashHex);
    if (alike === undefined) return;
    member.previousDuplicate = undefined;
    member.nextDuplicate = undefined;
    if (previous !== undefined) previous.nextDuplicate = next;
    else if (next !== undefined) alike.first = next;
    if (next !== undefined) next.previousDuplicate = previous;
    else if (previous !== undefined) alike.last = previous;
    if (previous === undefined && next === undefined) this.#byHash.delete(hashHex);
  }
}

import { EMPTY, InnerPage, SLOTS } from './pages.js';
import { placeBelow, TopChanges } from './tree-top.js';

/** Changed places of a page of the top, recorded before hashing clears the page's change bits. */
interface ChangedPlaces {
  readonly page: InnerPage;
  readonly low: number;
  readonly high: number;
}

/** Collects the changes that one `applySorted` makes to the top of a tree. */
export class ChangedTop {
  readonly #changed: ChangedPlaces[] = [];
  readonly #splits = new Set<InnerPage>();

  /** Records an inner page that replaced a bucket. */
  noteSplit(page: InnerPage): void {
    if (page.level === 1) this.#splits.add(page);
  }

  /** Records pages of the top whose places are about to be hashed. */
  note(pages: readonly InnerPage[]): void {
    for (const page of pages) {
      this.#changed.push({ page, low: page.changedLow, high: page.changedHigh });
    }
  }

  /** @param root after everything has been hashed @returns encoded changes (tree-top.ts) */
  encode(root: InnerPage): Uint8Array<ArrayBuffer> {
    const changes = new TopChanges();
    for (const { page, low, high } of this.#changed) {
      if (page === root) {
        forEachPlace(low, high, (slot) => {
          if (!(root.children[slot] instanceof InnerPage)) add(changes, slot, root, slot);
        });
      } else if (root.children[page.slot] === page) {
        if (this.#splits.has(page)) addSplit(changes, page);
        else forEachPlace(low, high, (slot) => add(changes, placeBelow(page.slot, slot), page, slot));
      }
    }
    return changes.encode();
  }
}

/** Encodes the whole top of a tree as changes of the empty top. All its pages must be in memory. */
export function encodeTop(root: InnerPage): Uint8Array<ArrayBuffer> {
  const changes = new TopChanges();
  for (const [slot, page] of root.children.entries()) {
    if (page instanceof InnerPage) addSplit(changes, page);
    else if (root.slotKind(slot) !== EMPTY) add(changes, slot, root, slot);
  }
  return changes.encode();
}

function addSplit(changes: TopChanges, page: InnerPage): void {
  changes.split(page.slot);
  for (let slot = 0; slot < SLOTS; slot++) {
    if (page.slotKind(slot) !== EMPTY) add(changes, placeBelow(page.slot, slot), page, slot);
  }
}

function add(changes: TopChanges, place: number, page: InnerPage, slot: number): void {
  changes.set(place, page.slotKind(slot), page.words, page.nodeAt(SLOTS + slot));
}

function forEachPlace(low: number, high: number, visit: (slot: number) => void): void {
  for (let left = low; left !== 0; left &= left - 1) visit(31 - Math.clz32(left & -left));
  for (let left = high; left !== 0; left &= left - 1) visit(63 - Math.clz32(left & -left));
}

/**
 * Number of items per pack. A block's items and receipts are stored in packs, so that a block takes few entries and
 * looking up one transaction reads a few kilobytes instead of the whole block.
 *
 * A pack is le32(count) ‖ le32(end offset of each item, from the start of the first item) ‖ the items.
 */
export const PACK_ITEMS = 64;

export function encodePacks(items: readonly Uint8Array[]): Uint8Array[] {
  const packs: Uint8Array[] = [];
  for (let start = 0; start < items.length; start += PACK_ITEMS) {
    packs.push(encodePack(items.slice(start, start + PACK_ITEMS)));
  }
  return packs;
}

function encodePack(items: readonly Uint8Array[]): Uint8Array {
  const head = 4 + 4 * items.length;
  const length = items.reduce((sum, item) => sum + item.length, head);
  const pack = new Uint8Array(length);
  const view = new DataView(pack.buffer);
  view.setUint32(0, items.length, true);
  let end = 0;
  items.forEach((item, place) => {
    pack.set(item, head + end);
    end += item.length;
    view.setUint32(4 + 4 * place, end, true);
  });
  return pack;
}

/** The item at an index of a pack, as a view into the pack; undefined past the last item. */
export function packItem(pack: Uint8Array, place: number): Uint8Array | undefined {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  const count = view.getUint32(0, true);
  if (place >= count) return undefined;
  const head = 4 + 4 * count;
  const start = place === 0 ? 0 : view.getUint32(4 * place, true);
  return pack.subarray(head + start, head + view.getUint32(4 + 4 * place, true));
}

/** All items of a pack, as views into it. */
export function packItems(pack: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = [];
  for (let item = packItem(pack, 0); item !== undefined; item = packItem(pack, items.length)) {
    items.push(item);
  }
  return items;
}

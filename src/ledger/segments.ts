/**
 * A block's items and receipts are stored in segments of up to {@link SEGMENT_ITEMS}: few entries to write, and a look-up
 * of one transaction reads some kilobytes, not the whole block.
 *
 * A segment is le32(count) ‖ le32(end offset of each item, from the first item on) ‖ the items.
 */
export const SEGMENT_ITEMS = 64;

/** The segments of a list of encoded items. */
export function encodeSegments(items: readonly Uint8Array[]): Uint8Array[] {
  const segments: Uint8Array[] = [];
  for (let start = 0; start < items.length; start += SEGMENT_ITEMS) {
    segments.push(encodeSegment(items.slice(start, start + SEGMENT_ITEMS)));
  }
  return segments;
}

function encodeSegment(items: readonly Uint8Array[]): Uint8Array {
  const head = 4 + 4 * items.length;
  const length = items.reduce((sum, item) => sum + item.length, head);
  const segment = new Uint8Array(length);
  const view = new DataView(segment.buffer);
  view.setUint32(0, items.length, true);
  let end = 0;
  items.forEach((item, place) => {
    segment.set(item, head + end);
    end += item.length;
    view.setUint32(4 + 4 * place, end, true);
  });
  return segment;
}

/** The item at a place of a segment, as a view into it; undefined past its end. */
export function segmentItem(segment: Uint8Array, place: number): Uint8Array | undefined {
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  const count = view.getUint32(0, true);
  if (place >= count) return undefined;
  const head = 4 + 4 * count;
  const start = place === 0 ? 0 : view.getUint32(4 * place, true);
  return segment.subarray(head + start, head + view.getUint32(4 + 4 * place, true));
}

/** All items of a segment, as views into it. */
export function segmentItems(segment: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = [];
  for (let item = segmentItem(segment, 0); item !== undefined; item = segmentItem(segment, items.length)) {
    items.push(item);
  }
  return items;
}

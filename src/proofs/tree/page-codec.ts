/**
 * Encoding of pages in column `tree`.
 *
 * - Key: 0x00 (the current version; see page-versions.ts for kept versions), then one byte per page on the path from
 *   the root: the place in its parent, 0 to 63. The root page's key is 0x00 alone.
 * - A page begins with one byte for its kind and be64(the height of the block after which it was flushed).
 * - A bucket: 0x00, height, then its entries: key32 ‖ leaf hash32, in ascending order of the keys.
 * - An inner page: 0x01, height, then 16 bytes with two bits per place (place i in byte i >> 2, at bit 2 × (i & 3): 0
 *   empty, 1 a leaf, 2 more), then the 32-byte hashes of the places that are not empty. The nodes above are computed
 *   from these hashes.
 */
import { readBe64, writeBe64 } from '../../storage/big-endian.js';
import { ProofError } from '../proof-error.js';
import type { EntryPool } from './entry-pool.js';
import { BUCKET_ENTRIES, Bucket, EMPTY, INNER, InnerPage, type Page, SLOTS } from './pages.js';
import { bytesOfWords, compareKeys, ENTRY_WORDS, HASH_WORDS, wordsOfBytes } from './words.js';

/** First byte of the keys of current pages. */
const CURRENT = 0;
const BUCKET_TAG = 0;
const INNER_TAG = 1;
const ENTRY_BYTES = ENTRY_WORDS * 4;
const HASH_BYTES = HASH_WORDS * 4;
const KINDS_BYTES = SLOTS / 4;
/** Length of kind and height. */
const HEAD_BYTES = 9;

/** The key of the page in a place of `parent`, or of the root page if there is no parent. */
export function pageKey(parent: InnerPage | undefined, slot: number): Uint8Array {
  if (parent === undefined) return Uint8Array.of(CURRENT);
  const key = new Uint8Array(parent.level + 2);
  key[parent.level + 1] = slot;
  for (let page = parent; page.parent !== undefined; page = page.parent) key[page.level] = page.slot;
  return key;
}

/** @param height height of the block whose state the tree has */
export function encodePage(page: Page, height: bigint): Uint8Array {
  const encoded = page instanceof Bucket ? encodeBucket(page) : encodeInner(page);
  writeBe64(encoded, 1, height);
  return encoded;
}

/** The height at which a stored page was flushed; undefined if the bytes are too short for a page. */
export function writtenAt(encoded: Uint8Array): number | undefined {
  return encoded.length < HEAD_BYTES ? undefined : Number(readBe64(encoded, 1));
}

function encodeBucket({ words, at, count }: Bucket): Uint8Array {
  const encoded = new Uint8Array(HEAD_BYTES + count * ENTRY_BYTES);
  encoded[0] = BUCKET_TAG;
  encoded.set(new Uint8Array(words.buffer, at * 4, count * ENTRY_BYTES), HEAD_BYTES);
  return encoded;
}

function encodeInner(page: InnerPage): Uint8Array {
  const encoded = new Uint8Array(HEAD_BYTES + KINDS_BYTES + SLOTS * HASH_BYTES);
  encoded[0] = INNER_TAG;
  const nodes = new Uint8Array(page.words.buffer, page.at * 4, 2 * SLOTS * HASH_BYTES);
  let at = HEAD_BYTES + KINDS_BYTES;
  // Copies each run of non-empty places at once; in most pages no place is empty.
  let run = 0;
  for (let slot = 0; slot <= SLOTS; slot++) {
    const kind = slot < SLOTS ? page.slotKind(slot) : EMPTY;
    if (kind !== EMPTY) {
      const place = HEAD_BYTES + (slot >> 2);
      encoded[place] = (encoded[place] as number) | (kind << (2 * (slot & 3)));
      run++;
    } else if (run > 0) {
      const end = (SLOTS + slot) * HASH_BYTES;
      encoded.set(nodes.subarray(end - run * HASH_BYTES, end), at);
      at += run * HASH_BYTES;
      run = 0;
    }
  }
  return encoded.subarray(0, at);
}

/** Decodes a page. The caller must hash an inner page's nodes above its places. @throws ProofError `damaged` */
export function decodePage(
  encoded: Uint8Array,
  parent: InnerPage | undefined,
  slot: number,
  pool: EntryPool,
): Page {
  const page =
    encoded[0] === BUCKET_TAG && parent !== undefined
      ? decodeBucket(encoded, parent, slot, pool)
      : encoded[0] === INNER_TAG
        ? decodeInner(encoded, parent, slot, pool)
        : undefined;
  if (page === undefined) {
    const path = [...(parent?.path() ?? []), ...(parent === undefined ? [] : [slot])];
    const what = `the stored page ${describePath(path)} of ${encoded.length} bytes`;
    throw new ProofError('damaged', `state tree: ${what} is malformed`);
  }
  page.stored = true;
  page.writtenAt = writtenAt(encoded) ?? 0;
  return page;
}

function decodeBucket(
  encoded: Uint8Array,
  parent: InnerPage,
  slot: number,
  pool: EntryPool,
): Bucket | undefined {
  const count = (encoded.length - HEAD_BYTES) / ENTRY_BYTES;
  if (!Number.isInteger(count) || count < 1 || count > BUCKET_ENTRIES) return undefined;
  const bucket = new Bucket(parent, slot);
  bucket.makeRoom(pool, count);
  const { words, at } = bucket;
  new Uint8Array(words.buffer, at * 4, count * ENTRY_BYTES).set(encoded.subarray(HEAD_BYTES));
  for (let i = 1; i < count; i++) {
    const entry = at + i * ENTRY_WORDS;
    if (compareKeys(words, entry - ENTRY_WORDS, words, entry) >= 0) return undefined;
  }
  return bucket;
}

function decodeInner(
  encoded: Uint8Array,
  parent: InnerPage | undefined,
  slot: number,
  pool: EntryPool,
): InnerPage | undefined {
  const hashBytes = encoded.length - HEAD_BYTES - KINDS_BYTES;
  if (hashBytes < 0 || hashBytes % HASH_BYTES !== 0) return undefined;
  const page = new InnerPage(pool, parent, slot);
  const hashes = wordsOfBytes(encoded.subarray(HEAD_BYTES + KINDS_BYTES));
  let at = 0;
  for (let i = 0; i < SLOTS; i++) {
    const kind = ((encoded[HEAD_BYTES + (i >> 2)] as number) >> (2 * (i & 3))) & 3;
    if (kind === EMPTY) continue;
    if (kind > INNER || at >= hashes.length) return undefined;
    page.setSlot(i, kind, hashes, at);
    at += HASH_WORDS;
  }
  return at === hashes.length ? page : undefined;
}

/** Formats a path (the places from the root) for messages. */
export function describePath(path: readonly number[]): string {
  return path.length === 0 ? 'at the root' : `at ${path.join('/')}`;
}

/** The 32-byte hash of a node of an inner page. */
export function nodeHash(page: InnerPage, node: number): Uint8Array<ArrayBuffer> {
  return bytesOfWords(page.words, page.nodeAt(node), HASH_WORDS);
}

/** A key of column `tree`: a kind and two numbers, in this order. */
export function numbersKey(kind: number, first: bigint, second: bigint): Uint8Array {
  const key = new Uint8Array(17);
  key[0] = kind;
  writeBe64(key, 1, first);
  writeBe64(key, 9, second);
  return key;
}

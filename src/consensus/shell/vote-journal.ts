import { Buffer } from 'node:buffer';
import type { Runtime } from '../../async/runtime.js';
import type { EncodedBlock } from '../../chain/decode-block.js';
import type { JournalRecord, VotedMessage } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import { toHex } from '../../idl/hex.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import {
  type BlockHash,
  type Certificate,
  type JournalEntry,
  placeOf,
  type VoteMessage,
} from '../core/types.js';
import { certificateFromWire, certificateToWire, messageToWire } from '../core/wire.js';
import { factsOf, hashBytes, headerOf } from './conversions.js';

/*
 * Column `consensus`:
 *   "id"                                                → the journal's random id, 32 bytes
 *   "last"                                              → borsh(VoteCertificate), the latest finalization of a commit
 *   "j" ‖ be64 epoch ‖ be64 view ‖ be64 sequence        → borsh(JournalRecord)
 *   "b" ‖ hash                                          → borsh(EncodedBlock)
 *   "e" ‖ be64 epoch ‖ be64 view ‖ be32 signer ‖ u8 kind → borsh(VoteEvidence), see evidence.ts
 */
const COLUMN = 'consensus';
const ID = Buffer.from('id');
const LAST = Buffer.from('last');
const ENTRY = 'j'.charCodeAt(0);
const BLOCK = 'b'.charCodeAt(0);
const ID_BYTES = 32;
/** Room for a batch of a few votes and certificates; one with a block grows. */
const ROOM_BYTES = 512;

/** Thrown when a validator's journal is unusable. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

export type JournalStore = Pick<Store, 'get' | 'scan' | 'write'>;

type BytesOf = (hash: BlockHash) => EncodedBlock | undefined;

interface KeptEntry {
  readonly key: Uint8Array;
  readonly epoch: number;
  readonly view: number;
  readonly hash: BlockHash | undefined;
}

/**
 * The validator's journal (rule 7). Records votes before they are sent, blocks before they are voted for, and
 * certificates before they are acted on. It stays small: a committed finalization obsoletes everything below it.
 */
export class VoteJournal {
  /** The journal's 32-byte id, which the share file also holds (rule 9). */
  readonly id: Uint8Array;
  readonly #store: JournalStore;
  #kept: KeptEntry[] = [];
  readonly #restored: JournalEntry[] = [];
  #finalization: Certificate | undefined;
  #sequence = 0n;

  private constructor(store: JournalStore, id: Uint8Array) {
    this.#store = store;
    this.id = id;
  }

  /** Opens a store's journal, or creates one with a random id. @throws StoreError; JournalError if it is damaged */
  static async open(store: JournalStore, runtime: Runtime): Promise<VoteJournal> {
    let id = store.get(COLUMN, ID);
    if (id === undefined) {
      id = runtime.random(ID_BYTES);
      const batch = new WriteBatch(new Uint8Array(ROOM_BYTES));
      batch.put(COLUMN, ID, id);
      await store.write(batch, { sync: true });
    }
    const journal = new VoteJournal(store, id);
    journal.#restore();
    return journal;
  }

  /** Entries of this epoch and later that the journal held when opened, in write order. */
  restored(fromEpoch: number): readonly JournalEntry[] {
    return this.#restored.filter((entry) => placeOf(entry).epoch >= fromEpoch);
  }

  /** Writes entries with the bytes of their blocks, and resolves once they are on disk. @throws StoreError */
  async append(entries: readonly JournalEntry[], bytesOf: BytesOf): Promise<void> {
    const batch = new WriteBatch(new Uint8Array(ROOM_BYTES));
    for (const entry of entries) {
      const { epoch, view } = placeOf(entry);
      const hash = blockOf(entry)?.hash;
      const key = entryKey(epoch, view, this.#sequence++);
      if (hash !== undefined) this.#putBlock(batch, hash, bytesOf);
      batch.put(COLUMN, key, meshCodecs.JournalRecord.encode(recordOf(entry)));
      this.#kept.push({ key, epoch, view, hash });
    }
    await this.#store.write(batch, { sync: true });
  }

  /** Removes entries up to a view of an epoch. Not synced: entries that reappear after a crash are harmless. */
  async prune(epoch: number, view: number): Promise<void> {
    const isOld = (entry: KeptEntry) => entry.epoch < epoch || (entry.epoch === epoch && entry.view <= view);
    const old = this.#kept.filter(isOld);
    if (old.length === 0) return;
    this.#kept = this.#kept.filter((entry) => !isOld(entry));
    const stillKept = new Set(this.#kept.map(({ hash }) => hash));
    const batch = new WriteBatch(new Uint8Array(ROOM_BYTES));
    for (const { key, hash } of old) {
      batch.delete(COLUMN, key);
      if (hash !== undefined && !stillKept.has(hash)) batch.delete(COLUMN, blockKey(hash));
    }
    await this.#store.write(batch, { sync: false });
  }

  block(hash: BlockHash): EncodedBlock | undefined {
    const stored = this.#store.get(COLUMN, blockKey(hash));
    return stored === undefined ? undefined : meshCodecs.EncodedBlock.decode(stored);
  }

  /**
   * Stores the finalization of a list of commits, so that a crash between two of them does not lose it. A later one
   * that is stored already stays, because it makes these commits final as well.
   */
  async keepFinalization(certificate: Certificate): Promise<void> {
    if (this.#finalization !== undefined && isLater(this.#finalization, certificate)) return;
    const batch = new WriteBatch(new Uint8Array(ROOM_BYTES));
    batch.put(COLUMN, LAST, meshCodecs.VoteCertificate.encode(certificateToWire(certificate)));
    await this.#store.write(batch, { sync: false });
    this.#finalization = certificate;
  }

  /** The latest finalization that {@link keepFinalization} has stored. */
  get finalization(): Certificate | undefined {
    return this.#finalization;
  }

  #restore(): void {
    const last = this.#store.get(COLUMN, LAST);
    if (last !== undefined) this.#finalization = certificateFromWire(meshCodecs.VoteCertificate.decode(last));
    const entries: { readonly kept: KeptEntry; readonly sequence: bigint; readonly entry: JournalEntry }[] =
      [];
    const range = { gte: Uint8Array.of(ENTRY), lt: Uint8Array.of(ENTRY + 1) };
    for (const [key, value] of this.#store.scan(COLUMN, range)) {
      const place = Buffer.from(key);
      const epoch = Number(place.readBigUInt64BE(1));
      const view = Number(place.readBigUInt64BE(9));
      const entry = this.#entryOf(meshCodecs.JournalRecord.decode(value), view);
      const hash = blockOf(entry)?.hash;
      entries.push({ kept: { key, epoch, view, hash }, sequence: place.readBigUInt64BE(17), entry });
    }
    entries.sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
    for (const { kept, entry } of entries) {
      this.#kept.push(kept);
      this.#restored.push(entry);
    }
    this.#sequence = (entries.at(-1)?.sequence ?? -1n) + 1n;
  }

  #entryOf(record: JournalRecord, view: number): JournalEntry {
    switch (record.type) {
      case 'block': {
        const hash = toHex(record.value);
        const stored = this.block(hash);
        const block = stored && factsOf(headerOf(stored), hash);
        if (block === undefined) throw new JournalError(`the journal lacks the bytes of block ${hash}`);
        return { type: 'block', block, view };
      }
      case 'vote':
        return { type: 'vote', message: messageOf(record.value) };
      case 'certificate': {
        const certificate = certificateFromWire(record.value);
        if (certificate === undefined) throw new JournalError('the journal holds an invalid certificate');
        return { type: 'certificate', certificate };
      }
    }
  }

  #putBlock(batch: WriteBatch, hash: BlockHash, bytesOf: BytesOf): void {
    if (this.#kept.some((entry) => entry.hash === hash)) return;
    const block = bytesOf(hash);
    if (block === undefined)
      throw new JournalError(`the bytes of block ${hash} are missing, so it cannot be journaled`);
    batch.put(COLUMN, blockKey(hash), meshCodecs.EncodedBlock.encode(block));
  }
}

/** Whether a certificate is of a later epoch than another, or of a later view of the same epoch. */
export function isLater(one: Certificate, other: Certificate): boolean {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.view > other.view);
}

function entryKey(epoch: number, view: number, sequence: bigint): Uint8Array {
  const key = Buffer.alloc(25);
  key.writeUInt8(ENTRY, 0);
  key.writeBigUInt64BE(BigInt(epoch), 1);
  key.writeBigUInt64BE(BigInt(view), 9);
  key.writeBigUInt64BE(sequence, 17);
  return key;
}

function blockKey(hash: BlockHash): Uint8Array {
  return Buffer.concat([Uint8Array.of(BLOCK), hashBytes(hash)]);
}

function blockOf(entry: JournalEntry) {
  return entry.type === 'block' ? entry.block : undefined;
}

function recordOf(entry: JournalEntry): JournalRecord {
  switch (entry.type) {
    case 'block':
      return { type: 'block', value: hashBytes(entry.block.hash) };
    case 'vote':
      return { type: 'vote', value: messageToWire(entry.message) };
    case 'certificate':
      return { type: 'certificate', value: certificateToWire(entry.certificate) };
  }
}

function messageOf(stored: VotedMessage): VoteMessage {
  return {
    kind: stored.kind.type,
    epoch: Number(stored.epoch),
    view: Number(stored.view),
    parentView: Number(stored.parent_view),
    hash: toHex(stored.block_hash),
  };
}

import { meshCodecs } from '../../generated/mesh-codecs.js';
import { toHex } from '../../idl/hex.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { readBe64 } from '../../storage/big-endian.js';
import type { Certificate, VoteMessage, VoteName } from '../core/types.js';
import { certificateFromWire } from '../core/wire.js';
import { nameOf } from './model.js';
import type { DiskWrite } from './sim-disk.js';

/** The records that a backup copies. */
class Held {
  /** Journaled votes by name. */
  readonly votes = new Map<string, VoteMessage>();
  /** Names of journaled certificates, and of the finalizations of committed blocks. */
  readonly certificates = new Set<string>();
  /** Epochs and views with a journaled vote, and with one that is no notarize. */
  readonly votedPlaces = new Set<string>();
  readonly endedPlaces = new Set<string>();
  /** Kinds of certificates, with epoch and view. */
  readonly kinds = new Set<string>();
  /** Hashes of the blocks notarized or finalized in a view, by epoch and view. */
  readonly notarized = new Map<string, Set<string>>();
  /** Hashes of journaled and committed blocks. */
  readonly blocks = new Set<string>();
  /** Highest view with a certificate, by epoch. */
  readonly highest = new Map<number, number>();
  /** Highest view with a notarization, by epoch. */
  readonly notarizedViews = new Map<number, number>();
  /** Highest final view, by epoch. */
  readonly finalized = new Map<number, number>();
  /** Highest view of a committed block's own finalization, by epoch. */
  readonly committed = new Map<number, number>();
  readonly entries = new Map<string, Uint8Array>();
}

/** Everything relevant to the rules that a disk has held for good at some time, even if pruned since. */
export class DiskRecords {
  #held = new Held();
  /** Highest committed height. */
  height = 0;

  copy(): DiskRecords {
    const copy = new DiskRecords();
    copy.#held = structuredClone(this.#held);
    copy.height = this.height;
    return copy;
  }

  hasVote(message: VoteMessage): boolean {
    return this.#held.votes.has(nameOf(message));
  }

  voteNames(): ReadonlySet<string> {
    return new Set(this.#held.votes.keys());
  }

  votesOf(epoch: number): readonly VoteMessage[] {
    return [...this.#held.votes.values()].filter((message) => message.epoch === epoch);
  }

  /** Whether a notarize, nullify or finalize vote of this view is journaled. */
  hasVoted(epoch: number, view: number): boolean {
    return this.#held.votedPlaces.has(`${epoch}/${view}`);
  }

  /** Whether a nullify or finalize vote of this view is journaled. */
  hasEnded(epoch: number, view: number): boolean {
    return this.#held.endedPlaces.has(`${epoch}/${view}`);
  }

  hasCertificate(message: VoteMessage): boolean {
    return this.#held.certificates.has(nameOf(message));
  }

  isNullified(epoch: number, view: number): boolean {
    return this.#held.certificates.has(`nullify ${epoch}/${view}`);
  }

  hasCertificateAt(kind: VoteName, epoch: number, view: number): boolean {
    return this.#held.kinds.has(`${kind} ${epoch}/${view}`);
  }

  /** The block with a certificate at this view; undefined if there is none, or several. */
  hashAt(epoch: number, view: number): string | undefined {
    const hashes = this.notarizedAt(epoch, view);
    return hashes.size === 1 ? [...hashes][0] : undefined;
  }

  notarizedView(epoch: number): number {
    return this.#held.notarizedViews.get(epoch) ?? 0;
  }

  notarizedAt(epoch: number, view: number): ReadonlySet<string> {
    return this.#held.notarized.get(`${epoch}/${view}`) ?? NONE;
  }

  hasBlock(hash: string): boolean {
    return this.#held.blocks.has(hash);
  }

  highestViews(): ReadonlyMap<number, number> {
    return new Map(this.#held.highest);
  }

  highestView(epoch: number): number {
    return this.#held.highest.get(epoch) ?? 0;
  }

  finalizedView(epoch: number): number {
    return this.#held.finalized.get(epoch) ?? 0;
  }

  /** @returns the key of a journal entry that was lost, if any */
  note(batch: readonly DiskWrite[]): string | undefined {
    let lost: string | undefined;
    for (const write of batch) {
      if (write.column === 'consensus' && write.key.startsWith('j') && this.#losesEntry(write))
        lost = write.key;
      if (write.value !== undefined) this.#note(write, write.value);
    }
    return lost;
  }

  /** Whether a write replaces or removes a journal entry before a finalization at or above it is committed. */
  #losesEntry({ key, value }: DiskWrite): boolean {
    const known = this.#held.entries.get(key);
    if (value === undefined) this.#held.entries.delete(key);
    else this.#held.entries.set(key, value);
    if (known === undefined) return false;
    if (value !== undefined) return Buffer.compare(known, value) !== 0;
    const place = Buffer.from(key, 'latin1');
    const [epoch, view] = [Number(readBe64(place, 1)), Number(readBe64(place, 9))];
    return ![...this.#held.committed].some(([of, at]) => of > epoch || (of === epoch && at >= view));
  }

  #note({ column, key }: DiskWrite, value: Uint8Array): void {
    if (column === 'certificates') {
      const { epoch, view, parent_view, block_hash } = rpcTypes.FinalityCertificate.decode(value);
      const at = { epoch: Number(epoch), view: Number(view), parentView: Number(parent_view) };
      this.noteCertificate({ kind: 'finalize', ...at, hash: toHex(block_hash), signature: value });
      this.#held.committed.set(at.epoch, Math.max(at.view, this.#held.committed.get(at.epoch) ?? 0));
    } else if (column === 'block_hashes') {
      this.#held.blocks.add(toHex(Buffer.from(key, 'latin1')));
      this.height++;
    } else if (column === 'consensus') {
      this.#noteJournal(key, value);
    }
  }

  #noteJournal(key: string, value: Uint8Array): void {
    if (key.startsWith('b')) this.#held.blocks.add(toHex(Buffer.from(key.slice(1), 'latin1')));
    if (key === 'last') {
      const certificate = certificateFromWire(meshCodecs.VoteCertificate.decode(value));
      if (certificate !== undefined) this.noteCertificate(certificate);
    }
    if (!key.startsWith('j')) return;
    const record = meshCodecs.JournalRecord.decode(value);
    if (record.type === 'vote') {
      const { kind, epoch, view, parent_view: parentView, block_hash: hash } = record.value;
      const message: VoteMessage = {
        kind: kind.type,
        epoch: Number(epoch),
        view: Number(view),
        parentView: Number(parentView),
        hash: toHex(hash),
      };
      this.#held.votes.set(nameOf(message), message);
      const place = `${message.epoch}/${message.view}`;
      this.#held.votedPlaces.add(place);
      if (message.kind !== 'notarize') this.#held.endedPlaces.add(place);
    } else if (record.type === 'certificate') {
      const certificate = certificateFromWire(record.value);
      if (certificate !== undefined) this.noteCertificate(certificate);
    }
  }

  noteCertificate(certificate: Certificate): void {
    const { kind, epoch, view, hash } = certificate;
    this.#held.certificates.add(nameOf(certificate));
    this.#held.kinds.add(`${kind} ${epoch}/${view}`);
    this.#held.highest.set(epoch, Math.max(view, this.highestView(epoch)));
    if (kind === 'nullify') return;
    if (kind === 'notarize') this.#held.notarizedViews.set(epoch, Math.max(view, this.notarizedView(epoch)));
    if (kind === 'finalize') this.#held.finalized.set(epoch, Math.max(view, this.finalizedView(epoch)));
    const place = `${epoch}/${view}`;
    const hashes = this.#held.notarized.get(place) ?? new Set();
    this.#held.notarized.set(place, hashes.add(hash));
  }
}

const NONE: ReadonlySet<string> = new Set();

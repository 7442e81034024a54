import { toHex } from '../../idl/hex.js';
import { storedCertificate } from '../../ledger/certificate-store.js';
import type { BlockFacts, Certificate, EpochSetup, JournalEntry } from '../core/types.js';
import { factsOf, finalizationOf } from './conversions.js';
import type { Inbox } from './inbox.js';
import type { ListeningPhase } from './listening-phase.js';
import type { PeerRecords } from './peer-records.js';
import type { EpochMembership } from './ports.js';
import type { SealedEnvelopes } from './sealed-envelopes.js';
import { type ShellContext, tipAgeMs } from './shell-context.js';
import { isLater } from './vote-journal.js';
import type { WorkMonitor } from './work-monitor.js';

export interface EpochEntryParts {
  /** The context's membership, which this class alone changes. */
  readonly membership: { -readonly [Name in keyof EpochMembership]: EpochMembership[Name] };
  readonly listening: ListeningPhase;
  readonly inbox: Inbox;
  readonly peers: PeerRecords;
  readonly envelopes: SealedEnvelopes;
  readonly work: WorkMonitor;
}

/** Starts the core in an epoch: in a process's first one, or in the next one after the previous has ended. */
export class EpochEntry {
  readonly #context: ShellContext;
  readonly #parts: EpochEntryParts;

  constructor(context: ShellContext, parts: EpochEntryParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Resumes in the epoch of the block after the last committed one; resolves when this node may vote. */
  async first(): Promise<void> {
    const { config, network, isSole, events, clock, journal } = this.#context;
    const { listening, inbox, envelopes, work } = this.#parts;
    const epoch = Math.floor(this.#committed().height / config.epochLength);
    const setup = await this.#setup(epoch);
    const entries = journal?.restored(epoch) ?? [];
    for (const entry of entries) this.#restore(entry);
    // A sole validator also counts the block time across restarts.
    if (isSole) clock.pauseSince(tipAgeMs(this.#context));
    else listening.begin();
    const listens = listening.isListening;
    events.push({ type: 'start', setup: { ...setup, listens, connected: [] }, journal: entries });
    for (const peer of network.connected()) events.push({ type: 'connected', peer });
    inbox.deliverHeld();
    work.resume();
    envelopes.refresh();
    // The core has ignored work that was reported before it started.
    work.reannounce();
    if (isSole) return;
    await listening.end();
    events.push({ type: 'listened' });
  }

  async next(epoch: number): Promise<void> {
    const { listening, inbox, envelopes, work } = this.#parts;
    const setup = await this.#setup(epoch);
    listening.restart();
    const listens = listening.isListening;
    this.#context.events.push({ type: 'start', setup: { ...setup, listens }, journal: [] });
    // Signs due keys at once with this epoch's shares.
    envelopes.refresh();
    inbox.deliverHeld();
    work.refresh();
  }

  async #setup(epoch: number): Promise<EpochSetup> {
    const { epochs, network } = this.#context;
    const { membership, inbox, peers } = this.#parts;
    const committed = this.#committed();
    const entered = await epochs.enter(epoch);
    Object.assign(membership, entered);
    const indexOf = network.enterEpoch(epoch);
    inbox.reindex(indexOf);
    peers.reindex(indexOf);
    const finalization = this.#finalization(committed);
    return { epoch, ...entered, committed, finalization, connected: network.connected() };
  }

  #committed(): BlockFacts {
    const { header, hash } = this.#context.chain.tip;
    const facts = factsOf(header, toHex(hash));
    if (facts === undefined)
      throw new RangeError('the last committed block has a number beyond the safe integers');
    return facts;
  }

  /** Finalization of the last committed block, or of a later block whose commit a crash prevented. */
  #finalization(committed: BlockFacts): Certificate | undefined {
    const { store, journal } = this.#context;
    if (journal === undefined) return committed.height === 0 ? undefined : this.#sole(committed);
    const stored = storedCertificate(store, BigInt(committed.height));
    const kept = journal.finalization;
    const own = stored && finalizationOf(stored);
    if (kept === undefined || own === undefined) return own ?? kept;
    return isLater(kept, own) ? kept : own;
  }

  /** A sole validator's certificates are made on demand, so this is a placeholder. */
  #sole({ height, epoch, view, hash }: BlockFacts): Certificate {
    const parent = this.#context.blocks.header(BigInt(height - 1))?.header;
    const parentView = Number(parent?.view ?? 0n);
    return { kind: 'finalize', epoch, view, parentView, hash, signature: new Uint8Array(96) };
  }

  #restore(entry: JournalEntry): void {
    const { chain, journal, known } = this.#context;
    if (entry.type !== 'block' || entry.block.height <= chain.tip.header.height) return;
    const block = journal?.block(entry.block.hash);
    if (block !== undefined) known.restore(block, entry.block);
  }
}

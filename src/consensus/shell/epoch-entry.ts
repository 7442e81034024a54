import type { JournalEntry } from '../core/types.js';
import type { EpochStarts } from './epoch-starts.js';
import type { Inbox } from './inbox.js';
import type { ListeningPhase } from './listening-phase.js';
import type { SealedEnvelopes } from './sealed-envelopes.js';
import type { ShellContext } from './shell-context.js';
import type { SolePause } from './sole-pause.js';
import { tipAgeMs } from './tip-age.js';
import type { WorkMonitor } from './work-monitor.js';

type EntryContext = Pick<
  ShellContext,
  'runtime' | 'chain' | 'network' | 'journal' | 'isSole' | 'events' | 'clock' | 'known'
>;

export interface EpochEntryParts {
  readonly starts: Pick<EpochStarts, 'first' | 'next'>;
  readonly listening: ListeningPhase;
  readonly inbox: Pick<Inbox, 'deliverHeld'>;
  readonly envelopes: Pick<SealedEnvelopes, 'refresh'>;
  readonly work: Pick<WorkMonitor, 'refresh' | 'reannounce'>;
  readonly pause: Pick<SolePause, 'end'>;
}

/** Starts the core in an epoch: in a process's first one, or in the next one after the previous has ended. */
export class EpochEntry {
  readonly #context: EntryContext;
  readonly #parts: EpochEntryParts;

  constructor(context: EntryContext, parts: EpochEntryParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Resumes where the last process stopped. Resolves when this node may vote. */
  async first(): Promise<void> {
    const { network, isSole, events, clock } = this.#context;
    const { starts, listening, inbox, envelopes, work, pause } = this.#parts;
    const { setup, journal } = await starts.first();
    for (const entry of journal) this.#restore(entry);
    // A sole validator also counts the block time across restarts.
    if (isSole) clock.pauseSince(tipAgeMs(this.#context));
    else listening.begin();
    const listens = listening.isListening;
    events.push({ type: 'start', setup: { ...setup, listens, connected: [] }, journal });
    for (const peer of network.connected()) events.push({ type: 'connected', peer });
    inbox.deliverHeld();
    pause.end();
    envelopes.refresh();
    // The core has ignored work that was reported before it started.
    work.reannounce();
    if (isSole) return;
    await listening.end();
    events.push({ type: 'listened' });
  }

  async next(epoch: number): Promise<void> {
    const { starts, listening, inbox, envelopes, work } = this.#parts;
    const setup = await starts.next(epoch);
    listening.restart();
    const listens = listening.isListening;
    this.#context.events.push({ type: 'start', setup: { ...setup, listens }, journal: [] });
    // Signs due keys at once with this epoch's shares.
    envelopes.refresh();
    inbox.deliverHeld();
    work.refresh();
  }

  #restore(entry: JournalEntry): void {
    const { chain, journal, known } = this.#context;
    if (entry.type !== 'block' || entry.block.height <= chain.tip.header.height) return;
    const block = journal?.block(entry.block.hash);
    if (block !== undefined) known.restore(block, entry.block);
  }
}

import type { Crypto } from '../../crypto/crypto.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { ledger } from '../../ledger/codecs.js';
import type { TransactionPlace } from '../../ledger/keys.js';
import { transactionFromSigned, type VerifiedTransaction } from '../../ledger/verified-transaction.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractMachine } from '../contract-machine.js';
import { executeTransaction, inclusionProblem } from '../execute-transaction.js';
import { Overlay } from '../simulation/overlay.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import { BlockJournal, SegmentWriter } from './block-journal.js';
import type { ReplayBlockInput, ReplayedSegment } from './replay-messages.js';

/** A block that was executed on the state of its parent. */
export interface ReplayedBlock {
  readonly env: BlockEnvironment;
  readonly parent: StateSource;
}

/** A worker gives its thread up after this long, so that blocks and signatures get their turn. */
const SLICE_MS = 20;
/** Journals that are kept, the one used longest ago given up first. */
const KEPT = 8;
const KEPT_BYTES = 64 * 1024 * 1024;

/** The journals of blocks in this worker, and how they get longer: by executing transactions again. */
export class BlockReplays {
  readonly #crypto: Crypto;
  readonly #machine: ContractMachine;
  readonly #blocks: BlockReader;
  /** By height; the one used last comes last. Not an `lru-cache`: journals grow while they are kept. */
  readonly #journals = new Map<bigint, BlockJournal>();

  constructor(options: {
    readonly crypto: Crypto;
    readonly machine: ContractMachine;
    readonly blocks: BlockReader;
  }) {
    this.#crypto = options.crypto;
    this.#machine = options.machine;
    this.#blocks = options.blocks;
  }

  /**
   * The state before a transaction of a block.
   * @param segments of the block's journal, where they came along: what they lack is executed here
   * @returns undefined where it is not known, and no segments came along
   */
  before(
    { height, index }: TransactionPlace,
    block: ReplayedBlock,
    segments: readonly SharedArrayBuffer[] | undefined,
  ): StateSource | undefined {
    const journal = this.#journal(height, segments ?? []);
    if (journal.covered < index) {
      if (segments === undefined) return undefined;
      journal.add(this.#replay(journal, height, index, block, Number.POSITIVE_INFINITY).finish());
    }
    return journal.before(index, block.parent);
  }

  /** Notes what a transaction wrote that was executed on the state {@link before} gave: its block's next needs it. */
  executed({ height, index }: TransactionPlace, state: WorldState): void {
    const journal = this.#journals.get(height);
    if (journal?.covered === index) journal.append(state);
  }

  /**
   * The next segment of a block's journal: up to a transaction, not included, or until the worker's time is up, but at
   * least one transaction.
   * @param covered how many transactions the segments have
   * @param upTo more than that; the block's end is the end in any case
   */
  extend(
    { height, covered, upTo, segments }: Omit<ReplayBlockInput, 'head'>,
    block: ReplayedBlock,
  ): ReplayedSegment {
    let journal = this.#journal(BigInt(height), segments);
    if (journal.covered !== covered) {
      // This worker went further by itself.
      journal = new BlockJournal();
      for (const segment of segments) journal.add(segment);
    }
    const writer = this.#replay(journal, BigInt(height), upTo, block, performance.now() + SLICE_MS);
    const segment = writer.finish();
    journal.add(segment);
    this.#keep(BigInt(height), journal);
    return { segment, covered: journal.covered };
  }

  #journal(height: bigint, segments: readonly SharedArrayBuffer[]): BlockJournal {
    const journal = this.#journals.get(height) ?? new BlockJournal();
    for (const segment of segments) journal.add(segment);
    this.#keep(height, journal);
    return journal;
  }

  #keep(height: bigint, journal: BlockJournal): void {
    this.#journals.delete(height);
    this.#journals.set(height, journal);
    let bytes = 0;
    for (const kept of this.#journals.values()) bytes += kept.bytes;
    for (const [oldest, { bytes: freed }] of this.#journals) {
      if (this.#journals.size <= 1 || (this.#journals.size <= KEPT && bytes <= KEPT_BYTES)) break;
      this.#journals.delete(oldest);
      bytes -= freed;
    }
  }

  #replay(
    journal: BlockJournal,
    height: bigint,
    upTo: number,
    { env, parent }: ReplayedBlock,
    until: number,
  ): SegmentWriter {
    const items = this.#blocks.encodedItems(height);
    const first = journal.covered;
    const writer = new SegmentWriter(first);
    const overlay = new Overlay(journal.before(first, parent));
    for (let index = first; index < Math.min(upTo, items.length); index++) {
      const item = items[index];
      if (item === undefined) throw new Error(`transaction ${index} of block ${height} is not stored`);
      const transaction = transactionFromSigned(ledger.BlockItem.decode(item).value, this.#crypto);
      const state = new WorldState(overlay);
      executeAgain(transaction, state, env, this.#machine, `transaction ${index} of block ${height}`);
      writer.add(state);
      overlay.absorb(state);
      if (performance.now() > until) break;
    }
    return writer;
  }
}

function executeAgain(
  { signed, sender }: VerifiedTransaction,
  state: WorldState,
  env: BlockEnvironment,
  machine: ContractMachine,
  what: string,
): void {
  const problem = inclusionProblem(signed.transaction, sender, state, env);
  if (problem !== undefined) throw new Error(`${what} cannot be executed again: ${problem}`);
  executeTransaction(signed.transaction, sender, { state, env, machine });
}

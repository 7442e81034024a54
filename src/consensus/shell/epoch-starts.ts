import { toHex } from '../../idl/hex.js';
import { storedCertificate } from '../../ledger/certificate-store.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlockFacts, Certificate, CoreConfig, EpochSetup, JournalEntry } from '../core/types.js';
import { factsOf, finalizationOf } from './conversions.js';
import type { ConsensusChain, EpochMembership, Epochs, FinalBlockReader, Network } from './ports.js';
import { isLater, type VoteJournal } from './vote-journal.js';

/** Maps a peer's former index to the current one; undefined for peers that left the set. */
export type IndexOf = (former: number) => number | undefined;

export interface EpochStartsOptions {
  readonly config: Pick<CoreConfig, 'epochLength'>;
  readonly chain: Pick<ConsensusChain, 'tip'>;
  readonly store: Pick<StoreReader, 'get'>;
  readonly blocks: Pick<FinalBlockReader, 'header'>;
  readonly epochs: Epochs;
  readonly network: Pick<Network, 'connected' | 'enterEpoch'>;
  readonly journal?: VoteJournal;
}

/** Enters epochs: knows this node's membership in the current one, and builds the core's setup. */
export class EpochStarts implements EpochMembership {
  readonly #options: EpochStartsOptions;
  #membership: EpochMembership = { validators: 1, self: -1, mayVote: false };
  readonly #renumbered: ((indexOf: IndexOf) => void)[] = [];

  constructor(options: EpochStartsOptions) {
    this.#options = options;
  }

  get validators(): number {
    return this.#membership.validators;
  }

  get self(): number {
    return this.#membership.self;
  }

  get mayVote(): boolean {
    return this.#membership.mayVote;
  }

  /** Calls a listener whenever the peers get the indices of another epoch. */
  onRenumbered(listener: (indexOf: IndexOf) => void): void {
    this.#renumbered.push(listener);
  }

  /** Setup of a process's first epoch: that of the block after the last committed one. */
  async first(): Promise<{ readonly setup: EpochSetup; readonly journal: readonly JournalEntry[] }> {
    const { config, journal } = this.#options;
    const committed = this.#committed();
    const epoch = Math.floor(committed.height / config.epochLength);
    const setup = await this.#setup(epoch, committed);
    return { setup, journal: journal?.restored(epoch) ?? [] };
  }

  /** Setup of the next epoch, after the previous one has ended. */
  async next(epoch: number): Promise<EpochSetup> {
    return this.#setup(epoch, this.#committed());
  }

  async #setup(epoch: number, committed: BlockFacts): Promise<EpochSetup> {
    const { epochs, network } = this.#options;
    this.#membership = await epochs.enter(epoch);
    const indexOf = network.enterEpoch(epoch);
    for (const listener of this.#renumbered) listener(indexOf);
    const finalization = this.#finalization(committed);
    return { epoch, ...this.#membership, committed, finalization, connected: network.connected() };
  }

  #committed(): BlockFacts {
    const { header, hash } = this.#options.chain.tip;
    const facts = factsOf(header, toHex(hash));
    if (facts === undefined)
      throw new RangeError('the last committed block has a number beyond the safe integers');
    return facts;
  }

  /** Finalization of the last committed block, or of a later block whose commit a crash prevented. */
  #finalization(committed: BlockFacts): Certificate | undefined {
    const { store, journal } = this.#options;
    if (journal === undefined) return committed.height === 0 ? undefined : this.#sole(committed);
    const stored = storedCertificate(store, BigInt(committed.height));
    const kept = journal.finalization;
    const own = stored && finalizationOf(stored);
    if (kept === undefined || own === undefined) return own ?? kept;
    return isLater(kept, own) ? kept : own;
  }

  /** A sole validator's certificates are made on demand, so this is a placeholder. */
  #sole({ height, epoch, view, hash }: BlockFacts): Certificate {
    const parent = this.#options.blocks.header(BigInt(height - 1))?.header;
    const parentView = Number(parent?.view ?? 0n);
    return { kind: 'finalize', epoch, view, parentView, hash, signature: new Uint8Array(96) };
  }
}

import { storedCertificate } from '../../ledger/certificate-store.js';
import type { BlockHash } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import type { VoteJournal } from '../shell/vote-journal.js';
import { onAnswer } from './checks.js';
import { shortHash } from './model.js';
import type { ProcessWatch } from './process-watch.js';
import type { SimChain } from './sim-chain.js';
import type { SimStore } from './sim-store.js';

/** Time within which a peer that sent an invalid signature is dropped, in virtual milliseconds. */
const DROPPED_MS = 1_000;

/** Time after which a starting process has asked the peers that were connected for most of it. */
const ASKED_MS = 1_300;
const CONNECTED_MS = 1_200;

/** Time within which a block that was built is journaled or released. */
const RELEASED_MS = 600;

/** The duties of an honest process at its start, toward its peers, and for the blocks that it builds. */
export class ProcessExpectations {
  readonly #watch: ProcessWatch;
  readonly #chain: SimChain;
  readonly #store: SimStore;
  readonly #droppedMs = new Map<number, number>();
  /** Number of answers by kind and peer. */
  readonly #answers = new Map<string, number>();
  readonly #asked = new Set<number>();

  constructor(watch: ProcessWatch, chain: SimChain, store: SimStore) {
    this.#watch = watch;
    this.#chain = chain;
    this.#store = store;
  }

  onDrop(peer: number): void {
    this.#droppedMs.set(peer, this.#watch.world.nowMs);
  }

  /** Notes a question to a peer, and checks the number of answers to one. */
  onSend(to: number | undefined, { type }: PeerMessage): void {
    if (to === undefined) return;
    if (type === 'get_certificates') this.#asked.add(to);
    if (type !== 'finalized' && type !== 'block') return;
    const key = `${type} ${to}`;
    const answers = (this.#answers.get(key) ?? 0) + 1;
    this.#answers.set(key, answers);
    const { validator, startedMs } = this.#watch;
    onAnswer(validator, type, answers, startedMs);
  }

  /** Checks that all final blocks are still there, and final, after a restart. */
  checkTip(): void {
    const { validator } = this.#watch;
    const { records } = validator;
    const { header, hash } = this.#chain.tip;
    const height = Number(header.height);
    if (height < records.height)
      validator.fail(`starts at height ${height}, and ${records.height} was on its disk`);
    const final = this.#watch.world.finalAt(height);
    const isUnknown = this.#watch.world.scenario.validators === 1 && final === undefined;
    if (height > 0 && !isUnknown && final !== Buffer.from(hash).toString('hex'))
      validator.fail('starts on a block that is not final');
  }

  /** A process that starts asks its peers for their positions, unless enough have reported them (rule 9). */
  expectQuestions(epoch: number): void {
    const watch = this.#watch;
    const { world } = watch;
    world.after(ASKED_MS, () => {
      if (!watch.isRunning || watch.epoch !== epoch) return;
      if (watch.listening.hasEnoughReports) return;
      for (const [peer, sinceMs] of watch.connectedMs) {
        if (sinceMs > world.nowMs - CONNECTED_MS || this.#asked.has(peer)) continue;
        if (watch.listening.hasReport(peer, epoch)) continue;
        const { index } = watch.validator;
        world.fail('liveness', `validator ${index} starts and does not ask ${peer} for its position`);
      }
    });
  }

  /** A block that was built too late to be proposed is released. */
  expectUse(hash: BlockHash): void {
    const { records } = this.#watch.validator;
    this.#watch.expect(
      RELEASED_MS,
      `keeps block ${shortHash(hash)}, which it has not proposed`,
      () => !this.#chain.isPending(hash) || records.hasBlock(hash),
    );
  }

  /** Checks that the finalization of the last block is still there: its own one, or that of a later block. */
  checkFinalization(journal: VoteJournal): void {
    const { header } = this.#chain.tip;
    if (header.height === 0n || storedCertificate(this.#store, header.height) !== undefined) return;
    const kept = journal.finalization;
    if (kept !== undefined && kept.epoch === Number(header.epoch) && kept.view >= Number(header.view)) return;
    this.#watch.validator.fail('starts without a finalization of its last block');
  }

  /** Expects that a peer is dropped that sent an invalid signature; any one if its index is not known. */
  expectDrop(signers: readonly number[] | undefined): void {
    const watch = this.#watch;
    const sinceMs = this.#watch.world.nowMs;
    const { epoch } = watch;
    watch.expect(DROPPED_MS, 'does not drop a peer that sent an invalid signature', () => {
      // Indices may refer to the set of the next epoch.
      if (!watch.isReady || watch.epoch !== epoch) return true;
      const isDropped = (peer: number) => (this.#droppedMs.get(peer) ?? -1) >= sinceMs;
      return signers === undefined ? [...this.#droppedMs.keys()].some(isDropped) : signers.every(isDropped);
    });
  }
}

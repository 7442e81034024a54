import type { BlockCommits } from './block-commits.js';
import type { BlockProposals } from './block-proposals.js';
import type { BlockVerifications } from './block-verifications.js';
import { hashBytes } from './conversions.js';
import type { OrderedEffect } from './core-queue.js';
import type { EpochEntry } from './epoch-entry.js';
import type { Inbox } from './inbox.js';
import type { PeerRequestHandler } from './peer-request-handler.js';
import type { ShellContext } from './shell-context.js';
import type { SyncStatus } from './sync-status.js';
import type { Votes } from './votes.js';

type PerformerContext = Pick<
  ShellContext,
  'config' | 'chain' | 'network' | 'journal' | 'lifecycle' | 'tasks'
>;

export interface EffectPerformerParts {
  readonly votes: Pick<Votes, 'send' | 'assemble' | 'keepEvidence'>;
  readonly proposals: Pick<BlockProposals, 'propose' | 'cancel'>;
  readonly verifications: Pick<BlockVerifications, 'verify' | 'forget'>;
  readonly commits: Pick<BlockCommits, 'commit' | 'requested'>;
  readonly inbox: Pick<Inbox, 'noteRequested'>;
  readonly serving: Pick<PeerRequestHandler, 'finalization'>;
  readonly sync: Pick<SyncStatus, 'caughtUp' | 'onFellBehind' | 'onDiverged'>;
  readonly epochs: Pick<EpochEntry, 'next'>;
}

/** Performs the core's effects: sends what can be sent at once, and starts everything else. */
export class EffectPerformer {
  readonly #context: PerformerContext;
  readonly #parts: EffectPerformerParts;

  constructor(context: PerformerContext, parts: EffectPerformerParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * Performs an effect; a failure to send or start does not block others.
   * @returns for the end of an epoch, a promise that later effects wait for
   */
  perform(effect: OrderedEffect): Promise<void> | undefined {
    try {
      return this.#perform(effect);
    } catch (error) {
      this.#context.tasks.handleError(error, effect.type);
      return undefined;
    }
  }

  #perform(effect: OrderedEffect): Promise<void> | undefined {
    const { config, chain, network, journal, tasks } = this.#context;
    const { votes, proposals, verifications, commits, inbox, serving, sync } = this.#parts;
    switch (effect.type) {
      case 'send_vote':
        votes.send(effect);
        return undefined;
      case 'return_vote':
        network.send(effect.to, { type: 'vote', vote: effect.vote });
        return undefined;
      case 'send_certificate': {
        const { to, certificate } = effect;
        if (to === undefined) network.broadcast({ type: 'certificate', certificate });
        else network.send(to, { type: 'certificate', certificate });
        return undefined;
      }
      case 'send_epoch_end': {
        const certificate = serving.finalization((effect.epoch + 1) * config.epochLength);
        if (certificate !== undefined) network.send(effect.to, { type: 'certificate', certificate });
        return undefined;
      }
      case 'request_block':
        inbox.noteRequested(effect.hash);
        network.send(effect.to, { type: 'get_block', hash: effect.hash });
        return undefined;
      case 'request_certificates': {
        const { to, epoch, fromView, toView } = effect;
        network.send(to, { type: 'get_certificates', epoch, fromView, toView });
        return undefined;
      }
      case 'assemble':
        votes.assemble(effect);
        return undefined;
      case 'drop_peers':
        for (const peer of effect.peers) network.drop(peer, 'an invalid partial signature');
        return undefined;
      case 'evidence':
        votes.keepEvidence(effect);
        return undefined;
      case 'propose':
        proposals.propose(effect);
        return undefined;
      case 'abandon':
        proposals.cancel();
        return undefined;
      case 'verify':
        verifications.verify(effect);
        return undefined;
      case 'release_blocks':
        chain.release(effect.hashes.map(hashBytes));
        return undefined;
      case 'drop_blocks':
        verifications.forget(effect.hashes);
        return undefined;
      case 'commit':
        commits.commit(effect, sync.caughtUp);
        return undefined;
      case 'prune_journal':
        if (journal !== undefined)
          tasks.run('pruning the journal', () => journal.prune(effect.epoch, effect.view), true);
        return undefined;
      case 'epoch_ended':
        return this.#enterEpoch(effect.epoch + 1);
      case 'fell_behind':
        sync.onFellBehind(effect);
        return undefined;
      case 'diverged': {
        const { height, hash } = effect.block;
        sync.onDiverged(`block ${height}, ${hash}, is notarized and invalid here`);
        return undefined;
      }
    }
  }

  /** Enters an epoch once the last block of the previous one is written. */
  async #enterEpoch(epoch: number): Promise<void> {
    const { commits, epochs } = this.#parts;
    await commits.requested;
    if (this.#context.lifecycle.isRunning) await epochs.next(epoch);
  }
}

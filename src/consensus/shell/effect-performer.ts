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

export interface EffectPerformerParts {
  readonly votes: Votes;
  readonly proposals: BlockProposals;
  readonly verifications: BlockVerifications;
  readonly commits: Pick<BlockCommits, 'commit'>;
  readonly inbox: Inbox;
  readonly serving: PeerRequestHandler;
  readonly sync: SyncStatus;
  readonly epochs: EpochEntry;
}

/** Performs the core's effects: sends what can be sent at once, and starts a task of the responsible part for all else. */
export class EffectPerformer {
  readonly #context: ShellContext;
  readonly #parts: EffectPerformerParts;
  /** The last requested commit and all before it; resolves even if they fail. */
  #committed: Promise<void> = Promise.resolve();

  constructor(context: ShellContext, parts: EffectPerformerParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * Performs an effect; a failure to send or start does not block others.
   * @returns for the end of an epoch, a promise that later effects wait for
   */
  perform(effect: OrderedEffect): Promise<void> | undefined {
    try {
      if (effect.type === 'epoch_ended') return this.#enterEpoch(effect.epoch + 1);
      this.#perform(effect);
    } catch (error) {
      this.#context.lifecycle.handleError(error, effect.type);
    }
    return undefined;
  }

  #perform(effect: Exclude<OrderedEffect, { readonly type: 'epoch_ended' }>): void {
    const { config, chain, network, journal, lifecycle } = this.#context;
    const { votes, proposals, verifications, commits, inbox, serving, sync } = this.#parts;
    switch (effect.type) {
      case 'send_vote':
        lifecycle.run('voting', () => votes.send(effect));
        break;
      case 'return_vote':
        network.send(effect.to, { type: 'vote', vote: effect.vote });
        break;
      case 'send_certificate': {
        const { to, certificate } = effect;
        if (to === undefined) network.broadcast({ type: 'certificate', certificate });
        else network.send(to, { type: 'certificate', certificate });
        break;
      }
      case 'send_epoch_end': {
        const certificate = serving.finalization((effect.epoch + 1) * config.epochLength);
        if (certificate !== undefined) network.send(effect.to, { type: 'certificate', certificate });
        break;
      }
      case 'request_block':
        inbox.noteRequested(effect.hash);
        network.send(effect.to, { type: 'get_block', hash: effect.hash });
        break;
      case 'request_certificates': {
        const { to, epoch, fromView, toView } = effect;
        network.send(to, { type: 'get_certificates', epoch, fromView, toView });
        break;
      }
      case 'assemble':
        lifecycle.run('assembling a certificate', () => votes.assemble(effect));
        break;
      case 'drop_peers':
        for (const peer of effect.peers) network.drop(peer, 'an invalid partial signature');
        break;
      case 'evidence':
        lifecycle.run('storing evidence', () => votes.keepEvidence(effect));
        break;
      case 'propose':
        lifecycle.run('proposing', () => proposals.propose(effect), true);
        break;
      case 'abandon':
        proposals.cancel();
        break;
      case 'verify':
        lifecycle.run('verifying', () => verifications.verify(effect), true);
        break;
      case 'release_blocks':
        chain.release(effect.hashes.map(hashBytes));
        break;
      case 'drop_blocks':
        verifications.forget(effect.hashes);
        break;
      case 'commit':
        this.#committed = lifecycle.run('committing', () => commits.commit(effect, sync.caughtUp), true);
        break;
      case 'prune_journal':
        if (journal !== undefined)
          lifecycle.run('pruning the journal', () => journal.prune(effect.epoch, effect.view), true);
        break;
      case 'fell_behind':
        sync.onFellBehind(effect);
        break;
      case 'diverged': {
        const { height, hash } = effect.block;
        sync.onDiverged(`block ${height}, ${hash}, is notarized and invalid here`);
        break;
      }
    }
  }

  /** Enters an epoch once the last block of the previous one is written. */
  async #enterEpoch(epoch: number): Promise<void> {
    await this.#committed;
    if (this.#context.lifecycle.isRunning) await this.#parts.epochs.next(epoch);
  }
}

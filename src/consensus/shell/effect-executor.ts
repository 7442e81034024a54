import type { BlockWork } from './block-work.js';
import { hashBytes } from './conversions.js';
import type { OrderedEffect } from './effect-queue.js';
import type { Inbox } from './inbox.js';
import type { PeerRequestHandler } from './peer-request-handler.js';
import type { ShellOptions } from './shell-options.js';
import type { SyncStatus } from './sync-status.js';
import type { Tasks } from './tasks.js';
import type { Votes } from './votes.js';

export interface EffectExecutorOptions
  extends Pick<ShellOptions, 'network' | 'journal' | 'chain' | 'config'> {
  readonly tasks: Pick<Tasks, 'run' | 'handleError'>;
  readonly votes: Votes;
  readonly blocks: BlockWork;
  readonly serving: Pick<PeerRequestHandler, 'finalization'>;
  readonly inbox: Pick<Inbox, 'noteRequested'>;
  readonly syncStatus: SyncStatus;
  /** Enters an epoch after the previous one has ended and its last block is written. */
  readonly enterEpoch: (epoch: number) => Promise<void>;
  readonly isRunning: () => boolean;
}

/** Dispatches the core's effects to the components that execute them. */
export class EffectExecutor {
  readonly #options: EffectExecutorOptions;
  /** The last commit that the core requested; commits run in order. */
  #committing: Promise<void> = Promise.resolve();

  constructor(options: EffectExecutorOptions) {
    this.#options = options;
  }

  /**
   * Executes an effect; a failure to send or start does not block others.
   * @returns a promise that later effects wait for
   */
  execute(effect: OrderedEffect): Promise<void> | undefined {
    try {
      return this.#perform(effect);
    } catch (error) {
      this.#options.tasks.handleError(error, effect.type);
      return undefined;
    }
  }

  #perform(effect: OrderedEffect): Promise<void> | undefined {
    const { network, journal, tasks, votes, blocks } = this.#options;
    switch (effect.type) {
      case 'send_vote':
        tasks.run('voting', () => votes.send(effect));
        return undefined;
      case 'return_vote':
        network.send(effect.to, { type: 'vote', vote: effect.vote });
        return undefined;
      case 'send_certificate': {
        const message = { type: 'certificate', certificate: effect.certificate } as const;
        if (effect.to === undefined) network.broadcast(message);
        else network.send(effect.to, message);
        return undefined;
      }
      case 'send_epoch_end': {
        const height = (effect.epoch + 1) * this.#options.config.epochLength;
        const certificate = this.#options.serving.finalization(height);
        if (certificate !== undefined) network.send(effect.to, { type: 'certificate', certificate });
        return undefined;
      }
      case 'request_block':
        this.#options.inbox.noteRequested(effect.hash);
        network.send(effect.to, { type: 'get_block', hash: effect.hash });
        return undefined;
      case 'request_certificates': {
        const { epoch, fromView, toView, to } = effect;
        network.send(to, { type: 'get_certificates', epoch, fromView, toView });
        return undefined;
      }
      case 'assemble':
        tasks.run('assembling a certificate', () => votes.assemble(effect));
        return undefined;
      case 'drop_peers':
        for (const peer of effect.peers) network.drop(peer, 'an invalid partial signature');
        return undefined;
      case 'evidence':
        tasks.run('storing evidence', () => votes.keepEvidence(effect));
        return undefined;
      case 'propose':
        if (this.#options.isRunning()) tasks.run('proposing', () => blocks.propose(effect), true);
        return undefined;
      case 'verify':
        tasks.run('verifying', () => blocks.verify(effect), true);
        return undefined;
      case 'abandon':
        blocks.cancelProposal();
        return undefined;
      case 'release_blocks':
        this.#options.chain.release(effect.hashes.map(hashBytes));
        return undefined;
      case 'drop_blocks':
        blocks.forget(effect.hashes);
        return undefined;
      case 'commit':
        this.#committing = tasks.run('committing', () => blocks.commit(effect), true);
        return undefined;
      case 'prune_journal':
        if (journal !== undefined) {
          tasks.run('pruning the journal', () => journal.prune(effect.epoch, effect.view), true);
        }
        return undefined;
      case 'epoch_ended':
        return this.#nextEpoch(effect.epoch + 1);
      case 'fell_behind':
        this.#options.syncStatus.onFellBehind(effect);
        return undefined;
      case 'diverged': {
        const { height, hash } = effect.block;
        this.#options.syncStatus.onDiverged(`block ${height}, ${hash}, is notarized and invalid here`);
        return undefined;
      }
    }
  }

  async #nextEpoch(epoch: number): Promise<void> {
    await this.#committing;
    if (this.#options.isRunning()) await this.#options.enterEpoch(epoch);
  }
}

import type { EffectOf } from '../core/types.js';
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
  readonly blocks: Pick<BlockWork, 'propose' | 'verify' | 'cancelProposal' | 'forget' | 'commit'>;
  readonly serving: Pick<PeerRequestHandler, 'finalization'>;
  readonly inbox: Pick<Inbox, 'noteRequested'>;
  readonly syncStatus: SyncStatus;
  /** Enters an epoch after the previous one has ended and its last block is written. */
  readonly enterEpoch: (epoch: number) => Promise<void>;
  readonly isRunning: () => boolean;
}

type Handled = Exclude<OrderedEffect['type'], 'epoch_ended'>;
type HandledEffect<T extends Handled> = { [K in T]: { readonly type: K } & EffectOf<K> }[T];
type Handlers = { readonly [T in Handled]: (effect: HandledEffect<T>) => void };

/** Dispatches the core's effects to the components that execute them. */
export class EffectExecutor {
  readonly #options: EffectExecutorOptions;
  readonly #handlers: Handlers;
  /** The last commit that the core requested; commits run in order. */
  #committing: Promise<void> = Promise.resolve();

  constructor(options: EffectExecutorOptions) {
    this.#options = options;
    const { network, journal, chain, config, tasks, votes, blocks, serving, inbox, syncStatus } = options;
    this.#handlers = {
      send_vote: (effect) => tasks.run('voting', () => votes.send(effect)),
      return_vote: ({ to, vote }) => network.send(to, { type: 'vote', vote }),
      send_certificate: ({ to, certificate }) => {
        const message = { type: 'certificate', certificate } as const;
        if (to === undefined) network.broadcast(message);
        else network.send(to, message);
      },
      send_epoch_end: ({ epoch, to }) => {
        const certificate = serving.finalization((epoch + 1) * config.epochLength);
        if (certificate !== undefined) network.send(to, { type: 'certificate', certificate });
      },
      request_block: ({ hash, to }) => {
        inbox.noteRequested(hash);
        network.send(to, { type: 'get_block', hash });
      },
      request_certificates: ({ epoch, fromView, toView, to }) =>
        network.send(to, { type: 'get_certificates', epoch, fromView, toView }),
      assemble: (effect) => tasks.run('assembling a certificate', () => votes.assemble(effect)),
      drop_peers: ({ peers }) => {
        for (const peer of peers) network.drop(peer, 'an invalid partial signature');
      },
      evidence: (effect) => tasks.run('storing evidence', () => votes.keepEvidence(effect)),
      propose: (effect) => {
        if (options.isRunning()) tasks.run('proposing', () => blocks.propose(effect), true);
      },
      verify: (effect) => tasks.run('verifying', () => blocks.verify(effect), true),
      abandon: () => blocks.cancelProposal(),
      release_blocks: ({ hashes }) => chain.release(hashes.map(hashBytes)),
      drop_blocks: ({ hashes }) => blocks.forget(hashes),
      commit: (effect) => {
        this.#committing = tasks.run('committing', () => blocks.commit(effect), true);
      },
      prune_journal: ({ epoch, view }) => {
        if (journal !== undefined) tasks.run('pruning the journal', () => journal.prune(epoch, view), true);
      },
      fell_behind: (effect) => syncStatus.onFellBehind(effect),
      diverged: ({ block: { height, hash } }) =>
        syncStatus.onDiverged(`block ${height}, ${hash}, is notarized and invalid here`),
    };
  }

  /**
   * Executes an effect; a failure to send or start does not block others.
   * @returns a promise that later effects wait for
   */
  execute(effect: OrderedEffect): Promise<void> | undefined {
    if (effect.type === 'epoch_ended') return this.#nextEpoch(effect.epoch + 1);
    try {
      this.#perform(effect);
    } catch (error) {
      this.#options.tasks.handleError(error, effect.type);
    }
    return undefined;
  }

  #perform<T extends Handled>(effect: HandledEffect<T>): void {
    this.#handlers[effect.type](effect);
  }

  async #nextEpoch(epoch: number): Promise<void> {
    await this.#committing;
    if (this.#options.isRunning()) await this.#options.enterEpoch(epoch);
  }
}

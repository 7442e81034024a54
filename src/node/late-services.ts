import { type StartupReport, startupHandlers } from '../rpc/methods/startup.js';
import { health } from '../rpc/methods/status.js';
import { ReplaceableHandlers } from '../rpc/replaceable-handlers.js';
import type { ChainFacts, NodeContext, RunningServices } from './node-context.js';

/** The services of a node that has no chain yet: answers `not_ready`, and serves the chain once it is open. */
export class LateServices implements RunningServices {
  readonly waiting: RunningServices['handlers'];
  readonly #replaceable: ReplaceableHandlers<RunningServices['handlers']>;
  readonly #facts: Pick<ChainFacts, 'chainId' | 'sealNow'>;
  #opened: RunningServices | undefined;

  /** @param facts what is known about the chain before it is open */
  constructor(
    context: NodeContext,
    report: () => StartupReport,
    facts: Pick<ChainFacts, 'chainId' | 'sealNow'>,
  ) {
    const answerHealth = () => health({ ...context, sealingFailure: context.failureMessage });
    this.waiting = startupHandlers(report, answerHealth);
    this.#replaceable = new ReplaceableHandlers(this.waiting);
    this.#facts = facts;
  }

  answerBy(handlers: RunningServices['handlers']): void {
    this.#replaceable.replaceWith(handlers);
  }

  /** Serves an open chain from now on, and starts sealing or following. */
  async serve(services: RunningServices): Promise<void> {
    this.#opened = services;
    this.#replaceable.replaceWith(services.handlers);
    await services.start();
  }

  get handlers(): RunningServices['handlers'] {
    return this.#replaceable.handlers;
  }

  controls() {
    return this.#opened?.controls();
  }

  async start(): Promise<void> {
    // The services start once the chain is open.
  }

  releaseWaiters(): void {
    this.#opened?.releaseWaiters();
  }

  checkpointParts() {
    return this.#opened?.checkpointParts();
  }

  chain(): ChainFacts {
    return (
      this.#opened?.chain() ?? {
        ...this.#facts,
        genesisHash: undefined,
        devAccounts: [],
        balanceOf: () => undefined,
      }
    );
  }
}

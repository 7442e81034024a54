import type { Sliced } from '../../async/sliced-work.js';
import type { ExecutionTasks } from '../../execution/pool/messages.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import type { PoolName } from '../../rpc/front/messages.js';
import { pendingAccountLines } from '../../rpc/methods/accounts.js';
import type { NodeCore } from '../core/open-core.js';
import type { FrontThreads } from './front-threads.js';
import { type PublishChainOptions, publishChain } from './publish-chain.js';

/** The main thread's chain as published to the front threads once it is open. */
export class FrontChain {
  readonly #fronts: Pick<FrontThreads, 'serve'>;
  #core: NodeCore | undefined;
  #onPoolChanged: () => void = () => undefined;

  constructor(fronts: Pick<FrontThreads, 'serve'>) {
    this.#fronts = fronts;
  }

  /** Publishes the chain to the front threads, now and with every commit. */
  open(options: PublishChainOptions): void {
    const { chain, onPoolChanged } = publishChain(options);
    this.#core = options.core;
    this.#onPoolChanged = onPoolChanged;
    this.#fronts.serve(chain);
  }

  pool(name: PoolName): TaskRunner<ExecutionTasks> | undefined {
    return this.#core?.workers[name];
  }

  /** As `LinkServerOptions.accounts`. */
  accounts(addresses: Uint8Array): Sliced<string> {
    if (this.#core === undefined)
      throw new Error('a front thread requested accounts before the chain was open');
    const { chain } = this.#core.chainState;
    return pendingAccountLines({ chain, pool: this.#core.mempool.pool }, addresses);
  }

  /** Publishes the pool's size. Call it before any answer reveals a change to the front threads. */
  onPoolChanged(): void {
    this.#onPoolChanged();
  }
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CONTRACT_STACK_MB } from '../../../src/vm/wasm/engine-limits.js';
import type { VmAnswer, VmJob } from './vm-worker.js';

/** A thread with the stack of an execution worker, which runs one contract after another. */
export class VmWorkerThread {
  readonly #worker = new Worker(new URL('./vm-worker.js', import.meta.url), {
    resourceLimits: { stackSizeMb: CONTRACT_STACK_MB },
  });

  /** @throws any error that ends the worker */
  async run(job: VmJob): Promise<VmAnswer> {
    this.#worker.postMessage(job);
    const [answer]: unknown[] = await once(this.#worker, 'message');
    if (!isAnswer(answer)) {
      throw new TypeError('the worker sent no answer');
    }
    return answer;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function isAnswer(value: unknown): value is VmAnswer {
  return typeof value === 'object' && value !== null && 'ending' in value && 'gasUsed' in value;
}

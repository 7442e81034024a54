import { type ChildProcess, fork } from 'node:child_process';
import { NO_WASM_INLINING } from '../../../../src/vm/thread-stack.js';
import type { GaugeAnswer, GaugeJob } from './gauge-worker.js';

/** V8's compilers: baseline only, optimizing only, or one after the other. */
export type Tier = 'baseline' | 'optimized' | 'tiering up';

export const TIERS: readonly Tier[] = ['baseline', 'optimized', 'tiering up'];

const FLAGS: Readonly<Record<Tier, readonly string[]>> = {
  baseline: ['--liftoff-only'],
  optimized: ['--no-liftoff'],
  'tiering up': ['--allow-natives-syntax'],
};

/** A process that measures the frames of modules compiled by one of V8's compilers. */
export class FrameGauge {
  readonly tier: Tier;
  readonly #child: ChildProcess;

  constructor(tier: Tier) {
    this.tier = tier;
    this.#child = fork(new URL('./gauge-worker.js', import.meta.url), {
      execArgv: [...FLAGS[tier], ...NO_WASM_INLINING],
      serialization: 'advanced',
    });
  }

  /** @returns real bytes of stack for each byte counted, or the reason for a missing figure */
  measure(code: Uint8Array): Promise<number | string> {
    const job: GaugeJob = { code, tiersUp: this.tier === 'tiering up' };
    return new Promise((resolve, reject) => {
      const ended = (status: number | null): void => {
        reject(new Error(`the process that measures frames ended: ${status}`));
      };
      this.#child.once('exit', ended);
      this.#child.once('message', ({ ratio }: GaugeAnswer) => {
        this.#child.off('exit', ended);
        resolve(ratio);
      });
      this.#child.send(job);
    });
  }

  stop(): void {
    this.#child.kill();
  }
}

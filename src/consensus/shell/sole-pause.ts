import type { ShellContext } from './shell-context.js';
import type { WorkMonitor } from './work-monitor.js';

type PauseContext = Pick<ShellContext, 'isSole' | 'clock' | 'lifecycle'>;

/**
 * Pauses a sole validator from the start of a proposal until its block is committed or given up, so that blocks start
 * at an even pace. Has no effect among several validators.
 */
export class SolePause {
  readonly #context: PauseContext;
  readonly #work: Pick<WorkMonitor, 'pause' | 'resume'>;

  constructor(context: PauseContext, work: Pick<WorkMonitor, 'pause' | 'resume'>) {
    this.#context = context;
    this.#work = work;
  }

  begin(): void {
    const { isSole, clock } = this.#context;
    if (!isSole) return;
    clock.pause();
    this.#work.pause();
  }

  end(): void {
    const { isSole, clock, lifecycle } = this.#context;
    if (!isSole) return;
    clock.resume();
    if (lifecycle.isRunning) this.#work.resume();
  }
}

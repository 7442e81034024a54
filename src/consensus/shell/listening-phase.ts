import { type Runtime, sleep } from '../../async/runtime.js';
import type { Network } from './ports.js';

/** How long to wait for connected peers that stay silent: a newly started one has nothing to report. */
const PATIENCE_MS = 5_000;
const ASK_EACH_MS = 1_000;
const LOOK_EACH_MS = 20;

export interface ListeningPhaseOptions {
  readonly runtime: Pick<Runtime, 'now' | 'after'>;
  readonly network: Pick<Network, 'connected'>;
  /** Asks a peer for its position. */
  readonly ask: (peer: number) => void;
}

/**
 * The phase from a process's start until enough peers have reported their position. Without them there is no quorum,
 * and a node with an old journal must hear from them before it votes in a view where it may have voted before (rule 9).
 */
export class ListeningPhase {
  readonly #options: ListeningPhaseOptions;
  readonly #heard = new Set<number>();

  constructor(options: ListeningPhaseOptions) {
    this.#options = options;
  }

  /** Records that a peer has reported its position. */
  onAnswer(peer: number): void {
    this.#heard.add(peer);
  }

  /** Discards the reports of the previous epoch. */
  restart(): void {
    this.#heard.clear();
  }

  /** Resolves when enough connected peers have answered, or enough have been connected but silent for the timeout. */
  async wait(others: () => number, isRunning: () => boolean): Promise<void> {
    const { runtime, network, ask } = this.#options;
    let enoughSince: number | undefined;
    const asked = new Map<number, number>();
    while (isRunning()) {
      const now = runtime.now();
      const connected = network.connected();
      if (connected.filter((peer) => this.#heard.has(peer)).length >= others()) return;
      enoughSince = connected.length >= others() ? (enoughSince ?? now) : undefined;
      if (enoughSince !== undefined && now - enoughSince >= PATIENCE_MS) return;
      for (const peer of connected) {
        if (this.#heard.has(peer) || now - (asked.get(peer) ?? -ASK_EACH_MS) < ASK_EACH_MS) continue;
        asked.set(peer, now);
        ask(peer);
      }
      await sleep(runtime, LOOK_EACH_MS);
    }
  }
}

import type { Network } from './ports.js';

/** How long those who are connected and say nothing are waited for: who has just been born has nothing to say. */
const PATIENCE_MS = 5_000;
const ASK_EACH_MS = 1_000;
const LOOK_EACH_MS = 20;

export interface ListeningPhaseOptions {
  readonly network: Pick<Network, 'connected'>;
  /** Asks a peer where it is. */
  readonly ask: (peer: number) => void;
}

/**
 * The time from the start of a process until enough others have said where they are. Without them nothing can be agreed on, and who is
 * back with an old journal must hear of them before it votes where it may have voted before (rule 9).
 */
export class ListeningPhase {
  readonly #options: ListeningPhaseOptions;
  readonly #heard = new Set<number>();

  constructor(options: ListeningPhaseOptions) {
    this.#options = options;
  }

  /** A peer has said where it is. */
  onAnswer(peer: number): void {
    this.#heard.add(peer);
  }

  /** Another epoch has begun: what was said was of the one before. */
  restart(): void {
    this.#heard.clear();
  }

  /** Resolves when so many of the connected have been heard, or did not speak though they could. */
  async wait(others: () => number, isRunning: () => boolean): Promise<void> {
    const { network, ask } = this.#options;
    let enoughSince: number | undefined;
    const asked = new Map<number, number>();
    while (isRunning()) {
      const now = performance.now();
      const connected = network.connected();
      if (connected.filter((peer) => this.#heard.has(peer)).length >= others()) return;
      enoughSince = connected.length >= others() ? (enoughSince ?? now) : undefined;
      if (enoughSince !== undefined && now - enoughSince >= PATIENCE_MS) return;
      for (const peer of connected) {
        if (this.#heard.has(peer) || now - (asked.get(peer) ?? -ASK_EACH_MS) < ASK_EACH_MS) continue;
        asked.set(peer, now);
        ask(peer);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_EACH_MS);
      });
    }
  }
}
